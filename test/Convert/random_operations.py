# SPDX-License-Identifier: Apache-2.0
"""Random operations of a statement from one tensor to one: their text and the type that they make.

A type is what a tensor is without its elements: dtype, shape, and whether it has states of an optimizer.
"""

from collections import namedtuple

FLOATS = ("F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2")
PYTHON_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
                "F8_E5M2": "float8_e5m2", "I32": "int32", "I64": "int64", "I16": "int16", "U8": "uint8", "BOOL": "bool"}
WIDER = {"BOOL": ("U8", "I16", "I32", "I64"), "U8": ("I16", "I32", "I64"), "I16": ("I32", "I64"), "I32": ("I64",), "I64": ()}
BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "I64": 8, "I32": 4, "I16": 2, "U8": 1, "BOOL": 1}
# Values that every dtype of their kind has, and others that all but the narrowest have.
EXACT = {"BOOL": (0, 1), "U8": (0, 7, 255), "I16": (0, -3, 32767), "I32": (0, -5, 100000), "I64": (0, 1 << 40, -7)}
EXACT_FLOATS = (0, 0.5, -1, 1.5, 0.25, -2, "1e0", "-5e-1")
LARGEST = 600  # Elements of a tensor: all of this is done element by element, too.


class Type(namedtuple("Type", "dtype shape stateful fused", defaults=(False, None))):
    """`fused`: (axis, degrees that fit) of a tensor that a macro arranges by rank."""

    def of(self, shape, dtype=None):
        return Type(dtype or self.dtype, tuple(shape), self.stateful)

    @property
    def size(self):
        return numel(self.shape)


