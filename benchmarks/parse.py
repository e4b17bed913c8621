#!/usr/bin/env python3
"""Parses 11,712 plain statements (1.9 MB): parse.py BIN WORK."""

import os
import statistics
import sys

from measure import timed


def main():
    binaries, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    path = f"{work}/plain.aoa"
    with open(path, "w") as file:
        for number in range(11712):
            layer, expert = divmod(number, 256)
            name = f"layers.{layer}.feed_forward.experts.{expert}.projection_block.weight"
            file.write(f"model.{name} -> training.{name}_transposed, permute='[1,0]'\n")
    empty = f"{work}/empty.aoa"
    open(empty, "w").close()
    times = [timed([f"{binaries}/aoac", "check", path])[0] for _ in range(5)]
    start = [timed([f"{binaries}/aoac", "check", empty])[0] for _ in range(5)]
    print(f"{os.path.getsize(path) / 1e6:.1f} MB: {statistics.median(times):.3f} s, an empty script "
          f"{statistics.median(start):.3f} s")


main()
