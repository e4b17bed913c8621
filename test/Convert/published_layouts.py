#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts random data by every published layout and rebuilds it: published_layouts.py WORK LAYOUTS_JSON.

Every layout is said three ways: as the field `pieces`, as an affine map, and as ordinary fields where such exist. Each
rank's file must hold the elements that the file's `indices` name, and the rebuilt checkpoint the bytes there were before;
affine maps that are exported say the same, holders included.
All layouts of one degree are tensors of one model.
"""

import os
import random
import struct
import sys

from rank_files import number_of, overwrite, rank_file, read_json, read_tensors, refuse, run, write_json, write_tensors

SEED = 20260
BALANCED = {"shard": {"0": "tp"}, "chunk": "balanced"}
COLUMN, ROW = {"shard": {"0": "tp"}}, {"shard": {"1": "tp"}}
# What ordinary fields say; the others are heads in an order of their own, which only pieces say.
FIELDS = {
    "col_even_8x8_tp2": COLUMN,
    "col_even_8x8_tp4": COLUMN,
    "row_even_8x8_tp4": ROW,
    "row_even_8x24_tp4": ROW,
    "col_uneven_10x8_tp4": BALANCED,
    "row_uneven_5x10_tp3": {"shard": {"-1": "tp"}, "chunk": "balanced"},
    "grain_50x4_tp4_g8": {**COLUMN, "sizes": {"0": [16, 16, 8, 10]}},
    "kv3_qproj_24x4_tp2": {**COLUMN, "sizes": {"0": [16, 8]}},
    "bias_col_10_tp4": BALANCED,
    "conv2d_oc_10x6_tp4": {**COLUMN, "sizes": {"0": [2, 2, 3, 3]}},
    "replicated_5x6_tp4": {"replicate": True},
    "bias_scaled_16_tp4": {"replicate": True, "scale": "1/tp"},
    "vocab_padded_16x4_tp4_orig13": {**COLUMN, "pad": {"0": {"multiple": 4}}, "shape": [13, 4]},
    "vocab_uneven_13x4_tp4": BALANCED,
    "swiglu_24x8_tp4": {**COLUMN, "segments": {"0": 2}},
    "qkv_mha_24x8_tp2": {**COLUMN, "segments": {"0": 3}},
    "qkv_gqa_16x8_tp2": {**COLUMN, "segments": {"0": [8, 4, 4]}},
    "qkv_chatglm2_24x16_tp2": {**COLUMN, "segments": {"0": [16, 4, 4]}},
    "qkv_mqa_kv1_12x4_tp2": {**COLUMN, "segments": {"0": 3}, "sizes": {"0": [[4, 0], [4, 0], [4, 0]]}},
    "qkv_parity_15x8_tp3": {**BALANCED, "segments": {"0": [7, 5, 3]}},
    "subparam_view3d_4x6x8_tp2": {"shard": {"1": "tp"}, "segments": {"1": [4, 2]}},
    "bloom_qkv_24x8_tp2": COLUMN,
    "autoep_uniform_8x3x2_ep4": COLUMN,
    "autoep_uniform_8x3x2_ep2": COLUMN,
}


def pieces_field(layout):
    """The layout's own pieces as a rule's field."""
    ranks = {
        rank: {
            "shape": held["shard_shape"],
            "pieces": [{"shape": p["shape"], "full": p["source"], "shard": p["dest"]} for p in held["pieces"]],
        }
        for rank, held in layout["ranks"].items()
    }
    return {"shape": layout["logical_shape"], "pieces": ranks, "scale": layout.get("scale", 1)}


def as_map(layouts):
    entries = {
        layout["id"]: {
            "logical_shape": layout["logical_shape"],
            "ranks": {rank: {k: held[k] for k in ("shard_shape", "pieces")} for rank, held in layout["ranks"].items()},
        }
        for layout in layouts
    }
    return {"version": 1, "params": entries}


def as_layout(degree, rules):
    return {
        "schema": "aoa.layout/1",
        "mesh": {"tp": degree},
        "rules": [{"match": name, **fields} for name, fields in rules.items()],
    }


def random_floats(random, count):
    """Bit patterns that are kept by multiplying with a power of two and back: normal, far from the ends."""
    return [
        struct.pack("<I", random.getrandbits(1) << 31 | random.randint(16, 238) << 23 | random.getrandbits(23))
        for _ in range(count)
    ]


def scaled(element, scale):
    return struct.pack("<f", struct.unpack("<f", element)[0] * scale) if scale != 1 else element


def expected_shards(layout, elements):
    """What each rank's tensor must be, from the layout's indices. What lies behind `elements` is padding."""
    scale = layout.get("scale", 1)
    shards = {}
    for rank, held in layout["ranks"].items():
        if held["indices"]:
            data = (scaled(elements[i], scale) if i < len(elements) else bytes(4) for i in held["indices"])
            shards[int(rank)] = ("F32", held["shard_shape"], b"".join(data))
    return shards


def check(work, way, layouts, target, inputs):
    """Extracts `layouts` from the whole tensors `inputs` as `target` says, and rebuilds them."""
    at = f"{work}/{way}"
    os.makedirs(f"{at}/full")
    whole = {name: ("F32", shape, b"".join(elements)) for name, (shape, elements) in inputs.items()}
    write_tensors(f"{at}/full/model.safetensors", whole)
    path = write_json(f"{at}/target.json", target)
    run("aoac", "convert", "--source", f"{at}/full", "--target", path, "--output", f"{at}/ranks", "--verify")

    expected = {}
    for layout in layouts:
        for rank, shard in expected_shards(layout, inputs[layout["id"]][1]).items():
            expected.setdefault(rank, {})[layout["id"]] = shard
    for rank, shards in expected.items():
        found = read_tensors(rank_file(f"{at}/ranks", rank))
        if found != shards:
            wrong = [name for name in shards.keys() | found.keys() if found.get(name) != shards.get(name)]
            sys.exit(f"{at}: rank {rank} holds wrong {wrong}")

    # Padding is no part of a tensor, whatever stands there.
    for layout in layouts:
        size = len(inputs[layout["id"]][1])
        for rank, held in layout["ranks"].items():
            for position, index in enumerate(held["indices"]):
                if index >= size:
                    overwrite(rank_file(f"{at}/ranks", int(rank)), layout["id"], 4 * position, b"\xff" * 4)
    run("aoac", "convert", "--source", f"{at}/ranks", "--source-layout", path, "--output", f"{at}/back", "--verify")
    if read_tensors(f"{at}/back/model.safetensors") != whole:
        sys.exit(f"{at}: what was rebuilt is not what was cut")
    return len(layouts)


def relation(entry):
    """What an affine map says of a tensor: (rank, address in its shard) -> (address in the tensor, holders, scale)."""
    found = {}
    for rank, held in entry["ranks"].items():
        for piece in held["pieces"]:
            (begin, strides), (at, steps) = piece["source"], piece["dest"]
            pairs = [(begin, at)]
            for extent, stride, step in zip(piece["shape"], strides, steps):
                pairs = [(a + i * stride, b + i * step) for a, b in pairs for i in range(extent)]
            for address, place in pairs:
                if (int(rank), place) in found:
                    sys.exit(f"rank {rank} holds two elements at {place}")
                found[int(rank), place] = address, piece["locations"], piece.get("scale", 1)
    return found


def check_exported(work, way, layouts):
    """The affine map of what `way` extracted is the published one, element by element, and reads the files."""
    published, at = as_map(layouts)["params"], f"{work}/{way}"
    for boxes in ([], ["--boxes"]):
        # DeepSpeed has no boxes for a transposed shard.
        kept = [layout for layout in layouts if not boxes or layout["family"] != "transposed"]
        path = f"{at}/exported{'-boxes' * len(boxes)}.json"
        target = read_json(f"{at}/target.json")
        target["rules"] = [rule for rule in target["rules"] if rule["match"] in {layout["id"] for layout in kept}]
        full = write_json(f"{at}/kept.json", {"schema": "aoa.catalog/1", "tensors": [
            {"name": layout["id"], "dtype": "F32", "shape": layout["logical_shape"]} for layout in kept]})
        run("aoac", "compile", "--source", full, "--target", write_json(f"{at}/kept-target.json", target), "--emit=affine-map",
            *boxes, "-o", path)
        exported = read_json(path)
        params = exported.get("affine_map", exported)["params"]
        for layout in kept:
            name = layout["id"]
            if relation(params[f"^{name}$"]) != relation(published[name]):
                sys.exit(f"{path}: {name} is not what was published")
    run("aoac", "convert", "--source", f"{at}/ranks", "--source-layout", f"{at}/exported.json", "--output", f"{at}/again")
    if read_tensors(f"{at}/again/model.safetensors") != read_tensors(f"{at}/full/model.safetensors"):
        sys.exit(f"{at}: what was rebuilt by the exported map is not what was cut")
    return len(layouts)


def overlap(work, layout):
    """A layout whose ranks share heads: the shared ones are replicas, and claims of single owners are refused."""
    at = f"{work}/overlap"
    os.makedirs(f"{at}/full")
    size = number_of(layout["logical_shape"])
    elements = random_floats(random.Random(SEED), size)
    write_tensors(f"{at}/full/model.safetensors", {layout["id"]: ("F32", layout["logical_shape"], b"".join(elements))})
    honest = write_json(f"{at}/honest.json", as_map([layout]))
    run("aoac", "convert", "--source", f"{at}/full", "--target", honest, "--output", f"{at}/ranks")
    claim = as_map([layout])
    for rank, held in claim["params"][layout["id"]]["ranks"].items():
        held["pieces"] = [{**piece, "locations": [int(rank)]} for piece in held["pieces"]]
    claim = write_json(f"{at}/claim.json", claim)
    refuse("locations", "aoac", "convert", "--source", f"{at}/full", "--target", claim, "--output", f"{at}/no")
    refuse("locations", "aoac", "convert", "--source", f"{at}/ranks", "--source-layout", claim, "--output", f"{at}/no")


def main():
    work, path = sys.argv[1:]
    layouts = read_json(path)["layouts"]
    print(f"seed {SEED}")
    counts = {"pieces": 0, "map": 0, "fields": 0, "exported": 0}
    for degree in sorted({layout["degree"] for layout in layouts}):
        mine = [layout for layout in layouts if layout["degree"] == degree]
        data = random.Random(SEED + degree)
        inputs = {}
        for layout in mine:
            shape = layout["logical_shape"]
            inputs[layout["id"]] = shape, random_floats(data, number_of(shape))
        rules = {layout["id"]: pieces_field(layout) for layout in mine}
        at = f"{work}/{degree}"
        counts["pieces"] += check(at, "pieces", mine, as_layout(degree, rules), inputs)
        counts["exported"] += check_exported(at, "pieces", mine)
        counts["map"] += check(at, "map", mine, as_map(mine), inputs)
        # In ordinary fields padding is outside of the tensor.
        for layout in mine:
            if "original_rows" in layout:
                shape = [layout["original_rows"], *layout["logical_shape"][1:]]
                inputs[layout["id"]] = shape, inputs[layout["id"]][1][: number_of(shape)]
        named = [layout for layout in mine if layout["id"] in FIELDS]
        rules = {layout["id"]: FIELDS[layout["id"]] for layout in named}
        inputs = {name: inputs[name] for name in rules}
        counts["fields"] += check(at, "fields", named, as_layout(degree, rules), inputs)
    overlap(work, next(layout for layout in layouts if layout["id"].startswith("yuan_overlap")))
    print(f"layouts cut and rebuilt: {counts['pieces']} by pieces, {counts['map']} by maps, {counts['fields']} by fields; maps exported: "
          f"{counts['exported']}")


main()
