#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Layouts with `place` and `stored_as`: each rank's file against formulas, and back.

placed_layouts.py WORK: a model of 6 layers with 4 experts each is cut by several layouts that say stages, expert ranks
and local numbers in different ways. Every file must hold exactly the tensors, under exactly the names, that the formulas
here give; reading them with the same layout must give the model back, byte for byte, and so must every way from one
layout to another.
"""

import itertools
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(__file__))
from rank_files import rank_file, read_tensors, refuse, run, write_json, write_tensors

LAYERS, EXPERTS = 6, 4


def model():
    tensors, number = {}, itertools.count(1)

    def add(name, rows, columns):
        content = b"".join(struct.pack("<f", next(number)) for _ in range(rows * columns))
        tensors[name] = ("F32", [rows, columns], content)

    add("embed", 4, 3)
    add("head", 2, 5)
    for i in range(LAYERS):
        add(f"layers.{i}.q.weight", 4, 3)
        add(f"layers.{i}.norm", 1, 3)
        for e in range(EXPERTS):
            add(f"layers.{i}.experts.{e}.up", 2, 3)
    return tensors


def parts(name):
    """Layer, expert and the rest behind the layer; None where there is none."""
    words = name.split(".")
    layer = int(words[1]) if words[0] == "layers" else None
    expert = int(words[3]) if len(words) > 3 and words[2] == "experts" else None
    return layer, expert, ".".join(words[2:])


FILES = {"q": {"match": "*.q.weight", "shard": {"0": "tp"}}, "rest": {"match": "*", "replicate": True}}


def layout(mesh, place, rules=None):
    rules = [FILES["q"]] * ("tp" in mesh) + [FILES["rest"]] if rules is None else rules
    return {"schema": "aoa.layout/1", "mesh": mesh, "rules": rules, "place": place}


BLOCKS = [1, 2, 0, 3]


def uneven(name, at):
    """Stages of 1, 2, 0 and 3 layers, each numbered from 0; the embedding first, the head last."""
    layer, _, rest = parts(name)
    if layer is None:
        return name if at["pp"] == (0 if name == "embed" else 3) else None
    first = sum(BLOCKS[: at["pp"]])
    return f"layers.{layer - first}.{rest}" if first <= layer < first + BLOCKS[at["pp"]] else None


def even(name, at):
    layer, _, rest = parts(name)
    if layer is None:
        return name
    return f"layers.{layer % 3}.{rest}" if layer // 3 == at["pp"] else None


def interleaved(name, at):
    """Two chunks a stage: stage 0 has layers 0, 1, 4, 5 as 0, 1, 2, 3."""
    layer, _, rest = parts(name)
    if layer is None:
        return name
    return f"layers.{layer // 4 * 2 + layer % 2}.{rest}" if layer // 2 % 2 == at["pp"] else None


def experts(name, at):
    layer, expert, rest = parts(name)
    if expert is None:
        return name
    return f"layers.{layer}.experts.{expert - 2 * at['ep']}.up" if expert // 2 == at["ep"] else None


def both(name, at):
    """Experts by number modulo 2, layers by stage; the text of a name turned round."""
    layer, expert, rest = parts(name)
    if layer is None:
        return f"pp{at['pp']}/{name}"
    if layer // 3 != at["pp"] or (expert is not None and expert % 2 != at["ep"]):
        return None
    if expert is None:
        return f"{rest}@{layer - 3 * at['pp']}"
    return f"up.{expert // 2}#{layer - 3 * at['pp']}"


CASES = {
    "uneven": (uneven, layout({"pp": 4, "tp": 2}, [
        {"match": "embed", "on": {"pp": 0}},
        {"match": "head", "on": {"pp": [3]}},
        {"match": "layers.{i}.{rest*}", "on": {"pp": {"blocks": BLOCKS, "of": "i"}},
         "stored_as": "layers.{i - min(pp, 1) - 2*min(max(pp - 1, 0), 1)}.{rest}"}])),
    "even": (even, layout({"tp": 2, "pp": 2}, [
        {"match": "layers.{i}.*", "on": {"pp": "i // ${per_stage}"}},
        {"match": "layers.{layer}.{rest*}", "stored_as": "layers.{layer - ${per_stage}*pp}.{rest}"}])),
    "modulo": (even, layout({"pp": 2}, [
        {"match": "layers.{i}.{rest*}", "on": {"pp": "i // 3"}, "stored_as": "layers.{i % 3}.{rest}"}])),
    "interleaved": (interleaved, layout({"tp": 2, "pp": 2}, [
        {"match": "layers.{i}.{rest*}", "on": {"pp": "i // 2 % 2"},
         "stored_as": "layers.{i // 4 * 2 + i % 2}.{rest}"}])),
    "experts": (experts, layout({"ep": 2}, [
        {"match": "{a*}.experts.{e}.{b*}", "on": {"ep": "e // 2"}, "stored_as": "{a}.experts.{e - 2*ep}.{b}"}])),
    # What a rule says of an axis, and of the name, comes before what entries say.
    "rule": (even, layout({"pp": 2}, [
        {"match": "*", "on": {"pp": 1}},
        {"match": "layers.{i}.{rest*}", "stored_as": "never.{i}.{rest}"}],
        [{"match": "layers.{i}.{rest*}", "on": {"pp": "i // 3"}, "stored_as": "layers.{i - 3*pp}.{rest}"},
         {"match": "*", "on": {"pp": [0, 1]}}])),
    "both": (both, layout({"pp": 2, "ep": 2}, [
        {"match": "layers.{i}.experts.{e}.up", "on": {"ep": "e % 2"}, "stored_as": "up.{e // 2}#{i - 3*pp}"},
        {"match": "layers.{i}.{rest*}", "on": {"pp": "i // 3"}, "stored_as": "{rest}@{i - 3*pp}"},
        {"match": "{name*}", "stored_as": "pp{pp}/{name}"}])),
}


def expected(tensors, formula, mesh):
    """For each rank, its file."""
    ranks = list(itertools.product(*(range(size) for size in mesh.values())))
    files = {}
    for rank, coordinates in enumerate(ranks):
        at = dict(zip(mesh, coordinates))
        for name, (dtype, shape, content) in tensors.items():
            stored = formula(name, at)
            if stored is None:
                continue
            if name.endswith("q.weight") and "tp" in mesh:
                half = len(content) // 2
                content = content[at["tp"] * half :][:half]
                shape = [shape[0] // 2, shape[1]]
            assert stored not in files.setdefault(rank, {})
            files[rank][stored] = (dtype, shape, content)
    return files, len(ranks)


def compare(directory, files, num_ranks):
    for rank in range(num_ranks):
        path = rank_file(directory, rank)
        if rank not in files:
            if os.path.exists(path):
                sys.exit(f"{path} is there, but the rank holds nothing")
        elif read_tensors(path) != files[rank]:
            sys.exit(f"{path}: {sorted(read_tensors(path))}, expected {sorted(files[rank])} and their bytes")


def main():
    (work,) = sys.argv[1:]
    os.makedirs(work)
    tensors = model()
    os.makedirs(f"{work}/model")
    write_tensors(f"{work}/model/model.safetensors", tensors)
    define = ["-D", "per_stage=3"]
    for case, (formula, text) in CASES.items():
        at = f"{work}/{case}"
        path = write_json(f"{work}/{case}.json", text)
        run("aoac", "compile", "--source", f"{work}/model", "--target", path, *define, "-o", f"{at}.plan")
        run("aoac", "run", f"{at}.plan", "--output", at, "--verify")
        run("aoac", "verify", f"{at}.plan", "--output", at, "--exhaustive")
        files, num_ranks = expected(tensors, formula, text["mesh"])
        compare(at, files, num_ranks)

        run("aoac", "convert", "--source", at, "--source-layout", path, *define, "--output", f"{at}-back", "--verify")
        if read_tensors(f"{at}-back/model.safetensors") != tensors:
            sys.exit(f"{at}-back is another model")
        run("aoac", "diff", at, f"{work}/model", "--left-layout", path, *define)
        run("aoac", "inspect", at, "--source-layout", path, *define, "-o", f"{at}.inspect")

    ways = 0
    for first, second in itertools.permutations(CASES, 2):
        out = f"{work}/{first}-{second}"
        run("aoac", "convert", "--source", f"{work}/{first}", "--source-layout", f"{work}/{first}.json",
            "--target", f"{work}/{second}.json", *define, "--output", out)
        formula, text = CASES[second]
        compare(out, *expected(tensors, formula, text["mesh"]))
        ways += 1

    # Made checkpoints are stored alike.
    catalog = [{"name": name, "dtype": dtype, "shape": shape} for name, (dtype, shape, _) in sorted(tensors.items())]
    write_json(f"{work}/catalog.json", {"schema": "aoa.catalog/1", "tensors": catalog})
    run("aoac-mkckpt", f"{work}/catalog.json", "--layout", f"{work}/both.json", "--output", f"{work}/made")
    run("aoac-mkckpt", f"{work}/catalog.json", "--output", f"{work}/made-whole")
    run("aoac", "diff", f"{work}/made", f"{work}/made-whole", "--left-layout", f"{work}/both.json")

    # A name that no tensor has there is refused: layer 5 of a stage of 3.
    stray = rank_file(f"{work}/modulo", 1)
    held = read_tensors(stray)
    held["layers.5.norm"] = held.pop("layers.2.norm")
    write_tensors(stray, held)
    refuse("by the source layout the rank holds no tensor that is stored under this name", "aoac", "inspect",
           f"{work}/modulo", "--source-layout", f"{work}/modulo.json")
    print(f"{len(CASES)} layouts written and read, {ways} ways between them")


main()
