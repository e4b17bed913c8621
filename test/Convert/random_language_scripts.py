# SPDX-License-Identifier: Apache-2.0
"""Random scripts over the whole language: every statement form, templates, bulk renaming, temporaries, states.

`source` maps names to types, `results()` the names that must come out; names are as tensors have them, `spelt` says how a
script writes them. A script may get one statement that must be refused: `expected` is then the set of kinds for it. A
plain script is one of the paddle dialect.
"""

from random_operations import LARGEST, Operations, Type, divisors, numel
from random_refusals import REFUSALS

EXTENTS = (0, 1, 1, 2, 3, 4, 4, 5, 6, 6, 8, 12)
DTYPES = ("F32", "F32", "F32", "BF16", "BF16", "F16", "F64", "F8_E4M3", "F8_E5M2", "I64", "I32", "I16", "U8", "BOOL")


class ScriptMaker:
    def __init__(self, random, dialect="aoa", states=None, length=None):
        self.random, self.plain, self.states = random, dialect == "paddle", states
        self.variables = {} if self.plain else {f"v{i}": random.randint(0, 8) for i in range(random.randint(0, 3))}
        self.config = {} if self.plain else {"heads": random.choice((2, 4)), "deep": {"list": [1, random.randint(0, 6)]}}
        self.operations = Operations(random, self.plain, {**self.variables, "config:heads": self.config.get("heads"),
                                                          "config:deep.list[1]": self.config.get("deep", {}).get("list", [0, 0])[1]})
        self.source, self.twins, self.families = {}, {}, []
        self.qkv_source = self.ffn_source = None
        self.lines, self.fresh, self.expected = [], 0, None
        self.needs_quotes = set()
        self.make_source()
        self.now, self.unread = dict(self.source), set(self.source)
        self.bound, self.copied, self.finished = set(), set(), set()
        kinds = [self.one, self.one, self.one, self.merge, self.merge, self.split, self.split, self.remove, self.swap, self.replace,
                 self.template, self.template, self.template_merge, self.template_remove, self.star, self.array]
        if self.plain:
            kinds += [self.reshape_blocks]
        else:
            kinds += [self.one, self.stack, self.unstack, self.tie, self.copy, self.fill, self.fill_pad, self.optional, self.maybe,
                      self.bulk, self.bulk, self.shift, self.clause, self.template_split, self.star_stack, self.ffn, self.qkv,
                      self.dedup_back, self.grouped_round_trip]
        for _ in range(length or random.choice((1, 1, 2, 2, 3, 4, 6, 9))):
            random.choice(kinds)()
        if random.random() < 0.08:
            self.refuse()

    # Sources.

    def extent(self):
        return self.random.choice(EXTENTS)

    def shape(self, ranks=(0, 1, 1, 2, 2, 2, 3, 4)):
        while True:
            shape = tuple(self.extent() for _ in range(self.random.choice(ranks)))
            if numel(shape) <= LARGEST // 2:
                return shape

    def dtype(self):
        return self.random.choice(DTYPES)

    def type(self, *arguments):
        stateful = self.states is not None and self.random.random() < 0.6
        return Type(self.dtype(), self.shape(*arguments), stateful)

    def add_source(self, name, tensor, fused=None):
        self.source[name] = tensor if fused is None else tensor._replace(fused=fused)

    def make_source(self):
        random = self.random
        forms = ["a{}.w", "b_{}", "c.{}x.bias"]
        if not self.plain:
            forms += ["m{}-n/o", "{}.first", "q {} %", "_"]
        for i in range(random.randint(1, 4)):
            name = random.choice(forms).format(i)
            if name in self.source:
                continue
            self.add_source(name, self.type())
            if random.random() < 0.2:  # another tensor with the same bytes
                twin = f"twin{i}.w"
                self.add_source(twin, self.source[name])
                self.twins[twin] = name
        for stem in random.sample(("l.{}.w", "e{}.up", "deep.{}.k"), random.randint(0, 2)):
            tensor = self.type((1, 2, 2, 3))
            ids = sorted(random.sample(range(12), random.randint(1, 3)))
            names = [stem.format(i) for i in ids]
            for name in names:
                self.add_source(name, tensor)
            self.families.append((stem, ids))
        if random.random() < 0.4 and not self.plain:
            for name in ("blk.old_a.x.w", "blk.old_a.w", "old_a.y", "blk.2.old_a")[: random.randint(1, 4)]:
                self.add_source(name, self.type())
        for i in range(random.choice((0, 0, 1)) if not self.plain else 0):
            self.add_macro_source(i)
        self.needs_quotes = {name for name in self.source if name[0].isdigit() or " " in name or name == "_"}

    def add_macro_source(self, i):
        random = self.random
        axis, dtype, width = random.randint(0, 1), self.dtype(), random.choice((1, 2, 3))
        shape = [self.extent() for _ in range(axis)] + [0] + ([self.extent()] if random.random() < 0.4 else [])
        if random.random() < 0.5:
            heads = random.choice((2, 4))
            groups = random.choice(divisors(heads))
            for part, count in zip("qkv", (heads, groups, groups)):
                shape[axis] = count * width
                # With more ranks than groups, ranks have copies of heads.
                fits = [degree for degree in (1, 2, 4) if heads % degree == 0 and (groups % degree == 0 or degree % groups == 0)]
                self.add_source(f"at{i}.{part}", Type(dtype, tuple(shape)), (axis, fits))
            self.qkv_source = (f"at{i}", heads, groups, axis)
        else:
            shape[axis] = 4 * width
            for part in ("gate", "up"):
                self.add_source(f"ff{i}.{part}", Type(dtype, tuple(shape)), (axis, [1, 2, 4]))
            self.ffn_source = (f"ff{i}", axis)

    # Names.

    def spelt(self, name):
        quote = self.random.choice("\"'")
        if name in self.needs_quotes or (not self.plain and not name.startswith("%") and self.random.random() < 0.05):
            return f"{quote}{name}{quote}"
        return name

    def new_name(self, temporary=0.25):
        self.fresh += 1
        if not self.plain and self.random.random() < temporary:
            return f"%t{self.fresh}"
        forms = ["x{}", "y.{}.z", "out_{}"] + ([] if self.plain else ["w{}-t", "t{}/u", "0.{}", "{} q"])
        name = self.random.choice(forms).format(self.fresh)
        if name[0].isdigit() or " " in name:
            self.needs_quotes.add(name)
        return name

    def live(self, fits=lambda tensor: True):
        return sorted(name for name in self.unread - self.finished if fits(self.now[name]))

    def take(self, fits=lambda tensor: True):
        """A name that nobody has read yet, seldom another one, or None."""
        pool = self.live(fits)
        if self.random.random() < 0.1:
            pool = sorted(name for name in self.now.keys() - self.finished if fits(self.now[name]))
        return self.random.choice(pool) if pool else None

    def write(self, lefts, rights, tail=""):
        arrows = (" -> ",) if self.plain else (" -> ", " -> ", "->", "\n  -> ", " ->\n  ")
        self.lines.append(", ".join(lefts) + self.random.choice(arrows) + ", ".join(rights) + tail)

    def bind(self, lefts, rights, keeps=False):
        if not keeps:
            self.unread -= set(lefts)
        self.now.update(rights)
        self.unread |= set(rights)
        self.bound |= set(rights)

    def left(self, name, chance=0.2):
        """A left name as text, now and then with ^T, and its type as read."""
        tensor = self.now[name]
        if self.random.random() < chance:
            return self.spelt(name) + "^T", tensor.of(tensor.shape[::-1])
        return self.spelt(name), tensor._replace(fused=None)

    def said(self, text, tensors, copies=False, tied=False):
        """`states=` where the statement needs it."""
        needs = copies or tied or self.operations.needs_states(text)
        if needs and any(tensor.stateful for tensor in tensors):
            return f", states={self.random.choice(('copy', 'fresh'))}"
        return ""

    def mixed(self, *parts):
        """Attributes and words in any order that keeps each part together: words have no place of their own."""
        parts = [part for part in parts if part]
        self.random.shuffle(parts)
        return "".join(parts)

    # Statements.

    def one(self):
        name = self.take()
        if not name:
            return
        left, tensor = self.left(name)
        text, made = self.operations.some(tensor, 1 if self.plain else 4)
        if self.plain and left.endswith("^T") and text:
            text, made = "", tensor
        right = name if self.random.random() < 0.1 else self.new_name()
        self.write([left], [self.spelt(right)], text + self.said(text, [made]))
        self.bind([name], {right: made})

    def reshape_blocks(self):
        """Upstream's: rows of the source to blocks or back. What it makes stays as it is: joined or cut it is refused."""
        whole = [name for name in self.live(lambda tensor: len(tensor.shape) in (2, 3, 4) and tensor.size)
                 if self.now[name] is self.source.get(name)]
        if not whole:
            return
        name = self.random.choice(whole)
        tensor = self.now[name]
        if len(tensor.shape) > 2:
            blocks = tensor.shape
        else:
            inner = self.random.choice(divisors(tensor.shape[0]))
            split = self.random.choice(divisors(tensor.shape[1]))
            blocks = (tensor.shape[0] // inner, inner) + self.random.choice(((tensor.shape[1],), (split, tensor.shape[1] // split)))
        right = self.new_name()
        self.write([name], [right], ", reshape=" + self.operations.list(blocks))
        self.bind([name], {right: tensor.of(blocks)})
        self.finished.add(right)

    def operands(self, count, fits):
        """Names that go with each other."""
        first = self.take(lambda tensor: tensor.shape) if fits == "merge" else self.take()
        if not first:
            return None
        like = self.now[first]
        axis = self.random.randrange(len(like.shape)) if fits == "merge" else None

        def beside(tensor):
            same = (tensor.dtype, len(tensor.shape), tensor.stateful) == (like.dtype, len(like.shape), like.stateful)
            return same and all(i == axis or a == b for i, (a, b) in enumerate(zip(tensor.shape, like.shape)))

        names = [first]
        for _ in range(count - 1):
            other = self.take(beside)
            names.append(other if other and self.random.random() < 0.9 else first)
        return names, axis

    def merge(self):
        found = self.operands(self.random.randint(2, 4), "merge")
        if not found:
            return
        names, axis = found
        lefts, tensors = [self.spelt(name) for name in names], [self.now[name] for name in names]
        if self.plain and len({self.uncast(name) for name in names}) > 1:
            return
        extents = [tensor.shape[axis] for tensor in tensors]
        shape = list(tensors[0].shape)
        shape[axis] = sum(extents)
        if numel(shape) > LARGEST:
            return
        rank = len(shape)
        common = [g for g in range(1, 7) if all(extent % g == 0 for extent in extents)]
        parts = [f", axis={self.operations.axis(axis, rank)}"]
        if not self.plain:
            if axis == 0 and self.random.random() < 0.15:
                parts = []
            groups = self.random.choice(common)
            if self.random.random() < 0.4:
                parts.append(f", groups={self.operations.number(groups)}")
                if self.random.random() < 0.4:
                    parts.append(", sizes=" + self.operations.list([extent // groups for extent in extents]))
        text, made = ("", tensors[0].of(shape)) if self.plain else self.operations.some(tensors[0].of(shape), 2, alone=False)
        right = self.new_name()
        self.write(lefts, [self.spelt(right)], self.mixed(*parts) + text + self.said(text, tensors))
        self.bind(names, {right: made})

    def uncast(self, name):
        """What the paddle dialect compares in merges; scripts of that dialect cast what is merged no more."""
        return (self.now[name].dtype, name if name in self.bound else None)

    def cut(self, tensor, count, axis):
        """Attributes of a split and the extents of its parts."""
        extent, operations = tensor.shape[axis], self.operations
        parts = [f", axis={operations.axis(axis, len(tensor.shape))}"]
        groups = 1
        if not self.plain:
            if self.random.random() < 0.35:
                groups = self.random.choice(divisors(extent) or [1, 2])
                parts.append(f", groups={operations.number(groups)}")
            inner = extent // groups
            if inner % count or self.random.random() < 0.4:
                cuts = sorted(self.random.randint(0, inner) for _ in range(count - 1))
                sizes = [b - a for a, b in zip([0, *cuts], [*cuts, inner])]
                parts.append(", sizes=" + operations.list(sizes))
                return parts, [size * groups for size in sizes]
        if extent // groups % count:
            return None
        return parts, [extent // count] * count

    def split(self):
        name = self.take(lambda tensor: tensor.shape)
        if not name:
            return
        left, tensor = self.left(name)
        text, tensor = ("", tensor) if self.plain else self.operations.some(tensor, 2, alone=False)
        if not tensor.shape or self.plain and left.endswith("^T"):
            return
        axis, count = self.random.randrange(len(tensor.shape)), self.random.randint(2, 4)
        found = self.cut(tensor, count, axis)
        if not found:
            return
        parts, extents = found
        rights = [self.new_name() for _ in extents]
        types = [tensor.of([*tensor.shape[:axis], extent, *tensor.shape[axis + 1 :]]) for extent in extents]
        self.cut_statement(name, left, rights, types, text, self.mixed(*parts))

    def cut_statement(self, name, left, rights, types, text, tail):
        shown = [self.spelt(right) for right in rights]
        if not self.plain and self.random.random() < 0.3:
            for i in self.random.sample(range(len(rights)), self.random.randint(1, len(rights) - 1)):
                shown[i] = "_"
        self.write([left], shown, text + tail + self.said(text, [self.now[name]]))
        self.bind([name], {right: made for right, made, word in zip(rights, types, shown) if word != "_"})

    def stack(self):
        found = self.operands(self.random.randint(2, 4), "same")
        if not found:
            return
        names = found[0]
        like = self.now[names[0]]
        axis = self.random.randint(0, len(like.shape))
        shape = [*like.shape[:axis], len(names), *like.shape[axis:]]
        if numel(shape) > LARGEST or len(shape) > 6:
            return
        text, made = self.operations.some(like.of(shape), 2, alone=False)
        right = self.new_name()
        self.write([self.spelt(name) for name in names], [self.spelt(right)],
                   f", stack={self.operations.axis(axis, len(shape))}" + text + self.said(text, [like]))
        self.bind(names, {right: made})

    def unstack(self):
        name = self.take(lambda tensor: any(2 <= extent <= 6 for extent in tensor.shape))
        if not name:
            return
        left, tensor = self.left(name)
        axis = self.random.choice([i for i, extent in enumerate(tensor.shape) if 2 <= extent <= 6])
        rights = [self.new_name() for _ in range(tensor.shape[axis])]
        made = tensor.of([*tensor.shape[:axis], *tensor.shape[axis + 1 :]])
        self.cut_statement(name, left, rights, [made] * len(rights), "", f", unstack={self.operations.axis(axis, len(tensor.shape))}")

    def tie(self):
        """Of twins or of one tensor, seldom of tensors that differ: the run says so then."""
        twins = [(twin, name) for twin, name in self.twins.items() if self.now.get(twin) is self.source[twin]
                 and self.now.get(name) is self.source[name]]
        if twins and self.random.random() < 0.6:
            names = list(self.random.choice(twins))
        elif self.random.random() < 0.1:
            found = self.operands(2, "same")
            names = found and found[0]
        else:
            name = self.take()
            names = name and [name, name]
        if not names:
            return
        like = self.now[names[0]]
        text, made = self.operations.some(like.of(like.shape), 2, alone=False)
        right = self.new_name()
        how = self.random.choice(("verify", "verify", "first", "'verify'"))
        self.write([self.spelt(name) for name in names], [self.spelt(right)], f", tie={how}" + text + self.said(text, [like], tied=True))
        self.bind(names, {right: made})

    def copy(self):
        name = self.take()
        if not name:
            return
        left, tensor = self.left(name)
        text, made = self.operations.some(tensor, 2, alone=False)
        if tensor.stateful and text:  # `fresh` is about all of the copy
            text, made = "", tensor
        rights = [self.new_name() for _ in range(self.random.randint(1, 3))]
        self.write([left], [self.spelt(right) for right in rights],
                   self.mixed(text, ", copy") + self.said(text, [tensor], copies=True))
        self.bind([name], {right: made for right in rights}, keeps=True)
        self.copied.add(name)

    def fill(self):
        shape, dtype = self.shape(), self.dtype()
        right = self.new_name()
        parts = [", shape=" + self.operations.list(shape), ", dtype=" + self.operations.dtype(dtype)]
        if self.random.random() < 0.6:
            parts.append(f", value={self.operations.value(dtype)}")
        self.write(["_"], [self.spelt(right)], self.mixed(*parts))
        self.bind([], {right: Type(dtype, tuple(shape))})

    def fill_pad(self):
        """What a tensor lacks comes from a fill: another way to pad."""
        name = self.take(lambda tensor: tensor.shape and not tensor.stateful)
        if not name:
            return
        like = self.now[name]
        axis = self.random.randrange(len(like.shape))
        shape = list(like.shape)
        shape[axis] = self.random.randint(0, 3)
        made = [*like.shape[:axis], like.shape[axis] + shape[axis], *like.shape[axis + 1 :]]
        right = self.new_name()
        rows = f"%rows{self.fresh}"
        self.write(["_"], [rows], ", dtype=" + self.operations.dtype(like.dtype) + ", shape=" + self.operations.list(shape))
        self.write([self.spelt(name), rows], [self.spelt(right)], f", axis={self.operations.axis(axis, len(made))}")
        self.bind([name], {right: like.of(made)})

    def remove(self):
        names = [name for name in self.live() if name not in self.copied]  # a copy is a use
        if self.plain:
            names = [name for name in names if name in self.source and name not in self.bound]
        if not names:
            return
        gone = self.random.sample(names, 1 if self.plain else min(len(names), self.random.choice((1, 1, 2))))
        self.write([self.spelt(name) for name in gone], ["_"])
        self.forget(gone)

    def forget(self, names):
        self.unread -= set(names)
        for name in names:
            del self.now[name]

    def swap(self):
        one, two = self.take(), self.take()
        if not one or not two or one == two:
            return
        between = self.new_name(0.7)
        self.write([self.spelt(one)], [self.spelt(between)])
        self.write([self.spelt(two)], [self.spelt(one)])
        self.write([self.spelt(between)], [self.spelt(two)])
        self.now[one], self.now[two] = self.now[two], self.now[one]
        self.unread |= {one, two}
        self.bound |= {one, two}

    def replace(self):
        """Binds a name again that was read."""
        names = sorted(name for name in self.now if name not in self.unread and not name.startswith("%"))
        name = self.take()
        if names and name:
            right = self.random.choice(names)
            if right != name:
                self.write([self.spelt(name)], [self.spelt(right)])
                self.bind([name], {right: self.now[name]})

    def optional(self):
        words = self.random.choice((", optional", ", axis=0, optional", ", optional, dtype=F32"))
        if self.random.random() < 0.3:
            name = self.take()
            if name:
                right = self.new_name()
                self.write([self.spelt(name)], [self.spelt(right)], ", optional")
                self.bind([name], {right: self.now[name]})
            return
        lefts = ["nowhere.at.all"]
        if "axis" in words:
            lefts.append(self.spelt(self.random.choice(sorted(self.now))) if self.now else "nor.this")
        self.write(lefts, [f"never{self.fresh}"], words)
        if self.random.random() < 0.3:
            self.lines[-1:] = [f"no.$LAYER_ID.w -> not.$LAYER_ID.w{words.replace(', axis=0', '')}"]

    def maybe(self):
        name = self.take(lambda tensor: tensor.shape)
        if not name:
            return
        lefts = [self.spelt(name) + self.random.choice(("", "?")), "absent.w?"]
        self.random.shuffle(lefts)
        right = self.new_name()
        tensor = self.now[name]
        self.write(lefts, [self.spelt(right)], f", axis={self.operations.axis(self.random.randrange(len(tensor.shape)), len(tensor.shape))}")
        self.bind([name], {right: tensor})

    def dedup_back(self):
        """Repeats and takes back in another statement."""
        name = self.take(lambda tensor: tensor.shape and not tensor.stateful)
        if not name:
            return
        tensor = self.now[name]
        axis = self.random.randrange(len(tensor.shape))
        block, count = self.random.choice(divisors(tensor.shape[axis]) or [1]), self.random.randint(1, 3)
        if tensor.size * count > LARGEST:
            return
        right = self.new_name()
        between = f"%many{self.fresh}"
        words = [self.operations.blocks(word, count, axis, len(tensor.shape), block) for word in ("repeat", "dedup")]
        self.write([self.spelt(name)], [between], words[0])
        self.write([between], [self.spelt(right)], words[1])
        self.bind([name], {right: tensor.of(tensor.shape)})

    def grouped_round_trip(self):
        name = self.take(lambda tensor: tensor.shape)
        if not name:
            return
        tensor = self.now[name]
        axis = self.random.randrange(len(tensor.shape))
        groups = self.random.choice(divisors(tensor.shape[axis]) or [1])
        inner = tensor.shape[axis] // groups
        first = self.random.randint(0, inner)
        right = self.new_name()
        attributes = f", axis={axis}, groups={groups}"
        self.write([self.spelt(name)], [f"%p{self.fresh}", f"%q{self.fresh}"], attributes + f", sizes=[{first}, {inner - first}]")
        self.write([f"%p{self.fresh}", f"%q{self.fresh}"], [self.spelt(right)], attributes)
        self.bind([name], {right: tensor.of(tensor.shape)})

    # Templates.

    def family(self):
        """A family that nobody touched: stem, ids, names, type; or None."""
        whole = [(stem, ids) for stem, ids in self.families
                 if all(self.now.get(stem.format(i)) is self.source[stem.format(i)] and stem.format(i) in self.unread for i in ids)]
        if not whole:
            return None
        stem, ids = self.random.choice(whole)
        names = [stem.format(i) for i in ids]
        return stem, ids, names, self.now[names[0]]

    def placeholder(self):
        return "$LAYER_ID" if self.plain else self.random.choice(("$LAYER_ID", "$EXPERT_ID", "$BLOCK_2_ID", "$(LAYER_ID)"))

    def counterpart(self):
        self.fresh += 1
        return f"n{self.fresh}.{{}}.w"

    def template(self):
        found = self.family()
        if not found:
            return
        stem, ids, names, tensor = found
        turned = "^T" * (self.random.random() < 0.4)
        if turned:
            tensor = tensor.of(tensor.shape[::-1])
        text, made = ("", tensor) if self.plain and turned else self.operations.some(tensor, 1 if self.plain else 2)
        word, right = self.placeholder(), self.random.choice((self.counterpart(), stem))
        self.write([stem.format(word) + turned], [right.format(word)], text + self.said(text, [tensor]))
        self.bind(names, {right.format(i): made for i in ids})

    def template_merge(self):
        found = self.family()
        if not found or not found[3].shape:
            return
        stem, ids, names, tensor = found
        axis, word, right = self.random.randrange(len(tensor.shape)), self.placeholder(), self.counterpart()
        shape = list(tensor.shape)
        shape[axis] *= 2
        if numel(shape) <= LARGEST:
            self.write([stem.format(word)] * 2, [right.format(word)], f", axis={axis}")
            self.bind(names, {right.format(i): tensor.of(shape) for i in ids})

    def template_split(self):
        found = self.family()
        if not found or not found[3].shape:
            return
        stem, ids, names, tensor = found
        axis, word, rights = self.random.randrange(len(tensor.shape)), self.placeholder(), [self.counterpart(), self.counterpart()]
        cut = self.cut(tensor, 2, axis)
        if not cut:
            return
        parts, extents = cut
        self.write([stem.format(word)], [right.format(word) for right in rights], self.mixed(*parts))
        self.bind(names, {right.format(i): tensor.of([*tensor.shape[:axis], extent, *tensor.shape[axis + 1 :]])
                          for right, extent in zip(rights, extents) for i in ids})

    def template_remove(self):
        found = self.family()
        if found and not self.plain and not set(found[2]) & self.copied:
            self.write([found[0].format(self.placeholder())], ["_"])
            self.forget(found[2])

    def star(self):
        found = self.family()
        if not found or not found[3].shape:
            return
        stem, ids, names, tensor = found
        axis, right = self.random.randrange(len(tensor.shape)), self.new_name()
        shape = list(tensor.shape)
        shape[axis] *= len(ids)
        if self.plain and len(ids) == 1:
            return
        if numel(shape) <= LARGEST:
            self.write([stem.format("*")], [self.spelt(right)], f", axis={axis}")
            self.bind(names, {right: tensor.of(shape)})

    def star_stack(self):
        found = self.family()
        if found and found[3].size * len(found[1]) <= LARGEST:
            stem, ids, names, tensor = found
            right = self.new_name()
            self.write([stem.format("*")], [self.spelt(right)], ", stack=0")
            self.bind(names, {right: tensor.of([len(ids), *tensor.shape])})

    def array(self):
        """Cuts in an array of names and joins it again."""
        name = self.take(lambda tensor: any(extent and extent % 2 == 0 for extent in tensor.shape))
        if not name:
            return
        tensor = self.now[name]
        axis = self.random.choice([i for i, extent in enumerate(tensor.shape) if extent and extent % 2 == 0])
        self.fresh += 1
        first = self.random.randint(0, 9)
        array = f"{'%' if not self.plain and self.random.random() < 0.5 else ''}arr{self.fresh}"
        shown = f"{array}[{first}:{first + 2}]" if self.plain else f"{array}[{self.operations.number(first)}:{self.operations.number(first + 2)}]"
        right = self.new_name()
        self.write([self.spelt(name)], [shown], f", axis={axis}")
        self.write([shown], [self.spelt(right)], f", axis={axis}")
        self.bind([name], {right: tensor.of(tensor.shape)})

    def shift(self):
        """Every id one more; the names that the others had are read before they are bound."""
        found = self.family()
        if not found:
            return
        stem, ids, names, tensor = found
        by = self.random.choice((1, 2))
        left, right = self.random.choice((("$LAYER_ID", f"${{LAYER_ID+{by}}}"), (f"${{LAYER_ID - {by}}}", "$LAYER_ID")))
        self.write([stem.format(left)], [stem.format(right)])
        self.unread -= set(names)
        for name in names:
            self.now[name] = tensor._replace()  # still there, read
        moved = {stem.format(i + by): tensor.of(tensor.shape) for i in ids}
        self.bind([], moved)
        self.families = [family for family in self.families if family[0] != stem]

    def clause(self):
        found = self.family()
        if not found:
            return
        stem, ids, names, tensor = found
        right = self.counterpart()
        kept = [i for i in ids if self.random.random() < 0.7] or ids[:1]
        way = self.random.choice(("range", "set", "not"))
        if way == "range":
            low, high = self.operations.number(kept[0]), self.operations.number(kept[-1])
            kept = [i for i in ids if kept[0] <= i <= kept[-1]]
            clause = f", $LAYER_ID in {low}..{high}, optional"
        elif way == "set":
            clause = ", $LAYER_ID in {" + ", ".join(map(str, kept)) + "}"
        else:
            others = [i for i in ids if i not in kept]
            if not others:
                return
            clause = ", $LAYER_ID not in {" + ", ".join(map(str, others)) + "}"
        self.write([stem.format("$LAYER_ID")], [right.format("$LAYER_ID")], clause)
        self.bind([stem.format(i) for i in kept], {right.format(i): tensor.of(tensor.shape) for i in kept})

    def bulk(self):
        """All live names with `old_a` as a segment."""
        names = [name for name in self.live() if "old_a" in name.split(".") and not name.startswith("%")]
        if not names or any(name in self.needs_quotes for name in names):
            return
        self.fresh += 1
        new = f"new{self.fresh}"
        rename = {name: name.replace("old_a", new) for name in names}
        self.write(["$$A.old_a.$$B"], [f"$$A.{new}.$$B"], self.random.choice(("", "", ", $$A shortest", ", $$B longest")))
        self.bind(names, {right: self.now[left].of(self.now[left].shape) for left, right in rename.items()})

    # Macros.

    def untouched(self, names):
        return all(self.now.get(name) is self.source[name] and name in self.unread for name in names)

    def ffn(self):
        stem, axis = self.ffn_source or (None, None)
        names = [f"{stem}.gate", f"{stem}.up"]
        if stem and self.untouched(names):
            like, right = self.source[names[0]], self.new_name(0)
            shape = list(like.shape)
            shape[axis] *= 2
            self.write(names, [self.spelt(right)], f", fused_ffn, axis={axis}")
            self.bind(names, {right: like.of(shape)._replace(fused=like.fused)})

    def qkv(self):
        stem, heads, groups, axis = self.qkv_source or (None,) * 4
        names = [f"{stem}.{part}" for part in "qkv"]
        if stem and self.untouched(names):
            like, right = self.source[names[0]], self.new_name(0)
            shape = list(like.shape)
            shape[axis] = sum(self.source[name].shape[axis] for name in names)
            tag = self.random.choice(("fused_qkv", "fused_qkv_old"))
            self.write(names, [self.spelt(right)], self.random.choice((
                f", {tag}, num_heads={self.operations.number(heads)}, num_key_value_groups={groups}, axis={axis}",
                f", axis={axis}, num_key_value_groups={groups}, num_heads={heads}, {tag}")))
            self.bind(names, {right: like.of(shape)._replace(fused=like.fused)})

    # What must be refused.

    def refuse(self):
        """Adds a statement that is wrong whatever stands before it."""
        wrong = [each for each in REFUSALS if each.plain or not self.plain]
        for _ in range(20):
            refusal = self.random.choice(wrong)
            name = self.take(refusal.fits)
            if name:
                tensor = self.now[name]
                self.lines.append(refusal.statement(self.spelt(name), tensor, self.random))
                self.expected = refusal.kinds
                return

    # What there is.

    def results(self):
        return {name: self.now[name] for name in self.unread if not name.startswith("%")}

    def text(self):
        if self.plain:
            return "\n".join(self.lines) + "\n"
        text = ""
        for line in self.lines:
            text += line + self.random.choice(("\n", "\n", "\n", " ;\n", "; ", "\n# a comment\n", "  # -> of the end\n\n"))
        return text + "\n"
