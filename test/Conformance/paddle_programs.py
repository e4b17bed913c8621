# SPDX-License-Identifier: Apache-2.0
"""Random programs in the paddle dialect, with both ends.

Mostly correct ones, so that there is something to compare; each number of a
program is a seed of its own. A case has the fields of aoa-conformance.json:
source, destination (None: no table), statements, aoa_config_reverse.
"""

import random
from math import prod

EXTENTS = (1, 2, 3, 4, 6, 8, 12)
CASTS = ("float16", "float32", "bfloat16")
STATES = (".w_0", ".moment1_0", ".moment2_0")
COUNTERS = (".beta1_pow_acc_0", ".beta2_pow_acc_0")


def shards_of(shape, dtype, rng):
    """A tensor, whole or cut in equal parts along one axis."""
    axis = rng.randrange(len(shape))
    parts = rng.choice([n for n in (1, 1, 2, 3, 4) if shape[axis] % n == 0])
    local = [extent // parts if i == axis else extent for i, extent in enumerate(shape)]
    return [{"local_shape": local, "global_shape": list(shape), "dtype": dtype,
             "global_offset": [part * local[axis] if i == axis else 0 for i in range(len(shape))]}
            for part in range(parts)]


class Program:
    """Statements, and the shape and dtype that each name has."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.statements, self.now, self.dtype = [], {}, {}
        self.read, self.numNames = set(), 0
        self.hasStates = self.rng.random() < 0.3
        self.isReversed = self.rng.random() < 0.15
        self.source = {}
        for i in range(self.rng.randint(1, 5)):
            self.add_source(i)

    def add_source(self, i):
        rng = self.rng
        shape = self.like() or tuple(rng.choice(EXTENTS) for _ in range(rng.choice((1, 2, 2, 2, 3))))
        if prod(shape) > 200:
            shape = shape[:2] if prod(shape[:2]) <= 200 else shape[:1]
        family = rng.choice(("w", "l.{}.w", "e.{}.w", "l.{}.e.{}.w"))
        name = family.format(*(rng.choice((i, i, i + 7)),) * 2) if "{" in family else f"{family}{i}"
        if name in self.source:
            name = f"x{i}"
        dtype = rng.choice(("float32", "float32", "float32", "bfloat16", "float16"))
        self.source[name] = shards_of(shape, dtype, rng)
        self.now[name], self.dtype[name] = shape, dtype
        if self.hasStates and rng.random() < 0.9:
            for suffix in STATES:
                self.source[name + suffix] = [{**shard, "dtype": "float32"} for shard in self.source[name]]
            for suffix in COUNTERS:
                self.source[name + suffix] = [{"local_shape": [1], "global_shape": [1], "global_offset": [0],
                                               "dtype": "float32"}]

    def like(self):
        """A shape that is there already, so that there are tensors to merge."""
        shapes = list(self.now.values())
        return self.rng.choice(shapes) if shapes and self.rng.random() < 0.6 else None

    def fresh(self):
        self.numNames += 1
        if self.rng.random() < 0.07:
            return self.rng.choice(list(self.now))
        return self.rng.choice(("t{}", "out.{}.w", "m.t{}", "t_{}")).format(self.numNames)

    def pick(self):
        names = [name for name in self.now if name not in self.read] or list(self.now)
        return self.rng.choice(names if self.rng.random() < 0.9 else list(self.now))

    def bind(self, name, shape, dtype):
        self.now[name], self.dtype[name] = tuple(shape), dtype
        self.read.discard(name)

    def statement(self):
        kinds = ["rename", "merge", "merge", "split", "split", "permute", "cast", "axis_rename"]
        if not self.isReversed:
            kinds += ["transpose", "transpose", "ffn", "qkv", "qkv_old", "remove", "ids"]
        getattr(self, self.rng.choice(kinds))()

    def axis_of(self, shape):
        return self.rng.randrange(len(shape)) if self.rng.random() < 0.98 else len(shape)

    def one(self, attribute, shape=None, cast=None, suffix=""):
        left = self.pick()
        right = self.fresh()
        self.statements.append(f"{left}{suffix} -> {right}{attribute}")
        self.read.add(left)
        old = self.now[left]
        self.bind(right, shape(old) if shape else old, cast or self.dtype[left])

    def rename(self):
        self.one("")

    def axis_rename(self):
        self.one(", axis=0")

    def transpose(self):
        self.one("", lambda shape: shape[::-1], suffix="^T")

    def cast(self):
        dtype = self.rng.choice(CASTS)
        if self.isReversed:
            left = self.pick()
            self.statements.append(f"{left} -> t{self.numNames}c, src_dtype='{self.dtype[left]}', dst_dtype='{dtype}'")
            self.read.add(left)
            self.bind(f"t{self.numNames}c", self.now[left], dtype)
            self.numNames += 1
        else:
            self.one(f", dtype='{dtype}'", cast=dtype)

    def permute(self):
        left = self.pick()
        order = list(range(len(self.now[left])))
        self.rng.shuffle(order)
        if self.rng.random() < 0.03:
            order[0] = order[-1]
        text = "[]" if self.rng.random() < 0.2 else str(order)
        right = self.fresh()
        self.statements.append(f"{left} -> {right}, permute=\"{text}\"")
        self.read.add(left)
        old = self.now[left]
        real = list(range(len(old)))[::-1] if text == "[]" else [int(c) for c in text.strip("[]").split(",")]
        self.bind(right, [old[axis] for axis in real], self.dtype[left])

    def merge(self):
        first = self.pick()
        axis = self.axis_of(self.now[first])
        others = [name for name, shape in self.now.items() if name != first and len(shape) == len(self.now[first])
                  and all(a == b for i, (a, b) in enumerate(zip(shape, self.now[first])) if i != axis)]
        if self.rng.random() < 0.03:
            others = [name for name in self.now if name != first]
        if not others:
            return
        parts = [first] + self.rng.sample(others, min(len(others), self.rng.randint(1, 3)))
        self.rng.shuffle(parts)
        suffix = "^T" if not self.isReversed and self.rng.random() < 0.15 else ""
        right = self.fresh()
        self.statements.append(", ".join(name + suffix for name in parts) + f" -> {right}, axis={axis}")
        self.read.update(parts)
        shapes = [self.now[name][::-1] if suffix else self.now[name] for name in parts]
        shape = list(shapes[0])
        if axis < len(shape) and all(axis < len(each) for each in shapes):
            shape[axis] = sum(each[axis] for each in shapes)
        self.bind(right, shape, self.dtype[parts[0]])

    def split(self):
        left = self.pick()
        shape = list(self.now[left])
        axis = self.axis_of(shape)
        extent = shape[axis] if axis < len(shape) else 2
        counts = [n for n in (2, 3, 4, 6) if extent % n == 0 or self.rng.random() < 0.02]
        if not counts:
            return
        parts = [self.fresh() for _ in range(self.rng.choice(counts))]
        if len(set(parts)) != len(parts) or left in parts:
            return
        self.statements.append(f"{left} -> {', '.join(parts)}, axis={axis}")
        self.read.add(left)
        if axis < len(shape):
            shape[axis] //= len(parts)
        for part in parts:
            self.bind(part, shape, self.dtype[left])

    def fused(self, parts, tag, counts):
        """A macro of 1 to 1, n to 1 or 1 to n names."""
        rank2 = [name for name in self.now if len(self.now[name]) <= 2]
        if not rank2:
            return
        axis = 1 if self.rng.random() < 0.7 else 0
        attribute = tag if axis == 1 and self.rng.random() < 0.5 else f"{tag}, axis={axis}"
        form = self.rng.choice(("one", "join", "cut") if tag.split(",")[0] != "fused_qkv" else ("join", "cut"))
        fit = [name for name in rank2 if axis < len(self.now[name])]
        if form == "join":
            self.rng.shuffle(fit)
            left = next(self.joinable(fit, parts, counts, axis), None)
            if not left:
                return
            shape = list(self.now[left[0]])
            shape[axis] = sum(self.now[name][axis] for name in left)
            right = [self.fresh()]
            shapes = [shape]
        else:
            fit = [name for name in fit if self.now[name][axis] % sum(counts) == 0]
            if not fit:
                return
            left = [self.rng.choice(fit)]
            shape = list(self.now[left[0]])
            right = [self.fresh() for _ in range(1 if form == "one" else parts)]
            unit = shape[axis] // sum(counts)
            shapes = [shape] if form == "one" else \
                [[unit * count if i == axis else extent for i, extent in enumerate(shape)] for count in counts]
        if len(set(right)) != len(right):
            return
        self.statements.append(f"{', '.join(left)} -> {', '.join(right)}, {attribute}")
        self.read.update(left)
        for name, each in zip(right, shapes):
            self.bind(name, each, self.dtype[left[0]])

    def joinable(self, names, parts, counts, axis):
        for first in names:
            unit, rest = divmod(self.now[first][axis], counts[0])
            if rest:
                continue
            left = [first]
            for count in counts[1:]:
                left += [name for name in names if name not in left and self.dtype[name] == self.dtype[first]
                         and self.now[name][axis] == unit * count and len(self.now[name]) == len(self.now[first])
                         and all(a == b for i, (a, b) in enumerate(zip(self.now[name], self.now[first]))
                                 if i != axis)][:1]
            if len(left) == parts:
                yield left

    def ffn(self):
        self.fused(2, "fused_ffn", (1, 1))

    def heads(self):
        groups = self.rng.choice((1, 1, 2, 2, 4))
        return groups * self.rng.choice((1, 2, 3)), groups

    def qkv(self):
        heads, groups = self.heads()
        self.fused(3, f"fused_qkv, num_heads={heads}, num_key_value_groups={groups}", (heads, groups, groups))

    def qkv_old(self):
        heads, groups = self.heads()
        self.fused(3, f"fused_qkv_old, num_heads={heads}, num_key_value_groups={groups}", (heads, groups, groups))

    def remove(self):
        name = self.pick()
        self.statements.append(f"{name} -> _" if self.rng.random() < 0.8 else f"_ -> {self.fresh()}")
        self.read.add(name)

    def ids(self):
        """One statement for all layers or experts of the source."""
        names = [name for name in self.source if name in self.now and name not in self.read]
        kind = self.rng.choice(("l", "e"))
        fit = [name for name in names if name.split(".")[0] == kind and name.count(".") == 2]
        if not fit:
            return
        tag = "$LAYER_ID" if kind == "l" else "$EXPERT_ID"
        self.numNames += 1
        base = f"q{self.numNames}"
        suffix = self.rng.choice(("", "^T"))
        self.statements.append(f"{kind}.{tag}.w{suffix} -> {base}.{tag}.w")
        for name in [name for name in self.source if name.split(".")[0] == kind and name.count(".") == 2
                     and name.endswith(".w")]:
            if name not in self.now:
                continue
            self.read.add(name)
            shape = self.now[name][::-1] if suffix else self.now[name]
            self.bind(f"{base}.{name.split('.')[1]}.w", shape, self.dtype[name])

    def destination(self):
        """What is unread, now and then something else, each cut somehow."""
        rng, table = self.rng, {}
        for name in sorted(self.now):
            unread = name not in self.read
            if rng.random() > (0.95 if unread else 0.1):
                continue
            shape, dtype = self.now[name], self.dtype[name]
            if rng.random() < 0.02:
                dtype = rng.choice(CASTS)
            if not shape or min(shape) == 0:
                continue
            table[name] = shards_of(shape, dtype, rng)
            if self.hasStates and rng.random() < 0.8:
                for suffix in STATES[:rng.randint(1, 3)]:
                    table[name + suffix] = [{**shard, "dtype": "float32"} for shard in table[name]]
                if rng.random() < 0.5:
                    table[name + COUNTERS[0]] = [{"local_shape": [1], "global_shape": [1], "global_offset": [0],
                                                  "dtype": "float32"}]
        return table

    def case(self):
        for _ in range(self.rng.randint(1, 8)):
            self.statement()
        case = {"source": self.source, "statements": self.statements, "aoa_config_reverse": self.isReversed}
        if self.isReversed:
            # The way back: the tensors that are made here are the source there.
            table = {name: shards_of(shape, self.dtype[name], self.rng) for name, shape in sorted(self.now.items())
                     if name not in self.read and min(shape, default=0) > 0}
            case["source"], case["destination"] = table, {
                name: shards for name, shards in self.source.items() if not name.endswith(STATES + COUNTERS)}
            if self.rng.random() < 0.2:
                case["destination"] = None
            return case
        case["destination"] = self.destination() if self.rng.random() < 0.7 else None
        return case


def program(seed):
    return Program(seed).case()
