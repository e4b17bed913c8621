# SPDX-License-Identifier: Apache-2.0
"""The paddle dialect worked out slowly: macros on lists of names, statements on whole arrays.

Independent of the compiler, and written for correct programs only: what upstream
refuses may raise anything here or pass. An element of an array is
(source key, index in that key, casts it went through).
"""

import re
from dataclasses import dataclass, field
from itertools import product
from math import lcm, prod

from arrays import Array, indices, merged, split

MACRO_TAGS = ("fused_qkv_old", "fused_ffn", "fused_qkv")
STATE_SUFFIXES = (".w_0", ".moment1_0", ".moment2_0", ".beta1_pow_acc_0", ".beta2_pow_acc_0")
TOKEN = re.compile(r"""(?P<space>[ \t]+)|(?P<arrow>->)|(?P<mark>[=:\[\],])|(?P<number>\d+)
    |(?P<string>"[^"]*"|'[^']*')|(?P<name>[A-Za-z_][\w.$*^]*)|(?P<newline>[\r\n]+)""", re.VERBOSE)


@dataclass
class Statement:
    left: list
    right: list
    attrs: dict = field(default_factory=dict)

    def mapped(self, left, right=None):
        """The same statement with every name replaced."""
        return Statement([left(name) for name in self.left], [(right or left)(name) for name in self.right], self.attrs)


# Reading.


