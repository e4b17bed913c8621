"""Random scripts of the aoa dialect, with what each of them makes as far as the writer can tell.

A tensor here carries the numbers that its elements hold (aoac-mkckpt counts I32, I64 and F32 elements through), moved by
numpy as the statements say. Where a cast rounds or a macro depends on layouts the numbers are unknown (None).
"""

import numpy

COUNTED = ("I32", "I64", "F32")
HASHED = ("BF16", "F16", "F8_E4M3", "F8_E5M2", "BOOL", "U8", "I16")
FLOATS = ("F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2")
PYTHON_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
                "F8_E5M2": "float8_e5m2"}
WIDER = {"BOOL": ("U8", "I32"), "U8": ("I16", "I64"), "I16": ("I32", "I64"), "I32": ("I64",), "I64": ()}


class Tensor:
    def __init__(self, dtype, shape, numbers=None, fused=None):
        self.dtype, self.shape = dtype, tuple(shape)
        self.numbers = numbers  # what the elements hold, or None
        self.fused = fused  # (axis, degrees that fit) of a tensor that a macro arranges by rank

    def mapped(self, shape, move):
        return Tensor(self.dtype, shape, None if self.numbers is None else move(self.numbers))


class ScriptMaker:
    """Makes a source and a script over it: `source` and, afterwards, `results()` map names to tensors."""

    def __init__(self, random):
        self.random = random
        self.source, self.now, self.unread, self.removed = {}, {}, set(), set()
        self.lines = []
        self.fresh = 0
        self.families = {}
        self.make_source()
        self.now = dict(self.source)
        self.unread = set(self.source)
        kinds = [self.rename, self.permute, self.cast, self.merge, self.merge, self.split, self.remove, self.swap,
                 self.replace, self.template, self.template, self.template_pair, self.template_split, self.star,
                 self.array_split, self.array_merge, self.qkv, self.ffn, self.refuse]
        weights = [3, 5, 3, 4, 4, 4, 1, 1, 1, 3, 3, 2, 2, 2, 2, 2, 5, 4, 0.12]
        for kind in random.choices(kinds, weights, k=random.randint(1, 7)):
            kind()

    # The source.

    def extent(self):
        return self.random.choice((0, 1, 2, 3, 4, 4, 5, 6, 6, 8, 8, 12))

    def dtype(self):
        return self.random.choice(COUNTED if self.random.random() < 0.75 else HASHED)

    def add_source(self, name, dtype, shape, **more):
        self.source[name] = Tensor(dtype, shape, **more)

    def make_source(self):
        random = self.random
        for i in range(random.randint(1, 4)):
            name = random.choice(("a{}.w", "b_{}", "c.{}x.bias", '"m{}-n/o"', '"{}.first"')).format(i)
            self.add_source(name, self.dtype(), [self.extent() for _ in range(random.choice((0, 1, 2, 2, 2, 3, 4)))])
        for family in random.sample(("l.{}.w", "deep.{}.k.{}.w", "e{}.up-proj"), random.randint(0, 2)):
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

    # Names.

    def new_name(self):
        self.fresh += 1
        form = self.random.choice(("x{}", "y.{}.z", "out_{}", "w{}-t", '"{} q"', "t{}/u"))
        return form.format(self.fresh)

    def take(self, fits=lambda tensor: True):
        """A name whose value nobody has read yet, seldom another one, or None."""
        for _ in range(8):
            pool = self.unread if self.random.random() < 0.9 else set(self.now) - self.removed
            names = sorted(name for name in pool if fits(self.now[name]))
            if names:
                return self.random.choice(names)
        return None

    def write(self, lefts, rights, tail=""):
        """Adds a statement. `rights` maps names to tensors; lefts are bare names, maybe with ^T."""
        arrow = self.random.choice((" -> ", " -> ", "->", "\n  -> "))
        self.lines.append(", ".join(lefts) + arrow + ", ".join(rights) + tail)

    def bind(self, lefts, rights):
        self.unread -= set(lefts)
        self.now.update(rights)
        self.unread |= set(rights)

    # What follows the names of a one-to-one statement: a permute, a cast, both or neither.

    def then(self, tensor, also_none=True):
        text = ""
        for kind in self.random.sample(("permute", "cast"), self.random.randint(0 if also_none else 1, 2)):
            if kind == "permute" and tensor.shape:
                order = list(range(len(tensor.shape)))
                self.random.shuffle(order)
                shown = list(order)
                if self.random.random() < 0.2:
                    order, shown = order[::-1] and list(range(len(order)))[::-1], []
                text += f", permute={shown}" if self.random.random() < 0.7 else f', permute="{shown}"'
                tensor = tensor.mapped([tensor.shape[i] for i in order], lambda n, order=order: n.transpose(order))
            elif kind == "cast":
                dtype = self.castable(tensor.dtype)
                if dtype:
                    tensor, text = self.as_cast(tensor, dtype), text + self.cast_text(tensor.dtype, dtype)
        return tensor, text

    def castable(self, dtype):
        choices = FLOATS if dtype in FLOATS else WIDER.get(dtype, ())
        return self.random.choice(choices) if choices else None

    def cast_text(self, old, new):
        spelt = PYTHON_NAMES.get(new, new) if self.random.random() < 0.5 else new
        if self.random.random() < 0.3:
            return f", src_dtype={old}, dst_dtype='{spelt}'"
        return self.random.choice((f", dtype={spelt}", f", dtype='{spelt}'"))

    def as_cast(self, tensor, dtype):
        exact = dtype in ("F64", "I64", tensor.dtype)
        return Tensor(dtype, tensor.shape, tensor.numbers if exact else None)

    # The statements.

    def reversed_at_times(self, name):
        """The name as a left name and its tensor, now and then with ^T."""
        tensor = self.now[name]
        if self.random.random() < 0.75:
            return name, tensor
        return name + "^T", tensor.mapped(tensor.shape[::-1], numpy.transpose)

    def rename(self):
        name = self.take()
        if name:
            left, tensor = self.reversed_at_times(name)
            right = {self.new_name(): tensor}
            self.write([left], right)
            self.bind([name], right)

    def permute(self):
        name = self.take(lambda tensor: tensor.shape)
        if name:
            left, tensor = self.reversed_at_times(name)
            tensor, text = self.then(tensor, also_none=False)
            right = {self.random.choice((self.new_name(), name)): tensor}
            self.write([left], right, text)
            self.bind([name], right)

    def cast(self):
        name = self.take(lambda tensor: self.castable(tensor.dtype))
        if name:
            left, tensor = self.reversed_at_times(name)
            dtype = self.castable(tensor.dtype)
            right = {self.new_name(): self.as_cast(tensor, dtype)}
            self.write([left], right, self.cast_text(tensor.dtype, dtype))
            self.bind([name], right)

    def merge(self):
        name = self.take(lambda tensor: tensor.shape)
        if not name:
            return
        first = self.now[name]
        axis = self.random.randrange(len(first.shape))

        def beside(tensor):
            return tensor.dtype == first.dtype and len(tensor.shape) == len(first.shape) and all(
                a == b or i == axis for i, (a, b) in enumerate(zip(tensor.shape, first.shape)))

        names = [name]
        for _ in range(self.random.randint(0, 3)):
            other = self.take(beside)
            if other and (other not in names or self.random.random() < 0.1):
                names.append(other)
        if len(names) == 1:
            return self.rename()
        tensor = self.join([self.now[name] for name in names], axis)
        tensor, text = self.then(tensor)
        right = {self.new_name(): tensor}
        self.write(names, right, self.axis_text(axis, len(first.shape)) + text)
        self.bind(names, right)

    def join(self, tensors, axis):
        shape = list(tensors[0].shape)
        shape[axis] = sum(tensor.shape[axis] for tensor in tensors)
        known = all(tensor.numbers is not None for tensor in tensors)
        return Tensor(tensors[0].dtype, shape, numpy.concatenate([t.numbers for t in tensors], axis) if known else None)

    def axis_text(self, axis, rank):
        return f", axis={axis - rank if self.random.random() < 0.3 else axis}"

    def cut(self, tensor, axis, count):
        shape = list(tensor.shape)
        shape[axis] //= count
        return [tensor.mapped(shape, lambda n, i=i: n.take(range(i * shape[axis], (i + 1) * shape[axis]), axis))
                for i in range(count)]

    def cuttable(self):
        """A name, a tensor as its left side reads it, an axis and a number of parts; or None."""
        name = self.take(lambda tensor: tensor.shape)
        if not name:
            return None
        left, tensor = self.reversed_at_times(name)
        axis = self.random.randrange(len(tensor.shape))
        counts = [count for count in (2, 3, 4) if tensor.shape[axis] % count == 0]
        return (name, left, tensor, axis, self.random.choice(counts)) if counts else None

    def split(self):
        found = self.cuttable()
        if found:
            name, left, tensor, axis, count = found
            text = ""
            if self.random.random() < 0.3:
                dtype = self.castable(tensor.dtype)
                if dtype:
                    tensor, text = self.as_cast(tensor, dtype), self.cast_text(tensor.dtype, dtype)
            rights = {self.new_name(): part for part in self.cut(tensor, axis, count)}
            self.write([left], rights, text + self.axis_text(axis, len(tensor.shape)))
            self.bind([name], rights)

    def remove(self):
        name = self.random.choice(sorted(set(self.source) & self.unread) or [None])
        if name and self.now[name] is self.source[name]:
            self.write([name], ["_"])
            self.unread.discard(name)
            self.removed.add(name)
            del self.now[name]

    def swap(self):
        one, two = self.take(), self.take()
        if one and two and one != two:
            temporary = self.new_name()
            self.lines += [f"{one} -> {temporary}; {two} -> {one}", f"{temporary} -> {two}"]
            self.now[one], self.now[two] = self.now[two], self.now[one]
            self.unread |= {one, two}

    def replace(self):
        """Binds a name of the source again after it was read."""
        names = sorted(set(self.source) - self.unread - self.removed)
        name = self.take()
        if names and name:
            right = {self.random.choice(names): self.now[name]}
            if name not in right:
                self.write([name], right)
                self.bind([name], right)

    def instances(self):
        """A family as template text, its names in order, or None; only families that nobody changed or took from."""
        families = sorted(family for family, made in self.families.items() if made is True)
        if not families:
            return None
        family = self.random.choice(families)
        names = [name for name in self.source if self.stem(name) == self.stem(family)]
        if any(name not in self.now for name in names):
            return None
        return family, family.replace("{}", "$LAYER_ID", 1).replace("{}", "$EXPERT_ID", 1), names

    @staticmethod
    def stem(name):
        return "".join(c for c in name if not c.isdigit()).replace("{}", "")

    @staticmethod
    def ids(name):
        return ["".join(word) for word in "".join(c if c.isdigit() else " " for c in name).split()]

    def counterpart(self, template):
        self.fresh += 1
        return f"n{'qrst'[self.fresh % 4] * (self.fresh // 4 + 1)}." + ".".join(
            word for word in ("$LAYER_ID", "$EXPERT_ID") if word in template)

    def filled(self, template, name):
        for word, number in zip(("$LAYER_ID", "$EXPERT_ID"), self.ids(name)):
            template = template.replace(word, number)
        return template

    def template(self):
        found = self.instances()
        if not found:
            return
        family, template, names = found
        turned = self.random.random() < 0.5
        tensors = {name: self.now[name] for name in names}
        if len({(tensor.dtype, tensor.shape) for tensor in tensors.values()}) != 1:
            return
        if turned:
            tensors = {name: t.mapped(t.shape[::-1], numpy.transpose) for name, t in tensors.items()}
        right = self.random.choice((self.counterpart(template), template))
        state = self.random.getstate()
        rights = {}
        for name, tensor in tensors.items():  # the same choice for every instance
            self.random.setstate(state)
            rights[self.filled(right, name)], text = self.then(tensor)
        self.write([template + ("^T" if turned else "")], [right], text)
        self.bind(names, rights)

    def template_pair(self):
        found = self.instances()
        if found:
            family, template, names = found
            right = self.counterpart(template)
            if not self.now[names[0]].shape or len({(self.now[n].dtype, self.now[n].shape) for n in names}) != 1:
                return
            axis = self.random.randrange(len(self.now[names[0]].shape))
            rights = {self.filled(right, name): self.join([self.now[name]] * 2, axis) for name in names}
            self.write([template, template], [right], f", axis={axis}")
            self.bind(names, rights)

    def template_split(self):
        found = self.instances()
        if found:
            family, template, names = found
            tensors = [self.now[name] for name in names]
            if not tensors[0].shape or len({(t.dtype, t.shape) for t in tensors}) != 1 or tensors[0].shape[-1] % 2:
                return
            one, two = self.counterpart(template), self.counterpart(template)
            rights = {}
            for name, tensor in zip(names, tensors):
                rights[self.filled(one, name)], rights[self.filled(two, name)] = self.cut(tensor, len(tensor.shape) - 1, 2)
            self.write([template], [one, two], ", axis=-1")
            self.bind(names, rights)

    def star(self):
        found = self.instances()
        if found and found[0].count("{}") == 1:
            family, _, names = found
            names = sorted(names, key=lambda name: int(self.ids(name)[0]))
            tensors = [self.now[name] for name in names]
            if tensors[0].shape and len({(t.dtype, t.shape) for t in tensors}) == 1:
                axis = self.random.randrange(len(tensors[0].shape))
                right = {self.new_name(): self.join(tensors, axis) if len(names) > 1 else tensors[0]}
                self.write([family.replace("{}", "*")], right, f", axis={axis}")
                self.bind(names, right)

    def array_split(self):
        found = self.cuttable()
        if found:
            name, left, tensor, axis, count = found
            self.fresh += 1
            stem, first = f"v{self.fresh}", self.random.choice((0, 0, 3))
            rights = {f"{stem}_{first + i}": part for i, part in enumerate(self.cut(tensor, axis, count))}
            self.write([left], [f"{stem}[{first}:{first + count}]"], f", axis={axis}")
            self.bind([name], rights)
            self.families[stem] = ("array", first, list(rights))

    def array_merge(self):
        for stem, made in sorted(self.families.items()):
            if made is not True and made[0] == "array" and set(made[2]) <= self.unread:
                tensors = [self.now[name] for name in made[2]]
                if not tensors[0].shape or len({(t.dtype, t.shape) for t in tensors}) != 1:
                    return
                turned = self.random.random() < 0.5
                if turned:
                    tensors = [t.mapped(t.shape[::-1], numpy.transpose) for t in tensors]
                axis = self.random.randrange(len(tensors[0].shape))
                right = {self.new_name(): self.join(tensors, axis)}
                self.write([f"{stem}[{made[1]}:{made[1] + len(made[2])}]" + "^T" * turned], right, f", axis={axis}")
                self.bind(made[2], right)
                return

    def group(self, kind):
        stems = sorted(stem for stem, made in self.families.items() if made is not True and made[0] == kind)
        return self.random.choice(stems) if stems else None

    def untouched(self, *names):
        return all(self.now.get(name) is self.source[name] for name in names)

    def qkv(self):
        stem = self.group("qkv")
        if not stem:
            return
        _, whole, heads, groups, axis = self.families[stem]
        tag = self.random.choice(("fused_qkv", "fused_qkv_old"))
        text = [f"num_heads={heads}", f"num_key_value_groups={groups}"] + [f"axis={axis}"] * (axis != 1 or self.random.random() < 0.5)
        self.random.shuffle(text)
        text = ", " + ", ".join([tag, *text])
        if whole and self.untouched(f"{stem}.qkv"):
            fused = self.source[f"{stem}.qkv"]
            width = fused.shape[axis] // (heads + 2 * groups)
            if tag == "fused_qkv_old" and self.random.random() < 0.4:
                right = {self.new_name(): Tensor(fused.dtype, fused.shape, fused=fused.fused)}
            else:
                right = {}
                for index, count in enumerate((heads, groups, groups)):
                    shape = list(fused.shape)
                    shape[axis] = count * width
                    right[self.new_name()] = Tensor(fused.dtype, shape, self.own_heads(fused, axis, heads, groups, index)
                                                    if tag == "fused_qkv" else None)
            self.write([f"{stem}.qkv"], right, text)
            self.bind([f"{stem}.qkv"], right)
        elif not whole and self.untouched(*(f"{stem}.{part}" for part in "qkv")):
            parts = [self.source[f"{stem}.{part}"] for part in "qkv"]
            tensor = self.join(parts, axis)
            tensor.fused = parts[0].fused
            if tag == "fused_qkv" and tensor.numbers is not None:
                pieces = [numpy.split(part.numbers, groups, axis) for part in parts]
                tensor.numbers = numpy.concatenate([piece[g] for g in range(groups) for piece in pieces], axis)
            else:
                tensor.numbers = None
            right = {self.new_name(): tensor}
            self.write([f"{stem}.{part}" for part in "qkv"], right, text)
            self.bind([f"{stem}.{part}" for part in "qkv"], right)

    @staticmethod
    def own_heads(fused, axis, heads, groups, index):
        """The query, key or value heads out of the group order."""
        if fused.numbers is None:
            return None
        per_group = heads // groups
        bounds = [0, per_group, per_group + 1, per_group + 2]
        width = fused.shape[axis] // (heads + 2 * groups)
        return numpy.concatenate([block.take(range(bounds[index] * width, bounds[index + 1] * width), axis)
                                  for block in numpy.split(fused.numbers, groups, axis)], axis)

    def ffn(self):
        stem = self.group("ffn")
        if not stem:
            return
        _, whole, axis = self.families[stem]
        text = ", fused_ffn" + f", axis={axis}" * (axis != 1 or self.random.random() < 0.5)
        if whole and self.untouched(f"{stem}.gu"):
            fused = self.source[f"{stem}.gu"]
            shape = list(fused.shape)
            if self.random.random() < 0.4:
                right = {self.new_name(): Tensor(fused.dtype, shape, fused=fused.fused)}
            else:
                shape[axis] //= 2
                right = {self.new_name(): Tensor(fused.dtype, shape) for _ in "gu"}
            self.write([f"{stem}.gu"], right, text)
            self.bind([f"{stem}.gu"], right)
        elif not whole and self.untouched(f"{stem}.gate", f"{stem}.up"):
            tensor = self.join([self.source[f"{stem}.gate"], self.source[f"{stem}.up"]], axis)
            right = {self.new_name(): Tensor(tensor.dtype, tensor.shape, fused=self.source[f"{stem}.up"].fused)}
            self.write([f"{stem}.gate", f"{stem}.up"], right, text)
            self.bind([f"{stem}.gate", f"{stem}.up"], right)

    def refuse(self):
        """A statement that must be refused whatever stands before it."""
        name = self.take() or "nobody"
        self.lines.append(self.random.choice((
            "nobody -> x", f"{name} -> x, permute=[0, 0]", f"{name}, {name} -> x, axis=7", f"{name} -> x, dtype=float3",
            f"{name} -> x, y", f"no.$LAYER_ID.w -> no2.$LAYER_ID.w", f"{name} x", f"{name} -> x, axis=", "a.* -> b, axis=0")))

    def results(self):
        return {name.strip('"'): self.now[name] for name in self.unread}

    def text(self):
        separator = self.random.choice(("\n", "\n", ";", "\n# a comment\n"))
        return separator.join(self.lines) + "\n"
