#!/usr/bin/env python3
"""Compiles a mixture-of-experts script for 46,000 tensors to a plan: compile_moe.py BIN WORK [LAYERS] [EXPERTS]."""

import json
import os
import sys

from measure import timed

HIDDEN, INTERMEDIATE = 7168, 2048

SCRIPT = """\
# Experts: gate and up transposed and joined, all experts of a layer one after the other; attention transposed.
model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.gate_proj.weight^T, model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.up_proj.weight^T
  -> t.$LAYER_ID.$EXPERT_ID.gate_up, axis=1
t.$LAYER_ID.*.gate_up -> layers.$LAYER_ID.experts.gate_up, axis=0
model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.down_proj.weight^T -> t.$LAYER_ID.$EXPERT_ID.down
t.$LAYER_ID.*.down -> layers.$LAYER_ID.experts.down, axis=0
model.layers.$LAYER_ID.self_attn.q_proj.weight^T -> layers.$LAYER_ID.attention.q
model.layers.$LAYER_ID.self_attn.o_proj.weight^T -> layers.$LAYER_ID.attention.o
model.layers.$LAYER_ID.mlp.gate.weight -> layers.$LAYER_ID.router, dtype=float32
"""

LAYOUT = {
    "schema": "aoa.layout/1",
    "mesh": {"ep": 32},
    "rules": [{"match": "*.experts.*", "shard": {"0": "ep"}}, {"match": "*", "replicate": True}],
}


def catalog(layers, experts):
    tensors = []

    def add(name, *shape):
        tensors.append({"name": name, "dtype": "BF16", "shape": list(shape)})

    add("model.embed_tokens.weight", 129280, HIDDEN)
    for layer in range(layers):
        prefix = f"model.layers.{layer}"
        add(f"{prefix}.input_layernorm.weight", HIDDEN)
        add(f"{prefix}.self_attn.q_proj.weight", 24576, HIDDEN)
        add(f"{prefix}.self_attn.o_proj.weight", HIDDEN, 16384)
        add(f"{prefix}.mlp.gate.weight", experts, HIDDEN)
        for expert in range(experts):
            add(f"{prefix}.mlp.experts.{expert}.gate_proj.weight", INTERMEDIATE, HIDDEN)
            add(f"{prefix}.mlp.experts.{expert}.up_proj.weight", INTERMEDIATE, HIDDEN)
            add(f"{prefix}.mlp.experts.{expert}.down_proj.weight", HIDDEN, INTERMEDIATE)
    return {"schema": "aoa.catalog/1", "tensors": tensors}


def main():
    binaries, work = sys.argv[1:3]
    layers = int(sys.argv[3]) if len(sys.argv) > 3 else 61
    experts = int(sys.argv[4]) if len(sys.argv) > 4 else 256
    os.makedirs(work, exist_ok=True)
    model = catalog(layers, experts)
    with open(f"{work}/moe.json", "w") as file:
        json.dump(model, file)
    with open(f"{work}/ep32.json", "w") as file:
        json.dump(LAYOUT, file)
    with open(f"{work}/moe.aoa", "w") as file:
        file.write(SCRIPT)
    seconds, peak = timed([f"{binaries}/aoac", "compile", f"{work}/moe.aoa", "--source", f"{work}/moe.json", "--target",
                           f"{work}/ep32.json", "-o", f"{work}/moe.plan", "--stats", f"{work}/stats.json"])
    with open(f"{work}/stats.json") as file:
        stats = json.load(file)
    print(f"{stats['source_tensors']} tensors, {stats['statements']} statements, {stats['transfers']} transfers: "
          f"{seconds:.2f} s, peak RssAnon {peak / 2**20:.0f} MiB, plan {os.path.getsize(f'{work}/moe.plan') / 1e6:.1f} MB")
    print("  " + ", ".join(f"{stage} {value:.3f} s" for stage, value in stats["seconds"].items()))


main()
