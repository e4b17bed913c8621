#!/usr/bin/env python3
"""Compiles a reshard of 18.6 million chunks, names and shapes only: compile_fsdp.py BIN WORK [RANKS].

A Llama-shaped model of 405 billion parameters: 1,137 tensors, each cut in 16,384 chunks along dimension 0 as PyTorch's
FSDP2 cuts (ceil), against tensor parallelism 8 × pipeline parallelism 16.
"""

import json
import os
import sys

from measure import timed

LAYERS, HIDDEN, INTERMEDIATE, KV, VOCABULARY = 126, 16384, 53248, 1024, 128256

TARGET = {
    "schema": "aoa.layout/1",
    "mesh": {"pp": 16, "tp": 8},
    "rules": [
        {"match": "model.layers.{i}.*.{q,k,v,gate,up}_proj.weight", "shard": {"0": "tp"}, "on": {"pp": "i // 8"}},
        {"match": "model.layers.{i}.*.{o,down}_proj.weight", "shard": {"1": "tp"}, "on": {"pp": "i // 8"}},
        {"match": "model.layers.{i}.*", "replicate": True, "on": {"pp": "i // 8"}},
        {"match": "model.embed_tokens.weight", "shard": {"0": "tp"}, "on": {"pp": 0}},
        {"match": "lm_head.weight", "shard": {"0": "tp"}, "on": {"pp": 15}},
        {"match": "model.norm.weight", "replicate": True, "on": {"pp": 15}},
    ],
}


def catalog():
    tensors = []

    def add(name, *shape):
        tensors.append({"name": name, "dtype": "BF16", "shape": list(shape)})

    add("model.embed_tokens.weight", VOCABULARY, HIDDEN)
    add("lm_head.weight", VOCABULARY, HIDDEN)
    add("model.norm.weight", HIDDEN)
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}"
        add(f"{prefix}.self_attn.q_proj.weight", HIDDEN, HIDDEN)
        add(f"{prefix}.self_attn.k_proj.weight", KV, HIDDEN)
        add(f"{prefix}.self_attn.v_proj.weight", KV, HIDDEN)
        add(f"{prefix}.self_attn.o_proj.weight", HIDDEN, HIDDEN)
        add(f"{prefix}.mlp.gate_proj.weight", INTERMEDIATE, HIDDEN)
        add(f"{prefix}.mlp.up_proj.weight", INTERMEDIATE, HIDDEN)
        add(f"{prefix}.mlp.down_proj.weight", HIDDEN, INTERMEDIATE)
        add(f"{prefix}.input_layernorm.weight", HIDDEN)
        add(f"{prefix}.post_attention_layernorm.weight", HIDDEN)
    return {"schema": "aoa.catalog/1", "tensors": tensors}


def main():
    binaries, work = sys.argv[1:3]
    ranks = int(sys.argv[3]) if len(sys.argv) > 3 else 16384
    os.makedirs(work, exist_ok=True)
    model = catalog()
    source = {
        "schema": "aoa.layout/1",
        "mesh": {"dp": ranks},
        "rules": [{"match": "*", "shard": {"0": "dp"}, "chunk": "ceil"}],
    }
    for name, text in (("model", model), ("fsdp", source), ("tp8pp16", TARGET)):
        with open(f"{work}/{name}.json", "w") as file:
            json.dump(text, file)
    seconds, peak = timed([f"{binaries}/aoac", "compile", "--source", f"{work}/model.json",
                           "--source-layout", f"{work}/fsdp.json", "--target", f"{work}/tp8pp16.json",
                           f"--stats={work}/stats.json", "-o", f"{work}/plan.aoaplan"])
    with open(f"{work}/stats.json") as file:
        stats = json.load(file)
    chunks = len(model["tensors"]) * ranks
    print(f"{chunks} chunks, {stats['pieces']} pieces, {stats['distinct_pieces']} distinct in {stats['classes']} classes")
    print(f"{seconds:.2f} s, peak RssAnon {peak / 2**20:.0f} MiB, {peak / stats['pieces']:.1f} bytes a piece, "
          f"plan {os.path.getsize(f'{work}/plan.aoaplan') / 1e6:.1f} MB")
    print("  " + ", ".join(f"{stage} {value:.3f} s" for stage, value in stats["seconds"].items()))


main()
