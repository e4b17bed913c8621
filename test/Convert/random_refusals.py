# SPDX-License-Identifier: Apache-2.0
"""Statements that must be refused, with the kinds of error that say so.

Each is about a tensor that exists: its name as a script writes it, and its type.
"""

from dataclasses import dataclass
from typing import Callable

from random_operations import FLOATS


def always(tensor):
    return True


def ranked(tensor):
    return bool(tensor.shape)


def filled(tensor):
    return tensor.shape and 0 not in tensor.shape


def plain_state(tensor):
    return not tensor.stateful


@dataclass
class Refusal:
    kinds: set
    text: str
    fits: Callable = always
    plain: bool = False  # Refused by the paddle dialect, too, for the same reason.

    def statement(self, name, tensor, random):
        rank = len(tensor.shape)
        words = {"a": name, "rank": rank, "beyond": rank + random.randint(0, 2),
                 "colons": ", ".join(":" * (rank + 1)), "pairs": [[0, 1]] * (rank + 1), "first": tensor.shape[0] if rank else 0,
                 "more": (tensor.shape[0] if rank else 0) + 1, "size": tensor.size + 1}
        return self.text.format(**words)


REFUSALS = [
    Refusal({"unknown-name"}, "nobody.at.all -> wrong", plain=True),
    Refusal({"unknown-name"}, "{a}, nobody.at.all -> wrong, axis=0", ranked, plain=True),
    Refusal({"many-to-many", "wrong-arity"}, "{a}, {a} -> wrong1, wrong2, axis=0", ranked, plain=True),
    Refusal({"wrong-permutation"}, '{a} -> wrong, permute="[0, 0]"', plain=True),
    Refusal({"wrong-permutation"}, "{a} -> wrong, permute=[{beyond}]"),
    Refusal({"axis-out-of-range"}, "{a}, {a} -> wrong, axis={beyond}", plain=True),
    Refusal({"axis-out-of-range"}, "{a} -> wrong1, wrong2, axis={beyond}", plain=True),
    Refusal({"axis-out-of-range"}, "{a} -> wrong1, wrong2, axis=-1 - {rank}"),
    Refusal({"missing-axis"}, "{a} -> wrong1, wrong2", plain=True),
    Refusal({"uneven-split"}, "{a} -> wrong1, wrong2, axis=0, sizes=[0, {more}]", ranked),
    Refusal({"uneven-split"}, "{a} -> wrong1, wrong2, axis=0, sizes=[{first}]", ranked),
    Refusal({"uneven-split"}, "{a} -> wrong1, wrong2, axis=0, groups={more}", filled),
    Refusal({"unequal-merge"}, "{a} -> %u, reshape=[{first}, -1, 1]; %u, {a} -> wrong, axis=1",
            lambda tensor: filled(tensor) and len(tensor.shape) < 3),
    Refusal({"unequal-merge"}, "{a}, {a}^T -> wrong, stack=0", lambda tensor: tensor.shape != tensor.shape[::-1]),
    Refusal({"unequal-tie"}, "{a}, {a}^T -> wrong, tie=verify", lambda tensor: plain_state(tensor) and tensor.shape != tensor.shape[::-1]),
    Refusal({"refused-cast"}, "{a} -> wrong, dtype=F32", lambda tensor: tensor.dtype not in FLOATS),
    Refusal({"refused-cast"}, "{a} -> wrong, dtype=I64", lambda tensor: tensor.dtype in FLOATS),
    Refusal({"unknown-cast-dtype"}, "{a} -> wrong, dtype='float3'", plain=True),
    Refusal({"dtype-mismatch"}, "{a} -> wrong, src_dtype=F8_E8M0, dst_dtype=F32"),
    Refusal({"wrong-reshape"}, "{a} -> wrong, reshape=[{size}]"),
    Refusal({"wrong-reshape"}, "{a} -> wrong, reshape=[-1, 0]"),
    Refusal({"wrong-reshape"}, "{a} -> wrong, reshape=[-1, -1]"),
    Refusal({"wrong-rearrange"}, '{a} -> wrong, rearrange="a b c d e f g -> g f e d c b a"'),
    Refusal({"wrong-rearrange"}, '{a} -> wrong, rearrange="(h p) ... -> ... h", h=1', ranked),
    Refusal({"wrong-rearrange"}, '{a} -> wrong, rearrange="(h p) ... -> ... h p", h={more}, p=2', filled),
    Refusal({"wrong-slice"}, '{a} -> wrong, slice="{first}:"', filled),
    Refusal({"wrong-slice"}, '{a} -> wrong, slice="{colons}"', lambda tensor: 0 not in tensor.shape),
    Refusal({"wrong-slice"}, '{a} -> wrong, slice="0:{more}"', filled),
    Refusal({"wrong-pad"}, "{a} -> wrong, pad={pairs}", plain_state),
    Refusal({"wrong-pad", "attribute-value"}, "{a} -> wrong, pad=[[0, -1]]", plain_state),
    Refusal({"wrong-number"}, "{a} -> wrong, pad=[], value=0.3",
            lambda tensor: not tensor.shape and plain_state(tensor) and tensor.dtype != "F64"),
    Refusal({"wrong-number"}, "_ -> wrong, shape=[2], dtype=I16, value=40000"),
    Refusal({"wrong-number"}, "_ -> wrong, shape=[2], dtype=BF16, value=0.1"),
    Refusal({"missing-attribute"}, "{a} -> wrong, repeat=2, axis=0", lambda tensor: ranked(tensor) and plain_state(tensor)),
    Refusal({"uneven-repeat"}, "{a} -> wrong, repeat=2, axis=0, block={more}", lambda tensor: filled(tensor) and plain_state(tensor)),
    Refusal({"uneven-repeat"}, "{a} -> wrong, dedup={more}, axis=0, block=1", filled),
    Refusal({"wrong-number"}, "{a} -> wrong, scale=0", lambda tensor: tensor.dtype in FLOATS and plain_state(tensor)),
    Refusal({"refused-cast", "wrong-number"}, "{a} -> wrong, scale=2",
            lambda tensor: tensor.dtype not in FLOATS and plain_state(tensor)),
    Refusal({"state-operation"}, "{a} -> wrong, scale=0.5", lambda tensor: tensor.dtype in FLOATS and tensor.stateful),
    Refusal({"state-operation"}, "{a} -> wrong, repeat=2, axis=0, block=1", lambda tensor: filled(tensor) and tensor.stateful),
    Refusal({"removed-and-used"}, "{a} -> _; {a} -> wrong"),
    Refusal({"lost-binding"}, "{a} -> wrong; _ -> wrong, shape=[], dtype=F32"),
    Refusal({"unknown-attribute"}, "{a} -> wrong, permut=[]"),
    Refusal({"unknown-attribute"}, "{a} -> wrong, value=3"),
    Refusal({"one-operation"}, "{a}, {a} -> wrong, stack=0, tie=first"),
    Refusal({"one-operation"}, "{a}, {a} -> wrong, permute=[], stack=0"),
    Refusal({"duplicate-attribute"}, "{a}, {a} -> wrong, axis=0, axis=0", ranked),
    Refusal({"misplaced-discard"}, "{a} -> _, _, axis=0", ranked),
    Refusal({"unmatched-template"}, "no.such.$LAYER_ID.w -> wrong.$LAYER_ID"),
    Refusal({"missing-placeholder"}, "{a}, no.such.$LAYER_ID.w -> wrong, axis=0", ranked),
    Refusal({"star-without-match"}, "no.such.*.w -> wrong, axis=0"),
    Refusal({"right-transpose"}, "{a} -> wrong^T", plain=True),
    Refusal({"left-to-caller", "add-without-type"}, "_ -> wrong"),
    Refusal({"add-without-type", "missing-attribute"}, "_ -> wrong, dtype=F32"),
    Refusal({"unknown-variable", "expression-fault"}, "{a} -> ${{nothing}}"),
    Refusal({"expression-fault"}, "{a}, {a} -> wrong, axis=1/0", ranked),
    Refusal({"expression-fault"}, "{a}, {a} -> wrong, axis=9223372036854775807 + 1", ranked),
    Refusal({"empty-array"}, "{a} -> wrong[3:3], axis=0", ranked),
    Refusal({"reserved-word"}, "{a} -> macro"),
    Refusal({"syntax-error"}, "{a} wrong", plain=True),
    Refusal({"syntax-error"}, "{a} -> wrong, axis=", plain=True),
    Refusal({"several-stars", "star-without-match"}, "no.*.such.* -> wrong, axis=0"),
]
