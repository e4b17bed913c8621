# SPDX-License-Identifier: Apache-2.0
"""Every operation of a statement against a formula for each element: operations.py WORK.

Nothing of the compiler's own oracle is used: a formula gives the element of a result from its index, and the files are
read here. Each statement runs alone, whole and with axis 0 of its result cut over several ranks where that divides.
"""

import itertools
import os
import shutil
import struct
import sys

from rank_files import number_of, read_tensors, run, write_json, write_tensors

SHAPES = {"a": [4, 6, 2], "b": [4, 6, 2], "v": [6], "e": [0, 3], "one": [1]}


def strides(shape):
    return [number_of(shape[i + 1 :]) for i in range(len(shape))]


def numbered(name):
    """Elements that no other element of any tensor has."""
    first = 1000 * (1 + sorted(SHAPES).index(name))
    return [float(first + i) for i in range(number_of(SHAPES[name]))]


DATA = {name: numbered(name) for name in SHAPES}


def at(name, *index):
    return DATA[name][sum(i * s for i, s in zip(index, strides(SHAPES[name])))]


def flat(name, position):
    return DATA[name][position]


# Statement, and for each result its shape and the element at an index.
CASES = [
    ("a -> x, _, z, axis=1, sizes=[1, 2, 3]", {"x": ([4, 1, 2], lambda i, j, k: at("a", i, j, k)),
                                               "z": ([4, 3, 2], lambda i, j, k: at("a", i, j + 3, k))}),
    ("a -> x, y, axis=1, groups=3, sizes=[2, 0]", {"x": ([4, 6, 2], lambda i, j, k: at("a", i, j, k)),
                                                   "y": ([4, 0, 2], lambda i, j, k: None)}),
    ("a -> x, y, axis=1, groups=3", {"x": ([4, 3, 2], lambda i, j, k: at("a", i, 2 * j, k)),
                                     "y": ([4, 3, 2], lambda i, j, k: at("a", i, 2 * j + 1, k))}),
    ("a, b -> x, axis=1, groups=3", {"x": ([4, 12, 2], lambda i, j, k: at("ab"[j % 4 // 2], i, j // 4 * 2 + j % 2, k))}),
    ("a, b -> x, stack=1, permute=[1, 0, 2, 3]", {"x": ([2, 4, 6, 2], lambda n, i, j, k: at("ab"[n], i, j, k))}),
    ("v -> x, _, _, w, _, y, unstack=-1", {"x": ([], lambda: at("v", 0)), "w": ([], lambda: at("v", 3)),
                                           "y": ([], lambda: at("v", 5))}),
    ("v -> x, stack=-1, stack=0", {"x": ([1, 6, 1], lambda i, j, k: at("v", j))}),
    ("a, a -> x, tie=verify", {"x": ([4, 6, 2], lambda i, j, k: at("a", i, j, k))}),
    ("a, b -> x, tie=first, permute=[]", {"x": ([2, 6, 4], lambda i, j, k: at("a", k, j, i))}),
    ("a -> x, y, copy, permute=[2, 0, 1]", {"x": ([2, 4, 6], lambda i, j, k: at("a", j, k, i)),
                                            "y": ([2, 4, 6], lambda i, j, k: at("a", j, k, i)),
                                            "a": ([4, 6, 2], lambda i, j, k: at("a", i, j, k))}),
    ("a^T -> x, copy", {"x": ([2, 6, 4], lambda i, j, k: at("a", k, j, i)),
                        "a": ([4, 6, 2], lambda i, j, k: at("a", i, j, k))}),
    ("a -> x, reshape=[3, -1]", {"x": ([3, 16], lambda i, j: flat("a", 16 * i + j))}),
    ('a -> x, rearrange="(h p) d c -> (p h) c d", p=2',
     {"x": ([4, 2, 6], lambda i, j, k: at("a", i % 2 * 2 + i // 2, k, j))}),
    ('a -> x, slice="1:3, :, 1:"', {"x": ([2, 6, 1], lambda i, j, k: at("a", i + 1, j, k + 1))}),
    ("a -> x, pad=[[1, 2], [0, 1], [0, 0]], value=0.5",
     {"x": ([7, 7, 2], lambda i, j, k: at("a", i - 1, j, k) if 1 <= i < 5 and j < 6 else 0.5)}),
    ("e -> x, pad=[[2, 1], [0, 0]]", {"x": ([3, 3], lambda i, j: 0.0)}),
    ("a -> x, pad=[[0, 3], [0, 0], [0, 0]], value=last", {"x": ([7, 6, 2], lambda i, j, k: at("a", min(i, 3), j, k))}),
    ("one -> x, pad=[[0, 2]], value='last'", {"x": ([3], lambda i: at("one", 0))}),
    ("a -> x, repeat=3, axis=1, block=2", {"x": ([4, 18, 2], lambda i, j, k: at("a", i, j // 6 * 2 + j % 2, k))}),
    ("a -> %r, repeat=3, axis=-2, block=2; %r -> x, dedup=3, axis=1, block=2",
     {"x": ([4, 6, 2], lambda i, j, k: at("a", i, j, k))}),
    ("a -> x, scale=0.5, plus=-1, permute=[1, 0, 2]", {"x": ([6, 4, 2], lambda i, j, k: at("a", j, i, k) / 2 - 1)}),
    ("_ -> x, value=1.5, dtype=F32, shape=[5, 3]", {"x": ([5, 3], lambda i, j: 1.5)}),
    ("a, b -> x, repeat=2, axis=2, block=1, axis=0",
     {"x": ([8, 6, 4], lambda i, j, k: at("ab"[i // 4], i % 4, j, k // 2))}),
]


def expected(shape, formula):
    elements = [formula(*index) for index in itertools.product(*(range(n) for n in shape))]
    return struct.pack(f"<{len(elements)}f", *elements)


def check(folder, statement, results, ranks):
    name = "full" if ranks == 1 else f"of{ranks}"
    command = ["aoac", "convert", f"{folder}/script.aoa", "--source", f"{folder}/src", "--output", f"{folder}/{name}"]
    if ranks > 1:
        rules = [{"match": key, **({"shard": {"0": "tp"}} if shape else {})} for key, (shape, _) in results.items()]
        command += ["--target", write_json(f"{folder}/{name}.json", {"schema": "aoa.layout/1", "mesh": {"tp": ranks},
                                                                     "rules": rules})]
        command += [word for key in results for word in ("--include", key)]
    run(*command)
    paths = sorted(os.path.join(at_folder, file) for at_folder, _, names in os.walk(f"{folder}/{name}")
                   for file in names if file.endswith(".safetensors"))
    assert len(paths) == ranks, paths
    found = [read_tensors(path) for path in paths]
    for key, (shape, formula) in results.items():
        whole = expected(shape, formula)
        cut = len(whole) // ranks if shape and ranks > 1 else len(whole)
        for rank in range(ranks):
            part = whole[rank * cut : (rank + 1) * cut] if shape else whole
            if found[rank][key][2] != part:
                sys.exit(f"{statement}: `{key}` of rank {rank} in {folder}/{name} is not what the formula says")


def main():
    work, count = sys.argv[1], 0
    for number, (statement, results) in enumerate(CASES):
        folder = f"{work}/{number}"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f"{folder}/src")
        write_tensors(f"{folder}/src/model.safetensors",
                      {name: ("F32", shape, struct.pack(f"<{len(DATA[name])}f", *DATA[name]))
                       for name, shape in SHAPES.items()})
        with open(f"{folder}/script.aoa", "w", encoding="utf-8") as file:
            file.write(statement.replace("; ", "\n") + "\n")
        extents = [shape[0] for shape, _ in results.values() if shape]
        for ranks in (1, 2, 3, 7):
            if ranks == 1 or all(extent % ranks == 0 for extent in extents):
                check(folder, statement, results, ranks)
                count += 1
    print(f"{count} conversions, every element what the formulas say")


main()
