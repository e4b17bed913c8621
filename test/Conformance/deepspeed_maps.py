#!/usr/bin/env python3
"""Maps that aoac writes, read by DeepSpeed: deepspeed_maps.py LAYOUTS.json WORK [--seed N] [--random COUNT].

For the golden layouts, a list of layouts with every field, and random ones: DeepSpeed loads the map of every parameter in
both forms, finds it valid and the tensor covered, cuts unseen data into the shards that aoac wrote, bit by bit, and
rebuilds the tensor from them. The maps are then read as source layouts: the shards become the tensors again.
"""

import argparse
import collections
import os
import random
import sys

import deepspeed_peer as peer
import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Convert"))
from random_layouts import rounds, make_layout  # noqa: E402

NO_BOX = "on a piece that is no box of its shard"


def pieces(**ranks):
    """`r0=(shape, piece, piece…)`; a piece is its shape, full offset and strides, shard offset and strides."""
    return {"pieces": {
        rank[1:]: {"shape": shape, "pieces": [
            {"shape": s, "full": [full, full_strides], "shard": [shard, shard_strides]}
            for s, full, full_strides, shard, shard_strides in blocks]}
        for rank, (shape, *blocks) in ranks.items()}}


# Name -> shape and the fields of its rule.
PARTS = {
    "tp3": ({"tp": 3}, {
        "rows": ([9, 4], {"shard": {"0": "tp"}}),
        "columns": ([4, 9], {"shard": {"-1": "tp"}}),
        "middle": ([2, 6, 5], {"shard": {"1": "tp"}}),
        "ceil": ([7, 5], {"shard": {"0": "tp"}, "chunk": "ceil"}),
        "balanced": ([5, 7], {"shard": {"1": "tp"}, "chunk": "balanced"}),
        "sizes": ([10, 3], {"shard": {"0": "tp"}, "sizes": {"0": [3, 0, 7]}}),
        "fused": ([12, 5], {"shard": {"0": "tp"}, "segments": {"0": [6, 3, 3]}}),
        "fused.columns": ([5, 12], {"shard": {"1": "tp"}, "segments": {"1": 2}}),
        "by.sizes": ([15, 2], {"shard": {"0": "tp"}, "segments": {"0": [7, 5, 3]},
                               "sizes": {"0": [[3, 2, 2], [2, 2, 1], [3, 0, 0]]}}),
        "everywhere[0]": ([3, 5], {"replicate": True}),
        "scaled": ([6], {"replicate": True, "scale": 0.25}),
        "scaled.rows": ([6, 5], {"shard": {"0": "tp"}, "scale": -4}),
        "scalar": ([], {"replicate": True}),
        "one": ([1, 1], {"shard": {"0": "tp"}, "chunk": "ceil"}),
        "nothing": ([0, 4], {"replicate": True}),
        "kv": ([6, 2], pieces(r0=([3, 2], ([3, 2], 0, [2, 1], 0, [2, 1])), r1=([3, 2], ([3, 2], 4, [2, 1], 0, [2, 1])),
                              r2=([4, 2], ([4, 2], 4, [2, 1], 0, [2, 1])))),
        "other.cuts": ([6, 2], pieces(r0=([6, 2], ([6, 2], 0, [2, 1], 0, [2, 1])),
                                      r2=([6, 2], ([4, 2], 0, [2, 1], 4, [2, 1]), ([2, 2], 8, [2, 1], 0, [2, 1])))),
        "crossing": ([4, 6], pieces(r0=([4, 6], ([4, 6], 0, [6, 1], 0, [6, 1])),
                                    r1=([2, 6], ([2, 6], 6, [6, 1], 0, [6, 1])),
                                    r2=([4, 2], ([4, 2], 2, [6, 1], 0, [2, 1])))),
    }),
    "two-axes": ({"dp": 2, "tp": 3}, {
        "grid": ([4, 6, 2], {"shard": {"0": "dp", "1": "tp"}}),
        "product": ([12, 2], {"shard": {"0": ["tp", "dp"]}}),
        "uneven": ([10, 3], {"shard": {"0": ["dp", "tp"]}, "chunk": "ceil"}),
        "replicas": ([5, 6], {"shard": {"1": "tp"}}),
        "on": ([6, 5], {"shard": {"0": "tp"}, "on": {"dp": 1}}),
        "grid.fused": ([8, 9], {"shard": {"0": "dp", "1": "tp"}, "segments": {"0": [4, 2, 2], "1": [6, 3]}}),
    }),
    "no-boxes": ({"tp": 2}, {
        "permuted": ([6, 4], pieces(r0=([4, 3], ([3, 4], 0, [8, 1], 0, [1, 3])), r1=([12], ([3, 4], 4, [8, 1], 0, [4, 1])))),
    }),
    "interleaved": ({"tp": 2}, {
        "interleaved": ([8, 4], pieces(r0=([4, 4], ([4, 4], 0, [8, 1], 0, [4, 1])), r1=([4, 4], ([4, 4], 4, [8, 1], 0, [4, 1])))),
    }),
    "flat-group": ({"dp": 4}, {
        "a": ([3, 5], {"flatten": {"over": "dp", "align": 2, "group": "g"}}),
        "b": ([7], {"flatten": {"over": "dp", "align": 2, "group": "g"}}),
        "c": ([4, 2, 3], {"flatten": {"over": "dp", "align": 2, "group": "g"}}),
    }),
    "flat-each": ({"dp": 2, "tp": 2}, {
        "a": ([4, 2, 3], {"shard": {"1": "tp"}, "flatten": {"over": "dp", "each": True}}),
        "b": ([6, 5], {"shard": {"0": "tp"}, "flatten": {"over": "dp", "each": True}}),
    }),
}
WITHOUT_BOXES = {"no-boxes", "flat-group", "flat-each"}


