#!/usr/bin/env python3
"""Reshards one model between many layouts, every pair both ways, and compares bytes.

reshard_matrix.py WORK: makes a model whose elements are all different, writes it in every layout below from the whole
checkpoint, lets the element-by-element oracle confirm each of those, and then converts from every layout to every other.
The files must be the ones that the oracle confirmed.
"""

import filecmp
import json
import os
import subprocess
import sys

MODEL = {
    "col.weight": ("F32", [5, 24]),
    "empty": ("F32", [0, 4]),
    "experts.0.w": ("I32", [6, 5]),
    "experts.1.w": ("I32", [6, 5]),
    "experts.2.w": ("I32", [6, 5]),
    "experts.3.w": ("I32", [6, 5]),
    "fused.bias": ("I64", [48]),
    "fused.weight": ("F32", [48, 3]),
    "grid.weight": ("I64", [24, 8, 3]),
    "half": ("BF16", [24, 7]),
    "one": ("I64", [1]),
    "row.weight": ("F32", [24, 5]),
    "scalar": ("I64", []),
    "thin": ("I32", [3, 2]),
    "uneven.weight": ("I32", [13, 7]),
}


def shard(match, cuts, **fields):
    return {"match": match, "shard": cuts, **fields}


def tensor_parallel(degree, **fields):
    """Rows, columns and segments over one axis; the odd tensor by one of the three chunk rules or by sizes."""
    uneven = fields.get("uneven", {"chunk": "ceil"})
    rules = [
        shard("row.weight", {"0": "tp"}),
        shard("col.weight", {"-1": "tp"}),
        shard("fused.*", {"0": "tp"}, segments={"0": [24, 24] if degree == 3 else [32, 8, 8]}),
        shard("grid.weight", {"1": "tp"}, chunk="balanced"),
        shard("half", {"0": "tp"}),
        shard("uneven.weight", {"0": "tp"}, **uneven),
        shard("thin", {"0": "tp"}, chunk="ceil"),
        shard("empty", {"1": "tp"}, chunk="balanced"),
        shard("one", {"0": "tp"}, chunk="ceil"),
    ]
    return {"mesh": {"tp": degree}, "rules": rules + [{"match": "*", "replicate": True}]}


LAYOUTS = {
    "tp1": tensor_parallel(1),
    "tp2": tensor_parallel(2, uneven={"chunk": "balanced"}),
    "tp3": tensor_parallel(3, uneven={"sizes": {"0": [1, 0, 12]}}),
    "tp4": tensor_parallel(4, uneven={"sizes": {"0": [3, 5, 1, 4]}}),
    "tp8": tensor_parallel(8),
    "segments-by-sizes": {
        "mesh": {"tp": 2},
        "rules": [
            shard("fused.weight", {"0": "tp"}, segments={"0": [20, 28]}, sizes={"0": [[5, 15], [28, 0]]}),
            shard("col.weight", {"1": "tp"}, segments={"1": 3}),
            {"match": "*", "replicate": True},
        ],
    },
    "two-axes": {
        "mesh": {"dp": 2, "tp": 3},
        "rules": [
            shard("grid.weight", {"0": "tp", "1": "dp"}),
            shard("row.weight", {"0": ["dp", "tp"]}),
            shard("col.weight", {"1": ["tp", "dp"]}),
            shard("uneven.weight", {"0": ["dp", "tp"]}, chunk="ceil"),
            shard("half", {"0": "tp"}),
            {"match": "*", "replicate": True},
        ],
        "files": "dp{dp}/tp{tp:02}-of-{world}.safetensors",
    },
    "placed": {
        "mesh": {"pp": 2, "ep": 2},
        "rules": [
            {"match": "experts.{i}.*", "on": {"ep": "i // 2"}},
            {"match": "{row,col}.weight", "on": {"pp": 0}},
            {"match": "fused.*", "on": {"pp": [1]}},
            {"match": "uneven.weight", "shard": {"0": "pp"}, "chunk": "balanced", "on": {"ep": 1}},
            {"match": "*", "replicate": True},
        ],
    },
    "padded": {
        "mesh": {"tp": 4},
        "rules": [
            shard("uneven.weight", {"0": "tp"}, pad={"0": {"multiple": 8}}, shape=[13, 7]),
            shard("row.weight", {"0": "tp"}, pad={"0": 28}, pad_value=7, shape=[24, 5]),
            {"match": "*", "replicate": True},
        ],
    },
}


