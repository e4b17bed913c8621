#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tensors alike but for their names are one class: layout_classes.py WORK.

Two tensors `a` and `b` are compiled alike, and then with one thing of `b` changed at a time. Alike they share a class, and
each region of `b` a class of the plan with that of `a`; changed they share none. (Plans look at storages only: regions whose
bytes are moved alike share a class there whatever the shapes.)
"""

import json
import os
import subprocess
import sys

ROWS = {"shard": {"0": "tp"}}
SOURCE = {"shard": {"1": "tp"}}


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


class Pair:
    """What is compiled: `b` as `a` but for what a case changes."""

    def __init__(self, work):
        os.makedirs(work)
        self.work = work
        self.dtype, self.shape, self.source, self.target, self.statement = "F32", [8, 4], SOURCE, ROWS, ""

    def layout(self, end, of_b):
        rules = [{"match": "b*", **of_b}, {"match": "*", **(SOURCE if end == "source" else ROWS)}]
        return write_json(f"{self.work}/{end}.json", {"schema": "aoa.layout/1", "mesh": {"tp": 2}, "rules": rules})

    def compile(self):
        """Returns the statistics, and for each of the two results the classes of its regions in the plan."""
        tensors = [{"name": "a", "dtype": "F32", "shape": [8, 4]}, {"name": "b", "dtype": self.dtype, "shape": self.shape}]
        catalog = write_json(f"{self.work}/source-tensors.json", {"schema": "aoa.catalog/1", "tensors": tensors})
        with open(f"{self.work}/script.aoa", "w") as file:
            file.write(self.statement)
        command = ["aoac", "compile", f"{self.work}/script.aoa", "--source", catalog, "--source-layout",
                   self.layout("source", self.source), "--target", self.layout("target", self.target), "--emit", "plan-json",
                   "-o", f"{self.work}/plan.json", "--stats", f"{self.work}/stats.json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        with open(f"{self.work}/stats.json") as file:
            stats = json.load(file)
        with open(f"{self.work}/plan.json") as file:
            regions = [region for target in json.load(file)["targets"] for region in target["regions"]]
        classes = [[r["class"] for r in regions if r["tensor"].startswith(name)] for name in "ab"]
        return stats, classes


CASES = {
    "dtype": {"dtype": "F16"},
    "dtype of the same width": {"dtype": "I32"},
    "shape": {"shape": [10, 4]},
    "shape of as many elements": {"shape": [4, 8]},
    "dimensions": {"shape": [8, 4, 1]},
    "source cut": {"source": {"shard": {"0": "tp"}}},
    "source whole": {"source": {"replicate": True}},
    "source scale": {"source": {**SOURCE, "scale": 2}},
    "source pieces": {
        "source": {
            "shape": [8, 4],
            "pieces": {
                str(r): {"shape": [8, 2], "pieces": [{"shape": [8, 2], "full": [r, [4, 2]], "shard": [0, [2, 1]]}]}
                for r in range(2)
            },
        }
    },
    "target cut": {"target": {"shard": {"1": "tp"}}},
    "target sizes": {"target": {**ROWS, "sizes": {"0": [5, 3]}}},
    "target segments": {"target": {**ROWS, "segments": {"0": 2}}},
    "target flat": {"target": {"flatten": {"over": "tp", "align": 5}}},
    "target scale": {"target": {**ROWS, "scale": 0.5}},
    "statement": {"statement": "b^T -> b2\n"},
    "cast": {"statement": "b -> b2, dtype=BF16\n"},
    "cast and back": {"statement": "b -> b1, dtype=BF16\nb1 -> b2, dtype=F32\n"},
}
# Where the bytes of both are moved alike, only the classes of the layout differ.
ALIKE_IN_STORAGE = ("dimensions", "shape of as many elements")


def main():
    work = sys.argv[1]
    stats, (a, b) = Pair(f"{work}/alike").compile()
    if stats["classes"] != 1 or 2 * stats["distinct_pieces"] != stats["pieces"] or a != b or len(a) != 2:
        sys.exit(f"alike: {stats}, plan classes {a} and {b}")
    renamed = Pair(f"{work}/renamed")
    renamed.statement = "b -> b.weight\n"
    stats, (a, b) = renamed.compile()
    if stats["classes"] != 1 or a != b:
        sys.exit(f"renamed: {stats}, plan classes {a} and {b}")
    for number, (name, changes) in enumerate(CASES.items()):
        pair = Pair(f"{work}/{number}")
        for field, value in changes.items():
            setattr(pair, field, value)
        stats, (a, b) = pair.compile()
        if stats["classes"] != 2 or stats["distinct_pieces"] != stats["pieces"]:
            sys.exit(f"{name}: {stats}")
        if name not in ALIKE_IN_STORAGE and set(a) & set(b) or not a or not b:
            sys.exit(f"{name}: plan classes {a} and {b}")
    print(f"one class alike, two in each of {len(CASES)} cases")


main()