class Checker:
    def __init__(self, work):
        self.work, self.counts, self.number = work, collections.Counter(), 0

    def check(self, what, tensors, target, boxes, indices=None):
        """`tensors` cut as `target` says. `boxes`: whether there is a form as boxes, None if not known."""
        try:
            self.compare(what, tensors, target, boxes, indices)
        except Exception as error:
            sys.exit(f"{what} in {self.work}/{self.number}: {type(error).__name__}: {error}")

    def compare(self, what, tensors, target, boxes, indices):
        self.number += 1
        folder = f"{self.work}/{self.number}"
        peer.write_tensors(f"{folder}/whole/model.safetensors", tensors)
        self.layout = peer.write_json(f"{folder}/target.json", target)
        peer.aoac("convert", "--source", f"{folder}/whole", "--target", self.layout, "--output", f"{folder}/ranks")
        ranks = peer.read_ranks(f"{folder}/ranks")
        self.counts["layouts"] += 1
        for form in ("folded", "boxes"):
            command = ["compile", "--source", f"{folder}/whole", "--target", self.layout, "--emit=affine-map",
                       "-o", f"{folder}/{form}.json", *(["--boxes"] if form == "boxes" else [])]
            if form == "boxes" and not (peer.takes(*command) if boxes is None else boxes):
                peer.aoac(*command, refused=NO_BOX)
                self.counts["refusals"] += 1
                continue
            peer.aoac(*command)
            self.compare_map(f"{what}, {form}", f"{folder}/{form}.json", tensors, ranks, indices)
            peer.aoac("convert", "--source", f"{folder}/ranks", "--source-layout", f"{folder}/{form}.json",
                      "--output", f"{folder}/back-{form}")
            back = peer.read_tensors(f"{folder}/back-{form}/model.safetensors")
            for name, tensor in tensors.items():
                peer.expect_same(back[name], tensor, f"{what}, {form}, {name} back")
            peer.aoac("convert", "--source", f"{folder}/whole", "--target", f"{folder}/{form}.json",
                      "--output", f"{folder}/again-{form}")
            self.expect_same_ranks(peer.read_ranks(f"{folder}/again-{form}"), ranks, f"{what}, {form} as target")

    def compare_map(self, what, path, tensors, ranks, indices):
        for name, map_ in peer.read_maps(path, tensors).items():
            where, tensor = f"{what}, {name}", tensors[name]
            assert list(map_.logical_shape) == list(tensor.shape), where
            map_.validate()
            map_.validate_coverage()
            holders = {rank for rank, shape in map_.shard_shapes.items() if 0 not in shape}
            written = {rank for rank, file in ranks.items() if name in file and file[name].numel()}
            assert holders == written, f"{where}: the map has ranks {holders}, the files {written}"
            shards = {rank: peer.shard_of(ranks, map_, name, rank) for rank in map_.shard_shapes}
            for rank, shard in shards.items():
                peer.expect_same(map_.extract(tensor, rank), shard, f"{where}, rank {rank}")
                if indices:
                    at = torch.tensor(indices["ranks"][str(rank)]["indices"], dtype=torch.int64)
                    expected = tensor.reshape(-1)[at].reshape(shard.shape) * indices.get("scale", 1)
                    peer.expect_same(shard, expected, f"{where}, rank {rank} by indices")
                self.counts["shards"] += 1
            peer.expect_same(map_.rebuild(shards), tensor, f"{where} rebuilt")
            self.counts["maps"] += 1
            self.counts["pieces"] += sum(map(len, map_.pieces_by_rank.values()))

    @staticmethod
    def expect_same_ranks(found, expected, what):
        strip = lambda ranks: {rank: {n: t for n, t in file.items() if t.numel()} for rank, file in ranks.items()}
        found, expected = strip(found), strip(expected)
        for rank in found.keys() | expected.keys():
            assert found.get(rank, {}).keys() == expected.get(rank, {}).keys(), f"{what}, rank {rank}"
            for name, tensor in expected.get(rank, {}).items():
                peer.expect_same(found[rank][name], tensor, f"{what}, {name} of rank {rank}")