class Parser:
    """Reads the statements of one string. `name[a:b]` is written out."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"unknown character {text[at]!r} at {at} of {text!r}")
            if match.lastgroup != "space":
                self.tokens.append((match.lastgroup, match.group()))
            at = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self, kind=None, text=None):
        found = self.peek()
        if (kind and found[0] != kind) or (text and found[1] != text):
            raise SyntaxError(f"found {found}, expected {kind} {text}")
        self.at += 1
        return found[1]

    def statements(self):
        found = []
        while self.peek()[0] != "end":
            if self.peek()[0] == "newline":
                self.take()
            else:
                found.append(self.statement())
        return found

    def statement(self):
        left = self.names()
        self.take("arrow")
        right, attrs = self.names(), {}
        while self.peek()[1] == ",":
            self.take()
            name = self.take("name")
            self.take("mark", "=")
            attrs[name] = self.value()
        return Statement(left, right, attrs)

    def names(self):
        found = self.name()
        while self.peek()[1] == "," and self.peek(2)[1] != "=":
            self.take()
            found += self.name()
        return found

    def name(self):
        text = self.take("name")
        if self.peek()[1] != "[":
            return [text]
        self.take()
        first = int(self.take("number"))
        self.take("mark", ":")
        last = int(self.take("number"))
        self.take("mark", "]")
        return [f"{text}_{i}" for i in range(first, last)]

    def value(self):
        kind, text = self.peek()
        self.take()
        return int(text) if kind == "number" else text.strip('"').strip("'")


def parse(texts):
    return [statement for text in texts for statement in Parser(text).statements()]


# Macros.


class Expander:
    """Rewrites macros in upstream's order. `left` and `right` give, for the keys
    of the world on that side of the statements, in how many parts they are cut;
    `right` is None without a destination."""

    def __init__(self, left, right, reverse=False):
        self.left, self.right, self.reverse = left, right, reverse
        self.passes = {"offset": self.offset, "id": self.ids, "star": self.star, "T": self.transpose,
                       "fused_qkv_old": self.qkv_old, "fused_ffn": self.ffn, "fused_qkv": self.qkv}

    def expand(self, statements, passes=None):
        for name, rewrite in self.passes.items():
            if name == "T":
                self.chain(statements)
            if passes is None or name in passes:
                statements = [new for old in statements for new in rewrite(old)]
        return statements

    def offset(self, statement):
        tag = "$LAYER_ID_OFFSET"
        template = next((name for name in statement.left + statement.right if tag in name), None)
        if template is None:
            return [statement]
        return [statement.mapped(lambda name: name.replace(tag, str(i)), lambda name: name.replace(tag, str(i - 1)))
                for (i,) in self.matches(template, [tag], self.left)]

    def ids(self, statement):
        tags = [tag for tag in ("$EXPERT_ID", "$LAYER_ID") if any(tag in name for name in statement.left)]
        if not tags:
            return [statement]
        names, world = (statement.right, self.right) if self.reverse else (statement.left, self.left)
        template = next(name for name in names if tags[0] in name).removesuffix("^T")
        found = self.matches(template, tags, world)
        each = [sorted({match[i] for match in found}) for i in range(len(tags))]

        def fill(name, ids):
            for tag, i in zip(tags, ids):
                name = name.replace(tag, str(i))
            return name

        return [statement.mapped(lambda name: fill(name, ids)) for ids in product(*each)]

    @staticmethod
    def matches(template, tags, keys):
        """The numbers that stand for the tags, one tuple for each key that fits."""
        pattern = re.escape(template)
        for i, tag in enumerate(tags):
            pattern = pattern.replace(re.escape(tag), f"(?P<t{i}>[0-9]+)")
        found = (re.fullmatch(pattern, key) for key in keys or {})
        return sorted(tuple(int(match[f"t{i}"]) for i in range(len(tags))) for match in found if match)

    def star(self, statement):
        def gather(names, world):
            return [name.replace("*", str(found)) for name in names
                    for found in ([i for (i,) in self.matches(name, ["*"], world)] if "*" in name else [name])]
        return [Statement(gather(statement.left, self.left), gather(statement.right, self.right), statement.attrs)]

    def chain(self, statements):
        """Remembers what each name comes from and becomes, to find degrees through temporaries."""
        self.comes_from, self.becomes = {}, {}
        for statement in statements:
            left = [name.removesuffix("^T") for name in statement.left]
            right = [name for name in statement.right if name not in MACRO_TAGS]
            self.comes_from.update((name, left) for name in right)
            self.becomes.update((name, right) for name in left)

    @staticmethod
    def degree(name, steps, world):
        """In how many parts the key is cut that `name` leads to."""
        while world is not None and name not in world and name in steps:
            (name,) = steps[name]
        found = {world[key] for key in (name, *(name + suffix for suffix in STATE_SUFFIXES[:3])) if key in world} \
            if world is not None else set()
        assert len(found) < 2, f"{name} is cut in different ways"
        return found.pop() if found else 1

    def source_degree(self, name):
        return self.degree(name, self.comes_from, self.left)

    def target_degree(self, name):
        return self.degree(name, self.becomes, self.right)

    @staticmethod
    def transpose(statement):
        views = dict.fromkeys(name for name in statement.left if name.endswith("^T"))
        made = [Statement([name[:-2]], [name[:-2] + "_transpose_tmp"], {"permute": "[]"}) for name in views]
        return made + [statement.mapped(lambda name: name[:-2] + "_transpose_tmp" if name in views else name, str)]

    @staticmethod
    def call(statement, tag):
        """(left names, right names, axis, attributes) if the statement carries the tag."""
        if tag not in statement.right:
            return None
        right = [name for name in statement.right if name != tag]
        return statement.left, right, {"axis": statement.attrs.get("axis", 1)}, statement.attrs

    def qkv_old(self, statement):
        call = self.call(statement, "fused_qkv_old")
        if not call:
            return [statement]
        left, right, axis, attrs = call
        heads, groups = attrs["num_heads"], attrs["num_key_value_groups"]

        def part(kind, count):
            return [f"fused_qkv_old_tmp.{kind}_{i}" for i in range(count)]

        def layout(degree):
            return [name for rank in range(degree) for kind, count in (("Q", heads), ("K", groups), ("V", groups))
                    for name in part(kind, count)[rank * count // degree:][:count // degree]]

        return self.regroup(left, right, axis, layout,
                            [part("Q", heads), part("K", groups), part("V", groups)])

    def ffn(self, statement):
        call = self.call(statement, "fused_ffn")
        if not call:
            return [statement]
        left, right, axis, _ = call
        pieces = lcm(self.source_degree(left[0]) if len(left) == 1 else 1,
                     self.target_degree(right[0]) if len(right) == 1 else 1)

        def part(kind):
            return [f"fused_ffn_tmp.{kind}_{i}" for i in range(pieces)]

        def layout(degree):
            return [name for rank in range(degree) for kind in ("GATE", "UP")
                    for name in part(kind)[rank * pieces // degree:][:pieces // degree]]

        return self.regroup(left, right, axis, layout, [part("GATE"), part("UP")])

    def regroup(self, left, right, axis, layout, kinds):
        """Splits by the source's layout and merges by the target's; several names
        on a side are the kinds of parts, each whole and in order."""
        if len(left) > 1:
            whole = ".".join(left) + ".tmp"
            return [Statement(left, [whole], axis), Statement([whole], layout(1), axis),
                    Statement(layout(self.target_degree(right[0])), right, axis)]
        cut = Statement(left, layout(self.source_degree(left[0])), axis)
        if len(right) > 1:
            return [cut] + [Statement(kind, [name], axis) for kind, name in zip(kinds, right)]
        return [cut, Statement(layout(self.target_degree(right[0])), right, axis)]

    def qkv(self, statement):
        call = self.call(statement, "fused_qkv")
        if not call:
            return [statement]
        left, right, axis, attrs = call
        heads, groups = attrs["num_heads"], attrs["num_key_value_groups"]
        names = left if len(left) == 3 else right
        q, k, v = ([f"{name}{i}" for i in range(count)] for name, count in zip(names, (heads, groups, groups)))
        each = heads // groups
        fused = [name for g in range(groups) for name in (*q[g * each:(g + 1) * each], k[g], v[g])]
        if len(left) == 3:
            return [Statement([name], part, axis) for name, part in zip(left, (q, k, v))] \
                + [Statement(fused, right, axis)]
        return [Statement(left, fused, axis)] + [Statement(part, [name], axis) for name, part in zip(right, (q, k, v))]


# Evaluation.


def distinct_offsets(table):
    """In how many parts each key of a table is cut."""
    return table and {key: len({tuple(shard["global_offset"]) for shard in shards}) for key, shards in table.items()}


def without_suffix(key):
    return next(((key.removesuffix(suffix), suffix) for suffix in STATE_SUFFIXES if key.endswith(suffix)), (key, ""))


def turned_round(statement):
    """The statement read right to left."""
    attrs = dict(statement.attrs)
    if attrs.get("permute", "[]") != "[]":
        order = numbers(attrs["permute"])
        attrs["permute"] = str([order.index(axis) for axis in range(len(order))])
    if "src_dtype" in attrs:
        attrs = {"src_dtype": attrs["dst_dtype"], "dst_dtype": attrs["src_dtype"]}
    return Statement(statement.right, statement.left, attrs)


def numbers(text):
    return [int(digits) for digits in re.findall(r"\d+", text)]


class Evaluator:
    """Runs a program on whole arrays of model tensors."""

    def __init__(self, case):
        source, destination = case["source"], case["destination"]
        self.sources = {}
        for key, shards in source.items():
            self.sources.setdefault(without_suffix(key)[0], tuple(shards[0]["global_shape"]))
        self.target_shapes = {}
        for key, shards in (destination or {}).items():
            self.target_shapes.setdefault(without_suffix(key)[0], shards[0]["global_shape"])
        self.bound, self.added, self.removed = {}, set(), set()
        reverse = case.get("aoa_config_reverse", False)
        worlds = [distinct_offsets(source), distinct_offsets(destination)]
        statements = Expander(*(worlds[::-1] if reverse else worlds), reverse).expand(parse(case["statements"]))
        for statement in map(turned_round, reversed(statements)) if reverse else statements:
            self.run(statement)

    def value(self, name):
        if name in self.bound:
            return self.bound[name]
        shape = self.sources[name]
        return Array(shape, tuple((name, index, ()) for index in indices(shape)))

    def result(self, name):
        """The array of a result without the elements of removed tensors, or None if nothing is read."""
        if name not in self.bound and (name in self.added or name not in self.sources):
            return None
        return self.value(name).mapped(lambda item: None if item[0] in self.removed else item)

    def run(self, statement):
        left, right, attrs = statement.left, statement.right, statement.attrs
        if right == ["_"]:
            self.removed.add(left[0])
        elif left == ["_"]:
            self.added.add(right[0])
        elif len(right) > 1:
            self.bound.update(zip(right, split(self.value(left[0]), len(right), attrs["axis"])))
        elif len(left) > 1:
            self.bound[right[0]] = merged([self.value(name) for name in left], attrs["axis"])
        else:
            self.bound[right[0]] = self.one_to_one(self.value(left[0]), right[0], attrs)

    def one_to_one(self, array, name, attrs):
        if "permute" in attrs:
            return array.permuted(numbers(attrs["permute"]) or range(len(array.shape))[::-1])
        dtype = attrs.get("dtype", attrs.get("dst_dtype"))
        if dtype:
            return array.mapped(lambda item: (item[0], item[1], item[2] + (dtype,)))
        if "reshape" in attrs:
            shape = self.target_shapes.get(name, numbers(attrs["reshape"]))
            assert prod(shape) == prod(array.shape), "a reshape keeps the number of elements"
            return array.reshaped(shape)
        return array
