"""Random statements without macros, with what numpy makes of them."""

import numpy
from random_sources import LIKE_TEMPORARIES, SourceMaker, Tensor

FLOATS = ("F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2")
PYTHON_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
                "F8_E5M2": "float8_e5m2"}
WIDER = {"BOOL": ("U8", "I32"), "U8": ("I16", "I64"), "I16": ("I32", "I64"), "I32": ("I64",), "I64": ()}


class StatementMaker(SourceMaker):
    """Adds statements to `lines`; `now` maps names to what they mean after the last of them."""

    def __init__(self, random, plain):
        super().__init__(random, plain)
        self.now, self.unread, self.removed = dict(self.source), set(self.source), set()
        self.bound, self.given = set(), set()
        self.lines, self.fresh = [], 0

    # Names.

    def new_name(self):
        self.fresh += 1
        name = self.random.choice(LIKE_TEMPORARIES)
        if self.random.random() < 0.1 and name not in self.now and name not in self.source and name not in self.given:
            self.given.add(name)  # a statement may ask for several before it binds them
            return name
        forms = ("x{}", "y.{}.z", "out_{}") + (() if self.plain else ("w{}-t", '"{} q"', "t{}/u"))
        return self.random.choice(forms).format(self.fresh)

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
        arrow = self.random.choice((" -> ", "->") if self.plain else (" -> ", " -> ", "->", "\n  -> "))
        self.lines.append(", ".join(lefts) + arrow + ", ".join(rights) + tail)

    def bind(self, lefts, rights):
        self.unread -= set(lefts)
        self.now.update(rights)
        self.unread |= set(rights)
        self.bound |= set(rights)

    # What follows the names of a one-to-one statement: a permute, a cast, both or neither.

    def then(self, tensor, at_least=0):
        text = ""
        for kind in self.random.sample(("permute", "cast"), self.random.randint(at_least, 1 if self.plain else 2)):
            if kind == "permute" and tensor.shape:
                order = list(range(len(tensor.shape)))
                self.random.shuffle(order)
                shown = list(order)
                if self.random.random() < 0.2:
                    order, shown = list(range(len(order)))[::-1], []
                text += f", permute={shown}" if self.random.random() < 0.7 and not self.plain else f', permute="{shown}"'
                tensor = tensor.mapped([tensor.shape[i] for i in order], lambda n, order=order: n.transpose(order))
            elif kind == "cast":
                dtype = self.castable(tensor.dtype)
                if dtype:
                    tensor, text = self.as_cast(tensor, dtype), text + self.cast_text(tensor.dtype, dtype)
        return tensor, text

    def castable(self, dtype):
        choices = FLOATS if dtype in FLOATS else WIDER.get(dtype, ())
        if self.plain:
            choices = ("F32", "F16", "BF16") if dtype in FLOATS else ()
        return self.random.choice(choices) if choices else None

    def cast_text(self, old, new):
        if self.plain:
            old, new = PYTHON_NAMES[old], PYTHON_NAMES[new]
            return self.random.choice((f", dtype='{new}'", f', src_dtype="{old}", dst_dtype="{new}"'))
        spelt = PYTHON_NAMES.get(new, new) if self.random.random() < 0.5 else new
        if self.random.random() < 0.3:
            return f", src_dtype={old}, dst_dtype='{spelt}'"
        return self.random.choice((f", dtype={spelt}", f", dtype='{spelt}'"))

    def as_cast(self, tensor, dtype):
        exact = dtype in ("F64", "I64", tensor.dtype)
        return Tensor(dtype, tensor.shape, tensor.numbers if exact else None, uncast=tensor.uncast)

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
            tensor, text = self.then(tensor, at_least=1)
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
            same = tensor.dtype == first.dtype and (tensor.uncast == first.uncast or not self.plain)
            return same and len(tensor.shape) == len(first.shape) and all(
                a == b or i == axis for i, (a, b) in enumerate(zip(tensor.shape, first.shape)))

        names = [name]
        for _ in range(self.random.randint(0, 3)):
            other = self.take(beside)
            if other and (other not in names or self.random.random() < 0.1):
                names.append(other)
        if len(names) == 1:
            return self.rename()
        tensor = self.join([self.now[name] for name in names], axis)
        tensor, text = (tensor, "") if self.plain else self.then(tensor)
        right = {self.new_name(): tensor}
        self.write(names, right, self.axis_text(axis, len(first.shape)) + text)
        self.bind(names, right)

    def join(self, tensors, axis):
        shape = list(tensors[0].shape)
        shape[axis] = sum(tensor.shape[axis] for tensor in tensors)
        known = all(tensor.numbers is not None for tensor in tensors)
        numbers = numpy.concatenate([tensor.numbers for tensor in tensors], axis) if known else None
        return Tensor(tensors[0].dtype, shape, numbers, uncast=tensors[0].uncast)

    def axis_text(self, axis, rank):
        return f", axis={axis - rank if self.random.random() < 0.3 and not self.plain else axis}"

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
            if self.random.random() < 0.3 and not self.plain:
                dtype = self.castable(tensor.dtype)
                if dtype:
                    tensor, text = self.as_cast(tensor, dtype), self.cast_text(tensor.dtype, dtype)
            rights = {self.new_name(): part for part in self.cut(tensor, axis, count)}
            self.write([left], rights, text + self.axis_text(axis, len(tensor.shape)))
            self.bind([name], rights)

    def remove(self):
        name = self.random.choice(sorted(set(self.source) & self.unread) or [None])
        # The paddle dialect removes tensors of the source only, not what a statement binds to such a name.
        if name and not (name in self.bound and self.plain):
            self.write([name], ["_"])
            self.unread.discard(name)
            self.removed.add(name)
            del self.now[name]

    def swap(self):
        one, two = self.take(), self.take()
        if one and two and one != two:
            temporary = self.new_name()
            between = "\n" if self.plain else "; "
            self.lines += [f"{one} -> {temporary}{between}{two} -> {one}", f"{temporary} -> {two}"]
            self.now[one], self.now[two] = self.now[two], self.now[one]
            self.unread |= {one, two}
            self.bound |= {one, two}

    def replace(self):
        """Binds a name of the source again after it was read."""
        names = sorted(set(self.source) - self.unread - self.removed)
        name = self.take()
        if names and name:
            right = {self.random.choice(names): self.now[name]}
            if name not in right:
                self.write([name], right)
                self.bind([name], right)