def numel(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


class Operations:
    """Texts and types of operations. `plain`: only those of the paddle dialect."""

    def __init__(self, random, plain, variables):
        self.random, self.plain, self.variables = random, plain, variables

    # Values.

    def number(self, n):
        """A whole number, now and then as an expression."""
        random = self.random
        if self.plain or random.random() < 0.8:
            return str(n)
        names = [name for name, value in self.variables.items() if value == n]
        if names and random.random() < 0.6:
            return "${" + random.choice(names) + "}"
        k = random.randint(1, 5)
        forms = [f"{n + k} - {k}", f"({n - k}+{k})", f"min({n}, {n + k})", f"{n * k} / {k}", f"{n * k + k - 1}//{k}", f"max({n - k},{n})"]
        if n >= 0:
            forms += [f"{n} % {n + k}", f"${{missing ?? {n}}}", f"len([{', '.join('0' * n)}])" if n < 9 else f"+{n}"]
        return random.choice(forms)

    def list(self, numbers):
        if self.plain:
            return '"[' + self.random.choice((",", ", ")).join(map(str, numbers)) + ']"'
        if self.random.random() < 0.2:
            return self.random.choice("'\"") .join(("", "[" + ",".join(map(str, numbers)) + "]", ""))
        return "[" + self.random.choice((",", ", ")).join(self.number(n) for n in numbers) + "]"

    def dtype(self, dtype):
        if self.plain:
            return f"'{PYTHON_NAMES[dtype]}'"
        word = self.random.choice((dtype, PYTHON_NAMES[dtype]))
        return self.random.choice((word, f"'{word}'", f'"{word}"'))

    def value(self, dtype):
        return str(self.random.choice(EXACT.get(dtype, EXACT_FLOATS)))

    def axis(self, axis, rank):
        return self.number(axis - rank if self.random.random() < 0.3 and not self.plain else axis)

    # Operations: each returns its text and the new type, or None where the tensor does not take it.

    def some(self, tensor, most, alone=True):
        """Up to `most` operations one after the other; `alone`: of a statement with one name a side."""
        text = ""
        kinds = [self.permute, self.cast]
        if not self.plain:
            kinds += [self.reshape, self.rearrange, self.rearrange, self.slice, self.pad, self.pad, self.repeat, self.repeat, self.scale,
                      self.plus, self.dedup] + [self.rank_up, self.rank_down] * alone
        for _ in range(self.random.randint(0, most)):
            made = self.random.choice(kinds)(tensor)
            if made and made[1].size <= LARGEST:
                text, tensor = text + made[0], made[1]
        return text, tensor

    def needs_states(self, text):
        """Whether what `text` does to states must be said."""
        return any(f", {word}=" in text for word in ("pad", "repeat", "plus", "tie"))

    def permute(self, tensor):
        order = list(range(len(tensor.shape)))
        self.random.shuffle(order)
        if self.random.random() < 0.25:
            return ", permute=" + self.list([]), tensor.of(tensor.shape[::-1])
        return ", permute=" + self.list(order), tensor.of(tensor.shape[i] for i in order)

    def castable(self, tensor):
        if tensor.dtype in FLOATS:
            return ("F32", "F16", "BF16") if self.plain else FLOATS
        return () if self.plain else WIDER.get(tensor.dtype, ())

    def cast(self, tensor):
        choices = self.castable(tensor)
        if not choices:
            return None
        dtype = self.random.choice(choices)
        text = f", dtype={self.dtype(dtype)}"
        if self.random.random() < 0.3:
            pair = [f", src_dtype={self.dtype(tensor.dtype)}", f", dst_dtype={self.dtype(dtype)}"]
            if self.random.random() < 0.2 and not self.plain:
                pair.reverse()
            text = "".join(pair)
        return text, tensor.of(tensor.shape, dtype)

    def reshape(self, tensor):
        size, shape = tensor.size, []
        if size == 0:
            shape = [self.random.randint(0, 3) for _ in range(self.random.randint(0, 3))]
            shape.insert(self.random.randint(0, len(shape)), 0)
            return ", reshape=" + self.list(shape), tensor.of(shape)
        rest = size
        for _ in range(self.random.randint(0, 3)):
            shape.append(self.random.choice(divisors(rest)))
            rest //= shape[-1]
        if rest != 1 or self.random.random() < 0.3:
            shape.append(rest)
        self.random.shuffle(shape)
        shown = list(shape)
        if shape and self.random.random() < 0.5:
            shown[self.random.randrange(len(shape))] = -1
        return ", reshape=" + self.list(shown), tensor.of(shape)

    def rearrange(self, tensor):
        random, names = self.random, iter(random_names(self.random))
        left, factors = [], []
        for extent in tensor.shape:
            axis, rest = [], extent
            while extent and rest > 1 and random.random() < 0.6:
                axis.append((next(names), random.choice(divisors(rest))))
                rest //= axis[-1][1]
            if rest != 1 or random.random() < 0.5:
                axis.append((next(names), rest))
            random.shuffle(axis)
            left.append(axis)
            factors += axis
        dots = None
        if left and random.random() < 0.3:
            begin = random.randrange(len(left))
            dots = (begin, random.randint(begin, len(left)))
            gone = [factor for axis in left[slice(*dots)] for factor in axis]
            factors = [factor for factor in factors if factor not in gone]
        random.shuffle(factors)
        right = []
        while factors:
            count = random.randint(1, min(3, len(factors)))
            right.append(factors[:count])
            factors = factors[count:]
        for _ in range(random.choice((0, 0, 0, 1))):
            right.insert(random.randint(0, len(right)), [])
        shape = [[numel(size for _, size in axis)] for axis in right]
        texts = [self.pattern_axis(axis) for axis in right]
        lefts = [self.pattern_axis(axis) for axis in left]
        if dots:
            at = random.randint(0, len(right))
            shape.insert(at, list(tensor.shape[slice(*dots)]))
            texts.insert(at, "...")
            lefts[slice(*dots)] = ["..."]
        known = []
        for index, axis in enumerate(left):
            if dots and dots[0] <= index < dots[1]:
                continue
            solved = random.choice(axis)[0] if axis and random.random() < 0.8 else None
            if len(axis) == 1 and axis[0][1] == 0:
                solved = axis[0][0]
            known += [(name, size) for name, size in axis if name != solved]
        random.shuffle(known)
        sizes = "".join(f", {name}={self.number(size)}" for name, size in known)
        pattern = f"{' '.join(lefts)} -> {' '.join(texts)}"
        return f", rearrange={random.choice((chr(34), chr(39))).join(('', pattern, ''))}{sizes}", tensor.of(sum(shape, []))

    def pattern_axis(self, axis):
        if not axis:
            return self.random.choice(("1", "()"))
        if len(axis) == 1 and self.random.random() < 0.8:
            return axis[0][0]
        return "(" + " ".join(name for name, _ in axis) + ")"

    def slice(self, tensor):
        if 0 in tensor.shape:
            return None
        bounds, shape = [], []
        for extent in tensor.shape:
            begin = self.random.choice((0, 0, self.random.randrange(extent)))
            end = self.random.choice((extent, self.random.randint(begin + 1, extent)))
            shape.append(end - begin)
            shown = [str(begin), str(end)]
            if begin == 0 and self.random.random() < 0.5:
                shown[0] = ""
            if end == extent and self.random.random() < 0.5:
                shown[1] = ""
            bounds.append(":".join(shown))
        while len(bounds) > 1 and shape[len(bounds) - 1] == tensor.shape[len(bounds) - 1] and self.random.random() < 0.5:
            bounds.pop()
        return (f', slice="{self.random.choice((",", ", ")).join(bounds)}"', tensor.of(shape)) if bounds else None

    def pad(self, tensor):
        around = [[self.random.choice((0, 0, 1, 3)), self.random.choice((0, 0, 1, 2))] for _ in tensor.shape]
        if tensor.shape and tensor.shape[0] and self.random.random() < 0.3:
            around = [[0, around[0][1]]] + [[0, 0]] * (len(around) - 1)
            value = ", value=" + self.random.choice(("last", "'last'"))
        else:
            value = self.random.choice(("", f", value={self.value(tensor.dtype)}"))
        shape = [extent + sum(pair) for extent, pair in zip(tensor.shape, around)]
        shown = "[" + ", ".join(f"[{self.number(pair[0])}, {self.number(pair[1])}]" for pair in around) + "]"
        return f", pad={shown}{value}", tensor.of(shape)

    def blocks(self, word, count, axis, rank, block):
        """The attributes of a repeat, in any order behind it."""
        more = [f", axis={self.axis(axis, rank)}", f", block={self.number(block)}"]
        self.random.shuffle(more)
        return f", {word}={self.number(count)}" + "".join(more)

    def repeat(self, tensor):
        if not tensor.shape:
            return None
        axis = self.random.randrange(len(tensor.shape))
        extent = tensor.shape[axis]
        block = self.random.choice(divisors(extent) or [1, 3])
        count = self.random.choice((1, 2, 2, 3))
        shape = [*tensor.shape[:axis], extent * count, *tensor.shape[axis + 1 :]]
        return self.blocks("repeat", count, axis, len(shape), block), tensor.of(shape)

    def dedup(self, tensor):
        """Of what was just repeated; seldom of anything, and then the run says whether blocks differ."""
        if not tensor.shape or tensor.stateful:
            return None
        axis = self.random.randrange(len(tensor.shape))
        extent = tensor.shape[axis]
        block = self.random.choice(divisors(extent) or [2])
        if self.random.random() < 0.03:
            count = self.random.choice(divisors(extent // block) or [2])
            shape = [*tensor.shape[:axis], extent // count, *tensor.shape[axis + 1 :]]
            return self.blocks("dedup", count, axis, len(shape), block), tensor.of(shape)
        count = self.random.choice((1, 2, 3))
        text = "".join(self.blocks(word, count, axis, len(tensor.shape), block) for word in ("repeat", "dedup"))
        return text, tensor

    def scale(self, tensor):
        if tensor.dtype not in FLOATS or tensor.stateful:
            return None
        return ", scale=" + self.random.choice(("0.25", "-2", "1", "1e-3", "0.1", "3", "1.0", "1e30")), tensor

    def plus(self, tensor):
        if tensor.dtype not in FLOATS:
            return None
        return ", plus=" + self.random.choice(("1", "-0.5", "0", "1e-3", "100", "0.1", "0.0")), tensor

    def rank_up(self, tensor):
        if len(tensor.shape) > 4:
            return None
        axis = self.random.randint(0, len(tensor.shape))
        shape = [*tensor.shape[:axis], 1, *tensor.shape[axis:]]
        return f", stack={self.axis(axis, len(shape))}", tensor.of(shape)

    def rank_down(self, tensor):
        ones = [i for i, extent in enumerate(tensor.shape) if extent == 1]
        if not ones:
            return None
        axis = self.random.choice(ones)
        return f", unstack={self.axis(axis, len(tensor.shape))}", tensor.of([*tensor.shape[:axis], *tensor.shape[axis + 1 :]])


def random_names(random):
    names = ["h", "d", "c", "p", "g2", "head_dim", "x", "Y", "_k", "n1", "n2", "n3", "w", "z", "aa", "bb", "cc", "dd", "ee", "ff"]
    random.shuffle(names)
    return names + [f"more{i}" for i in range(50)]
