#!/usr/bin/env python3
"""Transfers between maps of DeepSpeed's, by its planner and by aoac: deepspeed_transfers.py LAYOUTS.json WORK.

The maps are those that DeepSpeed's own constructors make and the golden ones, encoded as a checkpoint has them. aoac cuts
a tensor by one map as DeepSpeed does, converts those shards to the other map, and back into the tensor. DeepSpeed's planner
takes both maps as aoac writes them with --boxes; its plan makes the same shards, and has at least as many copies.
"""

import argparse
import collections
import json
import os
import sys

import deepspeed_peer as peer
import torch
from deepspeed.checkpoint import affine
from deepspeed.checkpoint.affine_transfer import UnsupportedLayoutError, plan_transfer
from deepspeed_maps import PARTS, WITHOUT_BOXES


def near_even(extent, degree):
    return [extent // degree + (rank < extent % degree) for rank in range(degree)]


def sub_params(shape, sizes, degree, axis=0):
    return affine.sub_param_map(shape, sizes, [near_even(size, degree) for size in sizes], axis)


def bigcode(shape, split, degree):
    return affine.segmented_map(shape, [(split, False), (shape[0] - split, True)], 0, degree, [near_even(split, degree)])


def gather(shape, heads, degree, axis):
    ids = {rank: [head for head in range(heads) if head % degree == rank] for rank in range(degree)}
    return affine.block_gather_map(shape, ids, shape[axis] // heads, axis)


# Families as in the file's `planner_counts`: degree -> map.
FAMILIES = {
    "row_even_8x8": lambda n: affine.contiguous_split_map((8, 8), near_even(8, n), 0),
    "row_uneven_11x8": lambda n: affine.contiguous_split_map((11, 8), near_even(11, n), 0),
    "column_8x24": lambda n: affine.contiguous_split_map((8, 24), near_even(24, n), 1),
    "replicated_5x6": lambda n: affine.replicated_map((5, 6), n),
    "sub_params_12x8": lambda n: sub_params((12, 8), [8, 4], n),
    "bigcode_48x8": lambda n: bigcode((48, 8), 32, n),
    "gather_8x64": lambda n: gather((8, 64), 8, n, 1),
}

# More than the planner's own tests have: (source, target).
PAIRS = {
    "rows to columns": (affine.contiguous_split_map((8, 8), [4, 4], 0), affine.contiguous_split_map((8, 8), [2] * 4, 1)),
    "no part for a rank": (affine.contiguous_split_map((9, 4), [3, 0, 6], 0), sub_params((9, 4), [4, 2, 3], 4)),
    "mqa": (affine.sub_param_map((12, 2), [8, 2, 2], [[4, 4], [2, 0], [0, 2]], 0), sub_params((12, 2), [8, 2, 2], 1)),
    "gqa in the middle": (sub_params((3, 16, 2), [8, 4, 4], 2, 1), sub_params((3, 16, 2), [8, 4, 4], 4, 1)),
    "uneven bigcode": (bigcode((36, 5), 24, 4), bigcode((36, 5), 24, 3)),
    "columns of a fused one": (sub_params((5, 12), [6, 6], 3, 1), affine.contiguous_split_map((5, 12), [5, 7], 1)),
    "heads to rows": (gather((24, 3), 8, 4, 0), affine.contiguous_split_map((24, 3), [11, 0, 13], 0)),
    "heads in another order": (affine.block_gather_map((12, 2), {0: [5, 0, 2], 1: [4, 3, 1]}, 2, 0), gather((12, 2), 6, 3, 0)),
    "a vector": (affine.contiguous_split_map((10,), [3, 3, 2, 2], 0), affine.replicated_map((10,), 2)),
    "a scalar": (affine.replicated_map((), 3), affine.replicated_map((), 2)),
    "scaled": (affine.replicated_map((16,), 4, scale=0.25), affine.contiguous_split_map((16,), [9, 7], 0)),
}


class Checker:
    def __init__(self, work):
        self.work, self.counts, self.number = work, collections.Counter(), 0

    def transfer(self, what, source, target, merged=None):
        """`merged`: how many copies the planner is known to make."""
        try:
            self.compare(what, source, target, merged)
        except Exception as error:
            sys.exit(f"{what} in {self.work}/{self.number}: {type(error).__name__}: {error}")

    def compare(self, what, source, target, merged):
        self.number += 1
        folder = f"{self.work}/{self.number}"
        tensor = peer.unseen(source.logical_shape, self.number)
        peer.write_tensors(f"{folder}/whole/model.safetensors", {"a.w": tensor})
        for end, map_ in (("source", source), ("target", target)):
            peer.write_json(f"{folder}/{end}.json", {"version": 1, "params": {"^a\\.w$": map_.to_dict()}})
        peer.aoac("convert", "--source", f"{folder}/whole", "--target", f"{folder}/source.json", "--output", f"{folder}/s")
        ends = ["--source", f"{folder}/s", "--source-layout", f"{folder}/source.json", "--target", f"{folder}/target.json"]
        peer.aoac("compile", *ends, "--emit=plan", "-o", f"{folder}/plan", f"--stats={folder}/stats.json")
        peer.aoac("convert", *ends, "--output", f"{folder}/t")
        peer.aoac("convert", "--source", f"{folder}/t", "--source-layout", f"{folder}/target.json", "--output", f"{folder}/back")
        peer.expect_same(peer.read_tensors(f"{folder}/back/model.safetensors")["a.w"], tensor, "there and back")
        shards = {}
        for end, map_ in (("s", source), ("t", target)):
            ranks = peer.read_ranks(f"{folder}/{end}")
            shards[end] = {rank: peer.shard_of(ranks, map_, "a.w", rank) for rank in map_.shard_shapes}
            for rank, shard in shards[end].items():
                peer.expect_same(shard, map_.extract(tensor, rank), f"rank {rank} of {end}")
                self.counts["shards"] += 1
        self.counts["conversions"] += 1
        ours = [self.boxes(folder, end) for end in ("source", "target")]
        if any(piece.scale != 1 for map_ in (source, target) for pieces in map_.pieces_by_rank.values() for piece in pieces):
            self.expect_unsupported(ours[1], ours[0])
            return
        with open(f"{folder}/stats.json") as file:
            pieces = json.load(file)["pieces"]
        for whose, plan in (("its", plan_transfer(target, source)), ("our", plan_transfer(ours[1], ours[0]))):
            self.apply(plan, shards["s"], shards["t"], f"its plan of {whose} maps")
            assert pieces <= len(plan.segments), f"{pieces} pieces, but {len(plan.segments)} copies in its plan of {whose} maps"
            if whose == "its":
                assert merged is None or len(plan.segments) == merged, f"{len(plan.segments)} copies, expected {merged}"
                self.counts["copies of its plans"] += len(plan.segments)
        self.counts["pieces of ours"] += pieces
        self.counts["plans"] += 2

    def boxes(self, folder, end):
        peer.aoac("compile", "--source", f"{folder}/whole", "--target", f"{folder}/{end}.json", "--emit=affine-map",
                  "--boxes", "-o", f"{folder}/{end}-boxes.json")
        return peer.read_maps(f"{folder}/{end}-boxes.json", ["a.w"])["a.w"]

    @staticmethod
    def apply(plan, sources, targets, what):
        """Every element of every target shard is written once, with what is expected."""
        made = {rank: torch.full((shard.numel(),), torch.nan) for rank, shard in targets.items()}
        for segment in plan.segments:
            view = torch.as_strided(made[segment.target_rank], segment.shape, segment.target_strides, segment.target_offset)
            assert view.isnan().all(), f"{what} writes twice"
            flat = sources[segment.source_rank].reshape(-1)
            view.copy_(torch.as_strided(flat, segment.shape, segment.source_strides, segment.source_offset))
        for rank, shard in targets.items():
            peer.expect_same(made[rank].reshape(shard.shape), shard, f"{what}, rank {rank}")

    def expect_unsupported(self, target, source):
        try:
            plan_transfer(target, source)
        except UnsupportedLayoutError:
            self.counts["scaled maps that it refuses"] += 1
            return
        raise AssertionError("its planner takes a scaled map")

    def layouts(self):
        """Our layouts as boxes are maps to and from which the planner plans."""
        for name, (mesh, parts) in PARTS.items():
            if name in WITHOUT_BOXES:
                continue
            folder = f"{self.work}/{name}"
            rules = [{"match": key.replace("[", "?").replace("]", "?"), **rule} for key, (_, rule) in parts.items()]
            tensors = {key: peer.unseen(shape, seed) for seed, (key, (shape, _)) in enumerate(parts.items())}
            peer.write_tensors(f"{folder}/whole/model.safetensors", tensors)
            peer.write_json(f"{folder}/target.json", {"schema": "aoa.layout/1", "mesh": mesh, "rules": rules})
            ends = ["--source", f"{folder}/whole", "--target", f"{folder}/target.json"]
            peer.aoac("compile", *ends, "--emit=affine-map", "--boxes", "-o", f"{folder}/map.json")
            peer.aoac("convert", *ends, "--output", f"{folder}/ranks")
            ranks = peer.read_ranks(f"{folder}/ranks")
            for key, map_ in peer.read_maps(f"{folder}/map.json", tensors).items():
                shards = {rank: peer.shard_of(ranks, map_, key, rank) for rank in map_.shard_shapes}
                whole = affine.replicated_map(parts[key][0], 1)
                if "scale" in parts[key][1]:
                    self.expect_unsupported(map_, whole)
                    continue
                self.apply(plan_transfer(map_, whole), {0: tensors[key]}, shards, f"{name}, {key}")
                self.apply(plan_transfer(whole, map_), shards, {0: tensors[key]}, f"{name}, {key} back")
                self.counts["plans"] += 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layouts")
    parser.add_argument("work")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    checker = Checker(options.work)
    with open(options.layouts) as file:
        golden = json.load(file)
    maps = {layout["id"]: affine.ParamAffineMap.from_dict(layout) for layout in golden["layouts"]}
    for transfer in golden["transfers"]:
        checker.transfer(f"{transfer['source']} to {transfer['target']}", maps[transfer["source"]], maps[transfer["target"]],
                         transfer["segments_after_merge"])
    for count in golden["planner_counts"]:
        family = FAMILIES[count["family"]]
        checker.transfer(f"{count['family']} {count['source']} to {count['target']}", family(count["source"]),
                         family(count["target"]), count["merged"])
    for name, (source, target) in PAIRS.items():
        checker.transfer(name, source, target)
        checker.transfer(f"{name}, the other way", target, source)
    checker.layouts()
    print(", ".join(f"{count} {what}" for what, count in checker.counts.items()), "all as DeepSpeed has them")


if __name__ == "__main__":
    main()
