#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the names, shapes and config of a small model of a family: small_models.py FAMILY DIRECTORY.

DIRECTORY/catalog.json is what `aoac check` needs instead of a checkpoint; `aoac-mkckpt` makes files of it. Names and
proportions are those of the published models, sizes are small.
"""

import json
import os
import sys

H = 64  # hidden size


class Model:
    def __init__(self, dtype="BF16", **config):
        self.dtype, self.config, self.tensors = dtype, config, {}

    def add(self, name, *shape, dtype=None):
        self.tensors[name] = {"name": name, "dtype": dtype or self.dtype, "shape": list(shape)}

    def linear(self, name, out, inside, bias=False):
        self.add(f"{name}.weight", out, inside)
        if bias:
            self.add(f"{name}.bias", out)

    def attention(self, prefix, heads, groups, size, bias=False, norms=False):
        self.linear(f"{prefix}.q_proj", heads * size, H, bias)
        self.linear(f"{prefix}.k_proj", groups * size, H, bias)
        self.linear(f"{prefix}.v_proj", groups * size, H, bias)
        self.linear(f"{prefix}.o_proj", H, heads * size)
        if norms:
            self.add(f"{prefix}.q_norm.weight", size)
            self.add(f"{prefix}.k_norm.weight", size)

    def gated_mlp(self, prefix, ffn):
        for name in ("gate_proj", "up_proj"):
            self.linear(f"{prefix}.{name}", ffn, H)
        self.linear(f"{prefix}.down_proj", H, ffn)

    def norms(self, prefix):
        self.add(f"{prefix}.input_layernorm.weight", H)
        self.add(f"{prefix}.post_attention_layernorm.weight", H)

    def ends(self, vocabulary, tied=False):
        self.add("model.embed_tokens.weight", vocabulary, H)
        self.add("model.norm.weight", H)
        if not tied:
            self.add("lm_head.weight", vocabulary, H)


def llama():
    model = Model(num_hidden_layers=8, num_attention_heads=16, num_key_value_heads=8, vocab_size=1000, torch_dtype="bfloat16")
    model.ends(1000)
    for i in range(8):
        prefix = f"model.layers.{i}"
        model.attention(f"{prefix}.self_attn", 16, 8, 4)
        model.gated_mlp(f"{prefix}.mlp", 176)
        model.norms(prefix)
    return model


def qwen3_moe():
    model = Model(num_attention_heads=8, num_key_value_heads=4, num_experts=16)
    model.ends(256)
    for i in range(2):
        prefix = f"model.layers.{i}"
        model.attention(f"{prefix}.self_attn", 8, 4, 16, norms=True)
        model.norms(prefix)
        model.linear(f"{prefix}.mlp.gate", 16, H)
        for e in range(16):
            model.gated_mlp(f"{prefix}.mlp.experts.{e}", 24)
    return model


def mixtral():
    model = Model(num_attention_heads=8, num_key_value_heads=2, num_local_experts=4)
    model.ends(256)
    for i in range(2):
        prefix = f"model.layers.{i}"
        model.attention(f"{prefix}.self_attn", 8, 2, 8)
        model.norms(prefix)
        model.linear(f"{prefix}.block_sparse_moe.gate", 4, H)
        for e in range(4):
            model.linear(f"{prefix}.block_sparse_moe.experts.{e}.w1", 56, H)
            model.linear(f"{prefix}.block_sparse_moe.experts.{e}.w2", H, 56)
            model.linear(f"{prefix}.block_sparse_moe.experts.{e}.w3", 56, H)
    return model


def deepseek_v3():
    """Three layers, the first of them dense, and one layer for multi-token prediction."""
    block, layers = 8, 3  # one scale for each block of 8 rows and columns; 128 in the published weights
    model = Model(num_hidden_layers=layers, first_k_dense_replace=1, n_routed_experts=4)

    def quantised(name, rows, columns):
        model.add(f"{name}.weight", rows, columns, dtype="F8_E4M3")
        model.add(f"{name}.weight_scale_inv", -(-rows // block), -(-columns // block), dtype="F32")

    def mlp(prefix, ffn):
        for name, rows, columns in (("gate_proj", ffn, H), ("up_proj", ffn, H), ("down_proj", H, ffn)):
            quantised(f"{prefix}.{name}", rows, columns)

    model.ends(256)
    for i in range(layers + 1):
        prefix = f"model.layers.{i}"
        attention = f"{prefix}.self_attn"
        quantised(f"{attention}.q_a_proj", 24, H)
        model.add(f"{attention}.q_a_layernorm.weight", 24)
        quantised(f"{attention}.q_b_proj", 4 * 12, 24)
        quantised(f"{attention}.kv_a_proj_with_mqa", 16 + 4, H)  # the last block of rows is half a block
        model.add(f"{attention}.kv_a_layernorm.weight", 16)
        quantised(f"{attention}.kv_b_proj", 4 * 16, 16)
        quantised(f"{attention}.o_proj", H, 4 * 8)
        model.norms(prefix)
        if i == 0:
            mlp(f"{prefix}.mlp", 96)
            continue
        model.add(f"{prefix}.mlp.gate.weight", 4, H)
        model.add(f"{prefix}.mlp.gate.e_score_correction_bias", 4, dtype="F32")
        mlp(f"{prefix}.mlp.shared_experts", 24)
        for e in range(4):
            mlp(f"{prefix}.mlp.experts.{e}", 24)
    last = f"model.layers.{layers}"
    for name in ("enorm", "hnorm", "shared_head.norm"):
        model.add(f"{last}.{name}.weight", H)
    model.add(f"{last}.eh_proj.weight", H, 2 * H)
    model.add(f"{last}.embed_tokens.weight", 256, H)
    model.add(f"{last}.shared_head.head.weight", 256, H)
    return model


def gpt_oss():
    model = Model(num_attention_heads=8, num_key_value_heads=2, num_local_experts=4)
    ffn, experts = 32, 4
    model.ends(256)
    for i in range(2):
        prefix = f"model.layers.{i}"
        model.attention(f"{prefix}.self_attn", 8, 2, 8, bias=True)
        model.add(f"{prefix}.self_attn.o_proj.bias", H)
        model.add(f"{prefix}.self_attn.sinks", 8)
        model.norms(prefix)
        model.linear(f"{prefix}.mlp.router", experts, H, bias=True)
        for name, rows, columns in (("gate_up_proj", 2 * ffn, H), ("down_proj", H, ffn)):
            model.add(f"{prefix}.mlp.experts.{name}_blocks", experts, rows, columns // 32, 16, dtype="U8")
            model.add(f"{prefix}.mlp.experts.{name}_scales", experts, rows, columns // 32, dtype="U8")
            model.add(f"{prefix}.mlp.experts.{name}_bias", experts, rows)
    return model


def qwen2_vl():
    model = Model(vision_config={"embed_dim": 32, "in_chans": 3, "temporal_patch_size": 2, "patch_size": 4})
    model.ends(256)
    for i in range(2):
        prefix = f"model.layers.{i}"
        model.attention(f"{prefix}.self_attn", 8, 2, 8, bias=True)
        model.gated_mlp(f"{prefix}.mlp", 48)
        model.norms(prefix)
    model.add("visual.patch_embed.proj.weight", 32, 3, 2, 4, 4)
    for i in range(2):
        prefix = f"visual.blocks.{i}"
        model.linear(f"{prefix}.attn.qkv", 96, 32, bias=True)
        model.linear(f"{prefix}.attn.proj", 32, 32, bias=True)
        model.linear(f"{prefix}.mlp.fc1", 128, 32, bias=True)
        model.linear(f"{prefix}.mlp.fc2", 32, 128, bias=True)
        for norm in ("norm1", "norm2"):
            model.add(f"{prefix}.{norm}.weight", 32)
            model.add(f"{prefix}.{norm}.bias", 32)
    model.add("visual.merger.ln_q.weight", 32)
    model.add("visual.merger.ln_q.bias", 32)
    model.linear("visual.merger.mlp.0", 128, 128, bias=True)
    model.linear("visual.merger.mlp.2", H, 128, bias=True)
    return model


def fused(prefix, rows, dense, **config):
    """BLOOM, GPT-NeoX and Falcon: one query_key_value a layer."""
    model = Model(**config)
    for i in range(2):
        layer = f"{prefix}.{i}"
        model.linear(f"{layer}.{dense}.query_key_value", rows, H, bias=True)
        model.linear(f"{layer}.{dense}.dense", H, H, bias=True)
    return model


def bloom():
    return fused("transformer.h", 3 * H, "self_attention", n_head=8, hidden_size=H)


def neox():
    return fused("gpt_neox.layers", 3 * H, "attention", num_attention_heads=8, hidden_size=H)


def falcon():
    return fused("transformer.h", (8 + 2 * 2) * 8, "self_attention", num_attention_heads=8, num_kv_heads=2, hidden_size=H)


def gpt2():
    model = Model(dtype="F32", n_head=8)
    model.add("wte.weight", 256, H)
    model.add("wpe.weight", 32, H)
    for i in range(2):
        prefix = f"h.{i}"
        for name, inside, out in (("attn.c_attn", H, 3 * H), ("attn.c_proj", H, H), ("mlp.c_fc", H, 4 * H), ("mlp.c_proj", 4 * H, H)):
            model.add(f"{prefix}.{name}.weight", inside, out)
            model.add(f"{prefix}.{name}.bias", out)
        for norm in ("ln_1", "ln_2"):
            model.add(f"{prefix}.{norm}.weight", H)
            model.add(f"{prefix}.{norm}.bias", H)
    model.add("ln_f.weight", H)
    model.add("ln_f.bias", H)
    return model


def mamba2():
    heads, size, groups, state, kernel = 8, 16, 2, 16, 4
    inner = heads * size
    model = Model(num_heads=heads, head_dim=size, n_groups=groups, state_size=state)
    model.add("backbone.embeddings.weight", 256, H)
    for i in range(2):
        mixer = f"backbone.layers.{i}.mixer"
        model.linear(f"{mixer}.in_proj", 2 * inner + 2 * groups * state + heads, H)
        model.add(f"{mixer}.conv1d.weight", inner + 2 * groups * state, 1, kernel)
        model.add(f"{mixer}.conv1d.bias", inner + 2 * groups * state)
        for name in ("A_log", "D", "dt_bias"):
            model.add(f"{mixer}.{name}", heads, dtype="F32")
        model.add(f"{mixer}.norm.weight", inner)
        model.linear(f"{mixer}.out_proj", H, inner)
        model.add(f"backbone.layers.{i}.norm.weight", H)
    model.add("backbone.norm_f.weight", H)
    return model


def qwen3_next():
    """Every fourth layer has attention with a gate, the others gated delta nets."""
    key_heads, value_heads, hk, hv = 4, 8, 8, 8
    model = Model(
        num_attention_heads=8,
        num_key_value_heads=2,
        head_dim=8,
        linear_num_key_heads=key_heads,
        linear_num_value_heads=value_heads,
        linear_key_head_dim=hk,
        linear_value_head_dim=hv,
    )
    model.ends(256)
    for i in range(4):
        prefix = f"model.layers.{i}"
        model.norms(prefix)
        model.gated_mlp(f"{prefix}.mlp", 48)
        if i % 4 == 3:
            model.linear(f"{prefix}.self_attn.q_proj", 2 * 8 * 8, H)
            model.linear(f"{prefix}.self_attn.k_proj", 2 * 8, H)
            model.linear(f"{prefix}.self_attn.v_proj", 2 * 8, H)
            model.linear(f"{prefix}.self_attn.o_proj", H, 8 * 8)
            model.add(f"{prefix}.self_attn.q_norm.weight", 8)
            model.add(f"{prefix}.self_attn.k_norm.weight", 8)
            continue
        net = f"{prefix}.linear_attn"
        model.linear(f"{net}.in_proj_qkvz", 2 * key_heads * hk + 2 * value_heads * hv, H)
        model.linear(f"{net}.in_proj_ba", 2 * value_heads, H)
        model.add(f"{net}.conv1d.weight", 2 * key_heads * hk + value_heads * hv, 1, 4)
        model.add(f"{net}.A_log", value_heads)
        model.add(f"{net}.dt_bias", value_heads)
        model.add(f"{net}.norm.weight", hv)
        model.linear(f"{net}.out_proj", H, value_heads * hv)
    return model


def meta_llama():
    model = Model(n_heads=8, n_kv_heads=4)
    model.add("tok_embeddings.weight", 256, H)
    model.add("norm.weight", H)
    model.add("output.weight", 256, H)
    for i in range(2):
        prefix = f"layers.{i}"
        model.linear(f"{prefix}.attention.wq", 64, H)
        model.linear(f"{prefix}.attention.wk", 32, H)
        model.linear(f"{prefix}.attention.wv", 32, H)
        model.linear(f"{prefix}.attention.wo", H, 64)
        model.linear(f"{prefix}.feed_forward.w1", 176, H)
        model.linear(f"{prefix}.feed_forward.w2", H, 176)
        model.linear(f"{prefix}.feed_forward.w3", 176, H)
        model.add(f"{prefix}.attention_norm.weight", H)
        model.add(f"{prefix}.ffn_norm.weight", H)
    return model


def t5():
    model = Model(dtype="F32")
    model.add("shared.weight", 128, H)
    for half in ("encoder", "decoder"):
        for name in ("q", "k", "v", "o"):
            model.linear(f"{half}.block.0.layer.0.SelfAttention.{name}", H, H)
        model.add(f"{half}.final_layer_norm.weight", H)
    model.add("lm_head.weight", 128, H)
    return model


FAMILIES = {
    function.__name__.replace("_", "-"): function
    for function in (
        llama,
        qwen3_moe,
        mixtral,
        deepseek_v3,
        gpt_oss,
        qwen2_vl,
        bloom,
        neox,
        falcon,
        gpt2,
        mamba2,
        qwen3_next,
        meta_llama,
        t5,
    )
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
        sys.exit(f"{__doc__}\nFamilies: {', '.join(FAMILIES)}")
    model, directory = FAMILIES[sys.argv[1]](), sys.argv[2]
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "catalog.json"), "w", encoding="utf-8") as file:
        rows = ",\n".join("    " + json.dumps(model.tensors[name]) for name in sorted(model.tensors))
        file.write('{ "schema": "aoa.catalog/1",\n  "tensors": [\n' + rows + "\n] }\n")
    with open(os.path.join(directory, "config.json"), "w", encoding="utf-8") as file:
        json.dump(model.config, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
