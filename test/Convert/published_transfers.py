#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves random data between published layouts: published_transfers.py WORK LAYOUTS_JSON.

For each of `transfers` and each row of `planner_counts` the target's files must hold what its layout says, and the plan
no more pieces than the smallest of the counts given. As many pieces are needed where the hidden size is 8 times larger:
the other dimensions, and for columns the width of what is cut as well.
"""

import copy
import os
import random
import sys

from rank_files import number_of, rank_file, read_json, read_tensors, run, write_json, write_tensors

SEED, GROWTH = 41, 8


def even_parts(extent, degree):
    """Near-even parts as (begin, extent)."""
    sizes = [extent // degree + (i < extent % degree) for i in range(degree)]
    return [(sum(sizes[:i]), size) for i, size in enumerate(sizes)]


def axis_layout(shape, axis, ranks):
    """Ranks hold parts of one axis, each a list of (begin, extent), as a layout of layouts.json has it."""
    rows, columns = shape
    layout = {"logical_shape": shape, "axis": axis, "degree": len(ranks), "ranks": {}}
    for rank, parts in enumerate(ranks):
        total, at, pieces = sum(extent for _, extent in parts), 0, []
        local = [total, columns] if axis == 0 else [rows, total]
        for begin, extent in parts:
            if axis == 0:
                piece = [extent, columns], [begin * columns, [columns, 1]], [at * columns, [columns, 1]]
            else:
                piece = [rows, extent], [begin, [columns, 1]], [at, [total, 1]]
            pieces.append(dict(zip(("shape", "source", "dest"), piece)))
            at += extent
        layout["ranks"][str(rank)] = {"shard_shape": local, "pieces": pieces}
    return layout


def family(name, n):
    """The layouts that `planner_counts` counts between."""
    if name == "row_even_8x8":
        return axis_layout([8, 8], 0, [[part] for part in even_parts(8, n)])
    if name == "row_uneven_11x8":
        return axis_layout([11, 8], 0, [[part] for part in even_parts(11, n)])
    if name == "column_8x24":
        return axis_layout([8, 24], 1, [[part] for part in even_parts(24, n)])
    if name == "replicated_5x6":
        return axis_layout([5, 6], 0, [[(0, 5)]] * n)
    if name == "sub_params_12x8":
        return axis_layout([12, 8], 0, [[a, (8 + b, c)] for a, (b, c) in zip(even_parts(8, n), even_parts(4, n))])
    if name == "bigcode_48x8":
        return axis_layout([48, 8], 0, [[part, (32, 16)] for part in even_parts(32, n)])
    if name == "gather_8x64":
        return axis_layout([8, 64], 1, [[(8 * head, 8) for head in range(rank, 8, n)] for rank in range(n)])
    if name == "codegen_96x4":
        block = 96 // (12 * n)
        order = [3 * n * group + n * part + sub for group in range(4) for sub in range(n) for part in range(3)]
        return axis_layout([96, 4], 0, [[(block * b, block) for b in order[12 * r : 12 * r + 12]] for r in range(n)])
    sys.exit(f"no family {name}")


def grown(layout, inner):
    """`layout` with every element a row of GROWTH, or (outer) GROWTH times as many rows in front."""
    layout = copy.deepcopy(layout)
    shape = layout["logical_shape"]
    outer_strides = number_of(shape)
    for held in layout["ranks"].values():
        local = held["shard_shape"]
        size = number_of(local)
        for piece in held["pieces"]:
            for side, stride in (("source", outer_strides), ("dest", size)):
                offset, strides = piece[side]
                if inner:
                    piece[side] = [GROWTH * offset, [*(GROWTH * s for s in strides), 1]]
                else:
                    piece[side] = [offset, [stride, *strides]]
            piece["shape"] = [*piece["shape"], GROWTH] if inner else [GROWTH, *piece["shape"]]
        axis = len(local) - 1 if inner else 0
        local[axis] *= GROWTH
    shape[len(shape) - 1 if inner else 0] *= GROWTH
    return layout


def elements_of(held):
    """Address in the tensor by address in the shard."""
    found = {}
    for piece in held["pieces"]:
        (begin, strides), (at, steps) = piece["source"], piece["dest"]
        pairs = [(begin, at)]
        for extent, stride, step in zip(piece["shape"], strides, steps):
            pairs = [(a + i * stride, b + i * step) for a, b in pairs for i in range(extent)]
        for address, place in pairs:
            assert place not in found
            found[place] = address
    return [found[place] for place in range(number_of(held["shard_shape"]))]


def elements(layout):
    return {rank: elements_of(held) for rank, held in layout["ranks"].items()}


def layout_file(path, layout):
    ranks = {
        rank: {
            "shape": held["shard_shape"],
            "pieces": [{"shape": p["shape"], "full": p["source"], "shard": p["dest"]} for p in held["pieces"]],
        }
        for rank, held in layout["ranks"].items()
    }
    rule = {"match": "w", "shape": layout["logical_shape"], "pieces": ranks}
    return write_json(path, {"schema": "aoa.layout/1", "mesh": {"tp": layout["degree"]}, "rules": [rule]})


def shards_of(layout, data):
    """What each rank that holds something has, of whole bytes `data` of 2-byte elements."""
    shards = {}
    for rank, held in layout["ranks"].items():
        if number_of(held["shard_shape"]):
            content = b"".join(data[2 * i : 2 * i + 2] for i in elements_of(held))
            shards[int(rank)] = {"w": ("U16", held["shard_shape"], content)}
    return shards


def count_pieces(at, source, target):
    """Moves random elements and returns how many pieces the plan had."""
    os.makedirs(f"{at}/source")
    data = random.Random(SEED).randbytes(2 * number_of(source["logical_shape"]))
    shards = shards_of(source, data)
    for rank in range(source["degree"]):
        write_tensors(rank_file(f"{at}/source", rank), shards.get(rank, {}))
    from_file = layout_file(f"{at}/source.json", source)
    to_file = layout_file(f"{at}/target.json", target)
    run("aoac", "convert", "--source", f"{at}/source", "--source-layout", from_file, "--target", to_file, "--output",
        f"{at}/out", "--stats", f"{at}/stats.json")
    for rank, shard in shards_of(target, data).items():
        if read_tensors(rank_file(f"{at}/out", rank)) != shard:
            sys.exit(f"{at}: rank {rank} holds the wrong elements")
    return read_json(f"{at}/stats.json")["pieces"]


def check(at, source, target, limit):
    found = count_pieces(at, source, target)
    if not 1 <= found <= limit:
        sys.exit(f"{at}: {found} pieces, expected at most {limit}")
    for inner in (True, False):
        # Rows in front repeat a cut of rows: they grow only what is not cut.
        if inner or source["axis"] == target["axis"] == 1:
            larger = count_pieces(f"{at}-{'inner' if inner else 'outer'}", grown(source, inner), grown(target, inner))
            if larger != found:
                sys.exit(f"{at}: {larger} pieces where it is {GROWTH} times as large, {found} before")


def main():
    work, path = sys.argv[1:]
    golden = read_json(path)
    layouts = {layout["id"]: layout for layout in golden["layouts"]}
    for layout in layouts.values():
        for held in layout["ranks"].values():
            assert elements_of(held) == held["indices"]
    for row in golden["transfers"]:
        counts = [row[k] for k in ("segments_before_merge", "segments_after_merge", "count_structured_fold", "count_spec_composer")]
        check(f"{work}/{row['source']}-to-{row['target']}", layouts[row["source"]], layouts[row["target"]], min(counts))
    assert elements(family("codegen_96x4", 4)) == elements(layouts["codegen_96x4_tp4"])
    # No layout of 8 ranks is in the file, but the counts are published: folding first is the shortest.
    codegen = {"family": "codegen_96x4", "boxes": 96, "merged": 88, "spec_composer": 40, "structured": 8}
    rows = golden["planner_counts"] + [{**codegen, "source": a, "target": b} for a, b in ((4, 8), (8, 4))]
    for row in rows:
        limit = min(row[k] for k in ("boxes", "merged", "spec_composer", "structured"))
        name, source, target = row["family"], row["source"], row["target"]
        check(f"{work}/{name}-{source}-to-{target}", family(name, source), family(name, target), limit)
    print(f"seed {SEED}: {len(golden['transfers'])} transfers, {len(rows)} pairs of degrees")


main()
