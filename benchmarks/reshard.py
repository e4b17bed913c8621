#!/usr/bin/env python3
"""Reshards 2 GiB from TP 4 to TP 2 against `cp` of the same bytes: reshard.py BIN WORK [GIB] [ROUNDS]."""

import json
import os
import shutil
import statistics
import subprocess
import sys

from measure import timed, touch_free_memory


def write_model(work, gib):
    """Writes a catalog of `gib` GiB of BF16 matrices, half of them cut by rows and half by columns, and two layouts."""
    tensors = [
        {"name": f"layers.{layer}.{kind}.weight", "dtype": "BF16", "shape": [8192, 8192]}
        for layer in range(4 * gib)
        for kind in ("row", "column")
    ]
    layout = {
        "schema": "aoa.layout/1",
        "rules": [
            {"match": "*.row.weight", "shard": {"0": "tp"}},
            {"match": "*.column.weight", "shard": {"1": "tp"}},
        ],
    }
    for name, value in (
        ("model", {"schema": "aoa.catalog/1", "tensors": tensors}),
        ("tp4", {**layout, "mesh": {"tp": 4}}),
        ("tp2", {**layout, "mesh": {"tp": 2}}),
    ):
        with open(f"{work}/{name}.json", "w") as file:
            json.dump(value, file)


def main():
    binaries, work = sys.argv[1:3]
    gib = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    if os.path.exists(work):
        sys.exit(f"{work} exists; a benchmark removes its folder at the end, so give the name of a new one")
    os.makedirs(work)
    write_model(work, gib)
    subprocess.run([f"{binaries}/aoac-mkckpt", f"{work}/model.json", "--layout", f"{work}/tp4.json", "--output",
                    f"{work}/source"], check=True)

    output = f"{work}/output"
    convert = [f"{binaries}/aoac", "convert", "--source", f"{work}/source", "--source-layout", f"{work}/tp4.json",
               "--target", f"{work}/tp2.json", "--output", output]
    copy = ["cp", "-r", "--reflink=never", f"{work}/source", output]
    ratios, peaks = [], []
    for number in range(rounds + 1):
        seconds = {}
        pair = [("aoac", convert), ("cp", copy)]
        for name, command in pair if number % 2 else reversed(pair):  # who goes second may wait for write-back
            touch_free_memory((gib << 30) + (gib << 28))
            seconds[name], peak = timed(command)
            if name == "aoac":
                peaks.append(peak)
            shutil.rmtree(output)
        if number == 0:
            continue  # warms the page cache
        ratios.append(seconds["aoac"] / seconds["cp"])
        print(f"aoac {seconds['aoac']:.2f} s, cp {seconds['cp']:.2f} s, ratio {ratios[-1]:.2f}")
    print(f"ratio min {min(ratios):.2f} median {statistics.median(ratios):.2f} max {max(ratios):.2f}; "
          f"peak RssAnon {max(peaks) / 2**20:.0f} MiB")
    shutil.rmtree(work)


main()
