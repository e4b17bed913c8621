#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ways back of scripts for large models stay short: long_inverses.py WORK [--layers N] [--experts N].

A mixture of experts in the manner of GLM-4.5 (its way back takes a statement a layer and expert upstream), and the
renaming of a vision-language checkpoint. Prints how many statements each way back has, and checks that it compiles.
"""

import argparse
import json
import os
import subprocess
import sys
import time

HIDDEN, HEADS, GROUPS, SIZE, INNER = 64, 8, 2, 8, 16

GLM = """
model.embed_tokens.weight -> glm.embed_tokens.weight
model.norm.weight -> glm.norm.weight
lm_head.weight^T -> lm_head.weight
model.layers.$LAYER_ID.input_layernorm.weight -> glm.layers.$LAYER_ID.input_layernorm.weight
model.layers.$LAYER_ID.post_attention_layernorm.weight -> glm.layers.$LAYER_ID.post_attention_layernorm.weight
model.layers.$LAYER_ID.self_attn.q_proj.weight^T, model.layers.$LAYER_ID.self_attn.k_proj.weight^T, model.layers.$LAYER_ID.self_attn.v_proj.weight^T -> glm.layers.$LAYER_ID.self_attn.qkv_proj.weight, fused_qkv, num_heads=8, num_key_value_groups=2, axis=1
model.layers.$LAYER_ID.self_attn.q_proj.bias, model.layers.$LAYER_ID.self_attn.k_proj.bias, model.layers.$LAYER_ID.self_attn.v_proj.bias -> glm.layers.$LAYER_ID.self_attn.qkv_proj.bias, fused_qkv, num_heads=8, num_key_value_groups=2, axis=0
model.layers.$LAYER_ID.self_attn.o_proj.weight^T -> glm.layers.$LAYER_ID.self_attn.o_proj.weight
model.layers.0.mlp.gate_proj.weight^T, model.layers.0.mlp.up_proj.weight^T -> glm.layers.0.mlp.up_gate_proj.weight, fused_ffn, axis=1
model.layers.0.mlp.down_proj.weight^T -> glm.layers.0.mlp.down_proj.weight
model.layers.$LAYER_ID.mlp.shared_experts.gate_proj.weight^T, model.layers.$LAYER_ID.mlp.shared_experts.up_proj.weight^T -> glm.layers.$LAYER_ID.mlp.shared_experts.up_gate_proj.weight, fused_ffn, axis=1
model.layers.$LAYER_ID.mlp.shared_experts.down_proj.weight^T -> glm.layers.$LAYER_ID.mlp.shared_experts.down_proj.weight
model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.gate_proj.weight^T, model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.up_proj.weight^T -> glm.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.up_gate_proj.weight, axis=1
model.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.down_proj.weight^T -> glm.layers.$LAYER_ID.mlp.experts.$EXPERT_ID.down_proj.weight
model.layers.$LAYER_ID.mlp.gate.weight -> glm.layers.$LAYER_ID.mlp.gate.weight, dtype=float32
"""

RENAME = """
model.$$REST -> model.language_model.$$REST
visual.patch_embed.proj.weight -> model.visual.patch_embed.proj.weight, reshape=[-1, 96]
visual.blocks.$$B -> model.visual.layers.$$B
visual.$$REST -> model.visual.$$REST
$$A.norm1.$$B -> $$A.input_layernorm.$$B
$$A.norm2.$$B -> $$A.post_attention_layernorm.$$B
$$A.attn.proj.$$B -> $$A.attn.o_proj.$$B
$$A.mlp.fc1.$$B -> $$A.mlp.up_proj.$$B
$$A.mlp.fc2.$$B -> $$A.mlp.down_proj.$$B
$$A.ln_q.$$B -> $$A.norm.$$B
$$A.self_attn.$X_proj.$$B -> $$A.attention.$X_proj.$$B
lm_head.weight -> language_model_head.weight
"""


def glm(layers, experts):
    tensors = {"model.embed_tokens.weight": [128, HIDDEN], "model.norm.weight": [HIDDEN], "lm_head.weight": [128, HIDDEN]}
    for i in range(layers):
        at = f"model.layers.{i}"
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{at}.{name}.weight"] = [HIDDEN]
        for part, heads in (("q", HEADS), ("k", GROUPS), ("v", GROUPS)):
            tensors[f"{at}.self_attn.{part}_proj.weight"] = [heads * SIZE, HIDDEN]
            tensors[f"{at}.self_attn.{part}_proj.bias"] = [heads * SIZE]
        tensors[f"{at}.self_attn.o_proj.weight"] = [HIDDEN, HEADS * SIZE]
        networks = [f"{at}.mlp"] if i == 0 else [f"{at}.mlp.shared_experts", *(f"{at}.mlp.experts.{e}" for e in range(experts))]
        for network in networks:
            tensors[f"{network}.gate_proj.weight"] = tensors[f"{network}.up_proj.weight"] = [INNER, HIDDEN]
            tensors[f"{network}.down_proj.weight"] = [HIDDEN, INNER]
        if i:
            tensors[f"{at}.mlp.gate.weight"] = [experts, HIDDEN]
    return tensors


def vision_language(layers):
    tensors = {"model.embed_tokens.weight": [64, 32], "model.norm.weight": [32], "lm_head.weight": [64, 32],
               "visual.patch_embed.proj.weight": [32, 3, 2, 4, 4], "visual.merger.ln_q.weight": [32]}
    for i in range(layers):
        for part in ("q", "k", "v", "o"):
            tensors[f"model.layers.{i}.self_attn.{part}_proj.weight"] = [32, 32]
        for part in ("gate", "up", "down"):
            tensors[f"model.layers.{i}.mlp.{part}_proj.weight"] = [32, 32]
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"model.layers.{i}.{name}.weight"] = [32]
        for name in ("norm1", "norm2", "attn.qkv", "attn.proj", "mlp.fc1", "mlp.fc2"):
            for kind in ("weight", "bias"):
                tensors[f"visual.blocks.{i}.{name}.{kind}"] = [32]
    return tensors


def write(path, value):
    with open(path, "w") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))
    return path


def catalog(tensors):
    return {"schema": "aoa.catalog/1",
            "tensors": [{"name": name, "dtype": "BF16", "shape": shape} for name, shape in tensors.items()]}


def run(*command):
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, time.monotonic() - begin


def files_of(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}


def check(work, name, tensors, script, show):
    """Converts there and back; returns the number of statements of the way back."""
    at = os.path.join(work, name)
    os.makedirs(at)
    forward, back = write(f"{at}/there.aoa", script), f"{at}/back.aoa"
    run("aoac-mkckpt", write(f"{at}/catalog.json", catalog(tensors)), "--output", f"{at}/source")
    _, took = run("aoac", "invert", forward, "--source", f"{at}/source", "-o", back)
    run("aoac", "convert", forward, "--source", f"{at}/source", "--output", f"{at}/result")
    _, compiled = run("aoac", "compile", back, "--source", f"{at}/result", "-o", f"{at}/back.plan")
    run("aoac", "run", f"{at}/back.plan", "--output", f"{at}/again")
    if files_of(f"{at}/source") != files_of(f"{at}/again"):
        sys.exit(f"{name} does not come back as it was")
    if show:
        print(f"{name}: {len(tensors)} tensors, inverted in {took:.2f} s, compiled in {compiled:.2f} s")
    with open(back) as file:
        return file.read().count("->")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--experts", type=int, default=8)
    parser.add_argument("--seconds", action="store_true", help="print how long it took")
    args = parser.parse_args()
    print("GLM:", check(args.work, "glm", glm(args.layers, args.experts), GLM, args.seconds), "statements")
    print("vision and language:",
          check(args.work, "vl", vision_language(max(args.layers, 38)), RENAME, args.seconds), "statements")


if __name__ == "__main__":
    main()