def check_golden(checker, path):
    """As maps of the file's own pieces."""
    import json
    with open(path) as file:
        layouts = json.load(file)["layouts"]
    for seed, layout in enumerate(layouts):
        ranks = {rank: {"shard_shape": held["shard_shape"], "pieces": held["pieces"]} for rank, held in layout["ranks"].items()}
        target = {"version": 1, "params": {"^w$": {"logical_shape": layout["logical_shape"], "ranks": ranks}}}
        checker.check(layout["id"], {"w": peer.unseen(layout["logical_shape"], seed)}, target,
                      boxes=layout["family"] != "transposed", indices=layout)


def check_parts(checker):
    for name, (mesh, parts) in PARTS.items():
        rules = [{"match": key.replace("[", "?").replace("]", "?"), "shape": shape, **rule}
                 for key, (shape, rule) in parts.items()]
        tensors = {key: peer.unseen(shape, seed) for seed, (key, (shape, _)) in enumerate(parts.items())}
        checker.check(name, tensors, {"schema": "aoa.layout/1", "mesh": mesh, "rules": rules},
                      boxes=name not in WITHOUT_BOXES)


class Described:
    """What random_layouts wants to know of a tensor."""
    fused = None
    dtype = "F32"

    def __init__(self, shape):
        self.shape = shape


def check_random(checker, seed, count):
    """Layouts with all fields but padding, which a map cannot say."""
    source, tried = random.Random(seed), 0
    for _ in range(10 * count):
        if tried == count:
            break
        shapes = {f"t{i}": [source.randint(0 if source.random() < 0.1 else 1, 9) for _ in range(source.randint(0, 4))]
                  for i in range(source.randint(1, 5))}
        layout = make_layout(source, {name: Described(shape) for name, shape in shapes.items()})
        layout.pop("files", None)
        for rule in layout["rules"]:
            if "pad" in rule:
                del rule["pad"]
                rule["chunk"] = "ceil"
        if rounds(layout):
            continue
        tensors = {name: peer.unseen(shape, i) for i, (name, shape) in enumerate(shapes.items())}
        catalog = {"schema": "aoa.catalog/1", "tensors": [
            {"name": name, "dtype": "F32", "shape": shape} for name, shape in shapes.items()]}
        os.makedirs(checker.work, exist_ok=True)
        if not peer.takes("compile", "--emit=affine-map", "-o", os.devnull, "--source", peer.write_json(f"{checker.work}/catalog.json", catalog),
                          "--target", peer.write_json(f"{checker.work}/layout.json", layout)):
            continue  # Some do not fit their tensors.
        tried += 1
        checker.check(f"random layout {tried}", tensors, layout, boxes=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layouts")
    parser.add_argument("work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=40)
    options = parser.parse_args()
    checker = Checker(options.work)
    check_golden(checker, options.layouts)
    check_parts(checker)
    check_random(checker, options.seed, options.random)
    print(", ".join(f"{count} {what}" for what, count in checker.counts.items()), "all as DeepSpeed has them")


if __name__ == "__main__":
    main()
