#!/usr/bin/env python3
"""Moves a vocabulary between tensor parallel degrees that pad it differently, with every padded source row poisoned.

vocabulary_padding.py WORK LAYOUTS_JSON: for each row of `vocab_transfer_counts` the source's padding is overwritten with
NaNs. The result must be the rows that were there and zeros, in no more pieces than the file says, which is never more than the two degrees together,
and in as many where rows are 8 times as long.
"""

import json
import os
import struct
import subprocess
import sys

COLUMNS = 3
ROW_BYTES = 4 * COLUMNS
POISON = b"\xff" * ROW_BYTES


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}")


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def padded_rows(vocabulary, degree):
    return -(-vocabulary // degree)


def model_file(work, vocabulary, columns=COLUMNS):
    tensors = [{"name": "embed", "dtype": "F32", "shape": [vocabulary, columns]}]
    return write_json(f"{work}/model{columns}.json", {"schema": "aoa.catalog/1", "tensors": tensors})


def layout_file(work, vocabulary, degree, columns=COLUMNS):
    rule = {"match": "*", "shard": {"0": "tp"}, "pad": {"0": {"multiple": degree}}, "shape": [vocabulary, columns]}
    layout = {"schema": "aoa.layout/1", "mesh": {"tp": degree}, "rules": [rule]}
    return write_json(f"{work}/tp{degree}-{columns}.json", layout)


def count_pieces(work, vocabulary, source, target, columns):
    """How many pieces a plan has that moves rows of `columns` elements."""
    run("aoac", "compile", "--source", model_file(work, vocabulary, columns), "--source-layout",
        layout_file(work, vocabulary, source, columns), "--target", layout_file(work, vocabulary, target, columns),
        "-o", f"{work}/plan", "--stats", f"{work}/stats.json")
    with open(f"{work}/stats.json") as file:
        return json.load(file)["pieces"]


def rank_file(directory, rank):
    return f"{directory}/rank_{rank:05}.safetensors"


def data_of(path):
    """The bytes behind the header, and where they begin."""
    with open(path, "rb") as file:
        content = file.read()
    (header,) = struct.unpack_from("<Q", content)
    return content[8 + header :], 8 + header


def poison(directory, vocabulary, degree):
    rows = padded_rows(vocabulary, degree)
    poisoned = 0
    for rank in range(degree):
        first = max(0, min(rows, vocabulary - rank * rows))
        path = rank_file(directory, rank)
        _, begin = data_of(path)
        with open(path, "r+b") as file:
            file.seek(begin + first * ROW_BYTES)
            file.write(POISON * (rows - first))
        poisoned += rows - first
    return poisoned


def main():
    work, layouts = sys.argv[1:]
    os.makedirs(work)
    with open(layouts) as file:
        counts = json.load(file)["vocab_transfer_counts"]
    poisoned = 0
    for count, row in enumerate(counts):
        vocabulary, source, target = row["vocab"], row["source_tp"], row["target_tp"]
        at = f"{work}/{count}"
        os.makedirs(at)
        catalog = model_file(at, vocabulary)
        source_layout = layout_file(at, vocabulary, source)
        target_layout = layout_file(at, vocabulary, target)
        run("aoac-mkckpt", catalog, "--layout", source_layout, "--output", f"{at}/source")
        poisoned += poison(f"{at}/source", vocabulary, source)
        run("aoac", "convert", "--source", f"{at}/source", "--source-layout", source_layout, "--target", target_layout,
            "--output", f"{at}/out", "--stats", f"{at}/stats.json", "--verify")

        # Elements are numbered from 1.
        values = struct.pack(f"<{vocabulary * COLUMNS}f", *range(1, vocabulary * COLUMNS + 1))
        rows = padded_rows(vocabulary, target)
        expected = values + bytes(ROW_BYTES) * (rows * target - vocabulary)
        found = b"".join(data_of(rank_file(f"{at}/out", rank))[0] for rank in range(target))
        if found != expected:
            sys.exit(f"{row}: the result is not the rows of the source and zeros")
        with open(f"{at}/stats.json") as file:
            pieces = json.load(file)["pieces"]
        if not 1 <= pieces <= min(row["copies"], source + target):
            sys.exit(f"{row}: {pieces} pieces")
        larger = count_pieces(at, vocabulary, source, target, 8 * COLUMNS)
        if larger != pieces:
            sys.exit(f"{row}: {larger} pieces for rows that are 8 times as long, {pieces} before")
    if poisoned == 0:
        sys.exit("nothing was poisoned")
    print(f"{len(counts)} transfers, {poisoned} poisoned rows, none of them read")


main()