def flat(mesh, cuts, **fields):
    """Every tensor's local shard in flat buffers over `dp`; read back, each rule must say the shape."""
    rules = []
    for name, (_, shape) in MODEL.items():
        cut = next((cut for part, cut in cuts.items() if part in name), {})
        rules.append({"match": name, "shape": shape, **cut, "flatten": {"over": "dp", **fields}})
    return {"mesh": mesh, "rules": rules}


COLUMNS = {
    "col": {"shard": {"-1": "tp"}},
    "grid": {"shard": {"1": "tp"}},
    "experts": {"shard": {"1": "tp"}, "chunk": "ceil"},
    "fused": {"shard": {"0": "tp"}, "segments": {"0": [32, 8, 8]}},
    "uneven": {"shard": {"1": "tp"}, "pad": {"1": {"multiple": 4}}},
    "thin": {"shard": {"0": "tp"}, "chunk": "balanced"},
}
# row.weight as [5, 24], cut by columns, for the ranks at coordinate 0 of `dp`.
TRANSPOSED = {
    str(tp): {
        "shape": [5, 12],
        "pieces": [{"shape": [5, 12], "full": [60 * tp, [1, 5]], "shard": [0, [12, 1]]}],
    }
    for tp in range(2)
}
LAYOUTS |= {
    "zero1-dp3": flat({"dp": 3}, {}, group="all", align=2),
    "zero1-dp4-tp2": flat({"dp": 4, "tp": 2}, COLUMNS, group="all", align=2, align_each=8, order=["*.w*", "h*"]),
    "zero3-dp3": flat({"dp": 3}, {}, each=True),
    "zero1-of-pieces": flat({"dp": 3, "tp": 2}, {"row": {"pieces": TRANSPOSED}, **COLUMNS}, group="all", align=4),
    "zero3-tp2-dp4": flat({"tp": 2, "dp": 4}, COLUMNS, each=True),
}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}")


def same_tree(left, right):
    """Whether two directories hold the same files with the same bytes."""
    compared = filecmp.dircmp(left, right)
    if compared.left_only or compared.right_only or compared.funny_files:
        return False
    _, mismatch, errors = filecmp.cmpfiles(left, right, compared.common_files, shallow=False)
    if mismatch or errors:
        return False
    return all(same_tree(os.path.join(left, name), os.path.join(right, name)) for name in compared.common_dirs)


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def main():
    work = sys.argv[1]
    os.makedirs(work)
    tensors = [{"name": name, "dtype": dtype, "shape": shape} for name, (dtype, shape) in MODEL.items()]
    catalog = write_json(f"{work}/model.json", {"schema": "aoa.catalog/1", "tensors": tensors})
    run("aoac-mkckpt", catalog, "--output", f"{work}/full")

    for name, layout in LAYOUTS.items():
        path = write_json(f"{work}/{name}.json", {"schema": "aoa.layout/1", **layout})
        plan = f"{work}/{name}.plan"
        run("aoac", "compile", "--source", f"{work}/full", "--target", path, "-o", plan)
        run("aoac", "run", plan, "--output", f"{work}/{name}")
        run("aoac", "verify", plan, "--output", f"{work}/{name}", "--exhaustive")

    count = 0
    for source in LAYOUTS:
        for target in ["full", *LAYOUTS]:
            output = f"{work}/out"
            goal = [] if target == "full" else ["--target", f"{work}/{target}.json"]
            threads = "1" if count % 2 else "3"
            run("aoac", "convert", "--source", f"{work}/{source}", "--source-layout", f"{work}/{source}.json", *goal,
                "--output", output, "--overwrite", "--threads", threads)
            if not same_tree(output, f"{work}/{target}"):
                sys.exit(f"{source} -> {target}: {output} differs from {work}/{target}")
            count += 1
    print(f"{count} conversions, all bytes as the oracle says")


main()
