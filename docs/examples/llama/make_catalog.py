#!/usr/bin/env python3
"""Prints the catalog of a Llama-shaped model as Hugging Face names and orients it, with a router and a prediction block:
make_catalog.py [HIDDEN [VOCABULARY]].
"""

import json
import sys

HIDDEN = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
VOCAB = int(sys.argv[2]) if len(sys.argv) > 2 else 32000
INTERMEDIATE, LAYERS, HEADS, GROUPS, EXPERTS = HIDDEN * 11 // 4, 4, 16, 4, 8
HEAD = HIDDEN // HEADS

tensors = {}


def add(name, *shape):
    tensors[name] = {"name": name, "dtype": "BF16", "shape": list(shape)}


def add_attention(prefix):
    add(f"{prefix}.self_attn.q_proj.weight", HEADS * HEAD, HIDDEN)
    add(f"{prefix}.self_attn.k_proj.weight", GROUPS * HEAD, HIDDEN)
    add(f"{prefix}.self_attn.v_proj.weight", GROUPS * HEAD, HIDDEN)
    add(f"{prefix}.self_attn.o_proj.weight", HIDDEN, HEADS * HEAD)
    add(f"{prefix}.input_layernorm.weight", HIDDEN)


add("model.embed_tokens.weight", VOCAB, HIDDEN)
for layer in range(LAYERS):
    prefix = f"model.layers.{layer}"
    add_attention(prefix)
    add(f"{prefix}.post_attention_layernorm.weight", HIDDEN)
    add(f"{prefix}.mlp.gate_proj.weight", INTERMEDIATE, HIDDEN)
    add(f"{prefix}.mlp.up_proj.weight", INTERMEDIATE, HIDDEN)
    add(f"{prefix}.mlp.down_proj.weight", HIDDEN, INTERMEDIATE)
    add(f"{prefix}.mlp.router.weight", EXPERTS, HIDDEN)
add_attention("model.mtp.0")
add("model.norm.weight", HIDDEN)
add("lm_head.weight", VOCAB, HIDDEN)

print('{ "schema": "aoa.catalog/1",\n  "tensors": [')
print(",\n".join("    " + json.dumps(tensors[name]) for name in sorted(tensors)))
print("] }")
