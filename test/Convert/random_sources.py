"""Random sources: tensors that templates, stars and fused macros can work on, and some others.

A tensor here carries the numbers that its elements hold (aoac-mkckpt counts I32, I64 and F32 elements through). Where a
cast rounds or a macro depends on layouts the numbers are unknown (None).
"""

import numpy

COUNTED = ("I32", "I64", "F32")
HASHED = ("BF16", "F16", "F8_E4M3", "F8_E5M2", "BOOL", "U8", "I16")
# What macros like to call their temporaries: the user's tensors may have these names.
LIKE_TEMPORARIES = ("at0.q0", "at0.k1", "at0.q.at0.k.at0.v.tmp", "ff0.gate.ff0.up.tmp", "fused_ffn_tmp.GATE_0", "fused_ffn_tmp.UP_1",
                    "fused_qkv_old_tmp.Q_0", "a0.w_transpose_tmp", "l.1.w_transpose_tmp", "x10", "x20", "a0.w_tmp")


class Tensor:
    def __init__(self, dtype, shape, numbers=None, fused=None, uncast=None):
        self.dtype, self.shape = dtype, tuple(shape)
        self.uncast = uncast or dtype  # before all casts, which the paddle dialect compares in merges
        self.numbers = numbers  # what the elements hold, or None
        self.fused = fused  # (axis, degrees that fit) of a tensor that a macro arranges by rank

    def mapped(self, shape, move):
        return Tensor(self.dtype, shape, None if self.numbers is None else move(self.numbers), uncast=self.uncast)

    def kind(self):
        return self.dtype, self.uncast, self.shape


class SourceMaker:
    """Fills `source`, from names to tensors, and `families`, from stems to what their tensors are for."""

    def __init__(self, random, plain):
        self.random, self.plain = random, plain
        self.source, self.families = {}, {}
        self.make_source()

    def extent(self):
        return self.random.choice((0, 1, 2, 3, 4, 4, 5, 6, 6, 8, 8, 12))

    def dtype(self):
        return self.random.choice(COUNTED if self.random.random() < 0.75 else HASHED)

    def add_source(self, name, dtype, shape, **more):
        self.source[name] = Tensor(dtype, shape, **more)

    def make_source(self):
        random = self.random
        for i in range(random.randint(1, 4)):
            forms = ("a{}.w", "b_{}", "c.{}x.bias") + (() if self.plain else ('"m{}-n/o"', '"{}.first"'))
            name = random.choice(forms).format(i)
            self.add_source(name, self.dtype(), [self.extent() for _ in range(random.choice((0, 1, 2, 2, 2, 3, 4)))])
        for family in random.sample(("l.{}.w", "deep.{}.k.{}.w", "e{}.up_proj" if self.plain else "e{}.up-proj"), random.randint(0, 2)):
            dtype, shape = self.dtype(), [self.extent() for _ in range(random.choice((1, 2, 2, 3)))]
            ids = sorted(random.sample(range(12), random.randint(1, 4)))
            inner = range(random.randint(1, 3)) if family.count("{}") == 2 else [None]
            for i in ids:
                for j in inner:
                    self.add_source(family.format(i, j), dtype, shape)
            self.families[family] = True
        for i in range(random.randint(0, 2)):
            self.add_qkv(f"at{i}", random.random() < 0.4)
        for i in range(random.randint(0, 2)):
            self.add_ffn(f"ff{i}", random.random() < 0.4)
        for name in random.sample(LIKE_TEMPORARIES, random.choice((0, 0, 0, 2, 4))):
            self.add_source(name, self.dtype(), [self.extent()])
        number = 1
        for name in sorted(self.source, key=lambda name: name.strip('"')):
            tensor = self.source[name]
            size = int(numpy.prod(tensor.shape, dtype=numpy.int64))
            if tensor.dtype in COUNTED:
                tensor.numbers = numpy.arange(number, number + size).reshape(tensor.shape)
                number += size

    def around(self, axis, width):
        """A shape of rank axis + 1 or one more with `width` along `axis`."""
        shape = [self.extent() for _ in range(axis)] + [width]
        return shape + [self.extent()] if self.random.random() < 0.4 else shape

    def add_qkv(self, stem, whole):
        random = self.random
        groups = random.choice((1, 2, 2, 4))
        heads, width, axis, dtype = groups * random.randint(1, 3), random.randint(1, 3), random.randint(0, 1), self.dtype()
        shape = self.around(axis, heads * width)
        sizes = {"qkv": heads + 2 * groups} if whole else {"q": heads, "k": groups, "v": groups}
        for part, count in sizes.items():
            shape[axis] = count * width
            self.add_source(f"{stem}.{part}", dtype, shape)
        fits = [degree for degree in (1, 2, 4) if groups % degree == 0 and heads % degree == 0]
        for part in sizes:
            self.source[f"{stem}.{part}"].fused = (axis, fits)
        self.families[stem] = ("qkv", whole, heads, groups, axis)

    def add_ffn(self, stem, whole):
        random = self.random
        axis, dtype, width = random.randint(0, 1), self.dtype(), random.choice((2, 4, 6, 12, 12))
        shape = self.around(axis, width)
        fits = [degree for degree in (1, 2, 3, 4) if width % degree == 0]
        if whole:
            shape[axis] *= 2
            self.add_source(f"{stem}.gu", dtype, shape, fused=(axis, fits))
        else:
            for part in ("gate", "up"):
                self.add_source(f"{stem}.{part}", dtype, shape, fused=(axis, fits))
        self.families[stem] = ("ffn", whole, axis)
