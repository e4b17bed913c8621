#!/usr/bin/env python3
"""Compares what the fused macros make with formulas over single rows: formulas.py WORK.

Nothing of the compiler's own oracle is used: for each row of a fused tensor a formula says from which row of which part
it comes, and the files are read by the safetensors library.
"""

import itertools
import json
import os
import shutil
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

OTHER = 3  # extent of the axis that is not fused
HEADS, GROUPS, WIDTH = 12, 4, 2  # 24 query rows, so the width of a head is neither a hidden size over heads nor 1


def group_order(heads, groups, width):
    """fused_qkv: row by row (part, row in the part)."""
    per_group = heads // groups
    for group in range(groups):
        for head in range(group * per_group, (group + 1) * per_group):
            yield from (("q", head * width + i) for i in range(width))
        yield from (("k", group * width + i) for i in range(width))
        yield from (("v", group * width + i) for i in range(width))


def rank_order(parts, degree):
    """fused_qkv_old and fused_ffn: each rank's rows of each part, one part after the other."""
    for rank in range(degree):
        for name, length in parts:
            yield from ((name, row) for row in range(rank * length // degree, (rank + 1) * length // degree))


def fuse(parts, order, axis):
    """The fused tensor: rows taken along `axis` as `order` lists them."""
    return numpy.stack([parts[name].take(row, axis) for name, row in order], axis)


def layout(degree, axis, names):
    rules = [{"match": name, "shard": {str(axis): "tp"}} for name in names]
    return {"schema": "aoa.layout/1", "mesh": {"tp": degree}, "rules": rules}


class Checker:
    def __init__(self, work):
        self.work, self.count = work, 0

    def convert(self, script, source, target, axis, degrees):
        """Converts the tensors of `source`, cut by the first degree, and expects those of `target`, cut by the second.

        A degree of None is a whole checkpoint, which has degree 1.
        """
        self.count += 1
        folder = f"{self.work}/{self.count}"
        os.makedirs(f"{folder}/src")
        command = ["aoac", "convert", "script.aoa", "--source", "src", "--output", "out"]
        for tensors, degree, option in ((source, degrees[0], "--source-layout"), (target, degrees[1], "--target")):
            if degree:
                path = option.strip("-") + ".json"
                with open(f"{folder}/{path}", "w") as file:
                    json.dump(layout(degree, axis, tensors), file)
                command += [option, path]
        for name, tensors in self.files(source, degrees[0], axis):
            save_file({key: numpy.ascontiguousarray(tensor) for key, tensor in tensors.items()}, f"{folder}/src/{name}")
        with open(f"{folder}/script.aoa", "w") as file:
            file.write(script + "\n")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{script}, degrees {degrees}, in {folder}\n{done.stderr}")
        for name, tensors in self.files(target, degrees[1], axis):
            found = load_file(f"{folder}/out/{name}")
            if found.keys() != tensors.keys():
                sys.exit(f"{script}, degrees {degrees}: {name} in {folder} has {list(found)}")
            for key, tensor in tensors.items():
                if not numpy.array_equal(found[key], tensor) or found[key].dtype != tensor.dtype:
                    sys.exit(f"{script}, degrees {degrees}: {key} of {name} in {folder} is\n{found[key]}\nnot\n{tensor}")
        shutil.rmtree(folder)

    @staticmethod
    def files(tensors, degree, axis):
        if not degree:
            yield "model.safetensors", tensors
            return
        for rank in range(degree):
            yield f"rank_{rank:05}.safetensors", {
                name: numpy.split(tensor, degree, axis)[rank] for name, tensor in tensors.items()}


def make_parts(lengths, axis):
    """Tensors of these lengths along `axis`, all elements different."""
    parts, first = {}, 1
    for name, length in lengths:
        size = length * OTHER
        shape = (length, OTHER) if axis == 0 else (OTHER, length)
        parts[name] = numpy.arange(first, first + size, dtype=numpy.int32).reshape(shape)
        first += size
    return parts


def check_qkv(checker, axis):
    lengths = [("q", HEADS * WIDTH), ("k", GROUPS * WIDTH), ("v", GROUPS * WIDTH)]
    parts = make_parts(lengths, axis)
    attributes = f"num_heads={HEADS}, num_key_value_groups={GROUPS}, axis={axis}"
    grouped = {"f": fuse(parts, group_order(HEADS, GROUPS, WIDTH), axis)}
    for degrees in ((None, None), (None, 2), (4, None), (2, 4), (4, 2), (1, 4)):
        checker.convert(f"q, k, v -> f, fused_qkv, {attributes}", parts, grouped, axis, degrees)
        checker.convert(f"f -> q, k, v, fused_qkv, {attributes}", grouped, parts, axis, degrees)
    by_rank = {degree: {"f": fuse(parts, rank_order(lengths, degree or 1), axis)} for degree in (None, 1, 2, 4)}
    for degrees in itertools.product(by_rank, repeat=2):
        old, new = by_rank[degrees[0]], by_rank[degrees[1]]
        checker.convert(f"q, k, v -> f, fused_qkv_old, {attributes}", parts, new, axis, degrees)
        checker.convert(f"f -> q, k, v, fused_qkv_old, {attributes}", old, parts, axis, degrees)
        checker.convert(f"f -> f, fused_qkv_old, {attributes}", old, new, axis, degrees)


def check_three_ranks(checker, axis):
    """Degrees that do not divide each other, with as many groups as heads."""
    heads = 6
    lengths = [("q", heads * WIDTH), ("k", heads * WIDTH), ("v", heads * WIDTH)]
    parts = make_parts(lengths, axis)
    attributes = f"num_heads={heads}, num_key_value_groups={heads}, axis={axis}"
    by_rank = {degree: {"f": fuse(parts, rank_order(lengths, degree), axis)} for degree in (1, 2, 3)}
    for degrees in ((3, 2), (2, 3), (3, 1), (1, 3)):
        old, new = by_rank[degrees[0]], by_rank[degrees[1]]
        checker.convert(f"f -> g, fused_qkv_old, {attributes}", old, {"g": new["f"]}, axis, degrees)
    grouped = {"f": fuse(parts, group_order(heads, heads, WIDTH), axis)}
    checker.convert(f"q, k, v -> f, fused_qkv, {attributes}", parts, grouped, axis, (2, 3))


def check_ffn(checker, axis):
    lengths = [("g", 12), ("u", 12)]
    parts = make_parts(lengths, axis)
    by_rank = {degree: {"f": fuse(parts, rank_order(lengths, degree or 1), axis)} for degree in (None, 1, 2, 3, 4)}
    for degrees in itertools.product(by_rank, repeat=2):
        old, new = by_rank[degrees[0]], by_rank[degrees[1]]
        checker.convert(f"g, u -> f, fused_ffn, axis={axis}", parts, new, axis, degrees)
        checker.convert(f"f -> g, u, fused_ffn, axis={axis}", old, parts, axis, degrees)
        checker.convert(f"f -> f, fused_ffn, axis={axis}", old, new, axis, degrees)


def check_turned(checker):
    """Parts that stand the other way round on the left side: the degree is followed through `^T`."""
    lengths = [("g", 12), ("u", 12)]
    parts = make_parts(lengths, 1)
    turned = {name: part.T for name, part in parts.items()}
    for degree in (1, 2, 3):
        made = {"f": fuse(parts, rank_order(lengths, degree), 1)}
        checker.convert("g^T, u^T -> f, fused_ffn", turned, made, 1, (None, degree))


def main():
    checker = Checker(sys.argv[1])
    for axis in (0, 1):
        check_qkv(checker, axis)
        check_three_ranks(checker, axis)
        check_ffn(checker, axis)
    check_turned(checker)
    print(f"{checker.count} conversions, all rows where the formulas say")


main()
