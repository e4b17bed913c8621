#!/usr/bin/env python3
"""Permutes the axes of tensors of all element sizes and ranks, and compares with numpy: transposes.py WORK.

Shapes lie around the blocks in which the runtime moves elements, and --memory is so small that tensors are made in many
tiles, whose borders fall inside rows.
"""

import itertools
import os
import subprocess
import sys

import numpy
from random import Random
from safetensors.numpy import load_file, save_file

DTYPES = {1: numpy.uint8, 2: numpy.int16, 4: numpy.int32, 8: numpy.int64}
SHAPES = {
    1: [(1,), (17,), (4099,)],
    2: [(1, 9), (7, 1), (3, 5), (8, 8), (16, 64), (15, 17), (31, 33), (63, 65), (129, 127), (257, 3), (2, 1025)],
    3: [(3, 5, 7), (1, 17, 33), (33, 1, 9), (16, 16, 16), (2, 65, 31), (65, 3, 4)],
    4: [(2, 3, 5, 7), (9, 1, 8, 17), (4, 4, 4, 4)],
    5: [(2, 3, 1, 5, 7), (3, 2, 4, 3, 5)],
}
LARGE = {1: (2048, 1536), 2: (1023, 1537), 4: (769, 1023), 8: (512, 769)}  # about 3 MiB each


def orders(random, rank):
    """All orders of up to three axes, some of more."""
    every = list(itertools.permutations(range(rank)))
    return every if rank <= 3 else random.sample(every, 8)


def main():
    work = sys.argv[1]
    os.makedirs(f"{work}/src")
    random, numbers = Random(5), numpy.random.default_rng(5)
    sources, statements, expected = {}, [], {}

    def add(name, tensor):
        sources[name] = tensor
        for order in orders(random, tensor.ndim):
            result = f"{name}.to." + "_".join(map(str, order))
            if order == tuple(range(tensor.ndim))[::-1] and random.random() < 0.5:
                statements.append(f"{name}^T -> {result}")
            else:
                statements.append(f"{name} -> {result}, permute={list(order)}")
            expected[result] = tensor.transpose(order)

    for size, dtype in DTYPES.items():
        limits = numpy.iinfo(dtype)
        for shape in [shape for rank in SHAPES.values() for shape in rank]:
            name = f"b{size}." + "_".join(map(str, shape))
            add(name, numbers.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True))
        add(f"large{size}", numbers.integers(limits.min, limits.max, LARGE[size], dtype=dtype, endpoint=True))
    # Orders that follow each other, and transposed parts inside a merge.
    statements += ["b4.2_3_5_7 -> t1, permute=[3, 0, 2, 1]", "t1^T -> t2", "t2 -> twice, permute=[2, 0, 3, 1]",
                   "b8.31_33^T, b8.31_33^T -> beside, axis=1"]
    expected["twice"] = sources["b4.2_3_5_7"].transpose(3, 0, 2, 1).transpose().transpose(2, 0, 3, 1)
    expected["beside"] = numpy.concatenate([sources["b8.31_33"].T] * 2, 1)

    save_file(sources, f"{work}/src/model.safetensors")
    with open(f"{work}/script.aoa", "w") as file:
        file.write("\n".join(statements) + "\n")
    for memory, threads in (("256KiB", "1"), ("1MiB", "3"), ("64MiB", "2")):
        done = subprocess.run(["aoac", "convert", f"{work}/script.aoa", "--source", f"{work}/src", "--output", f"{work}/out",
                               "--overwrite", "--memory", memory, "--threads", threads], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        found = load_file(f"{work}/out/model.safetensors")
        if found.keys() != expected.keys():
            sys.exit(f"results are {sorted(found.keys() ^ expected.keys())} too many or too few")
        for name, tensor in expected.items():
            if found[name].dtype != tensor.dtype or not numpy.array_equal(found[name], tensor):
                sys.exit(f"{name} with --memory {memory} is\n{found[name]}\nnot\n{tensor}")
    print(f"{len(expected)} permuted tensors, all as numpy has them")


main()
