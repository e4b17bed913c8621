# SPDX-License-Identifier: Apache-2.0
"""The transformations between model families, against formulas over single elements: transformations.py WORK [NAME...]

A case is a script, the tensors it reads, and for every tensor that it makes a shape and a formula: from the index of an
element to the tensor and index where its value comes from, or to a number. Nothing of the compiler's own oracle is used;
the files are read by the safetensors library. Where a case has a way back, that must give the source's bytes again.
"""

import itertools
import json
import os
import shutil
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def make(**shapes):
    """Tensors of the given shapes, all elements of all of them different. `__` in a name stands for a dot."""
    tensors, first = {}, 1
    for name, shape in shapes.items():
        size = int(numpy.prod(shape))
        tensors[name.replace("__", ".")] = numpy.arange(first, first + size, dtype=numpy.float32).reshape(shape)
        first += size
    return tensors


def rows(shape, row):
    """A tensor whose row i is row number j of tensor `name`, for (name, j) = row(i)."""

    def formula(index):
        name, other = row(index[0])
        return name, (other, *index[1:])

    return shape, formula


def columns(shape, column):
    def formula(index):
        name, other = column(index[-1])
        return name, (*index[:-1], other)

    return shape, formula


def same(shape, name):
    return shape, lambda index: (name, index)


# ---- Query, key and value. Heads, groups, queries a group, head size, hidden size: not one that is another's product.
NH, NG, HD, H = 8, 4, 6, 5
N = NH // NG


def qkv():
    return make(q=(NH * HD, H), k=(NG * HD, H), v=(NG * HD, H))


def group_row(row):
    slot, r = divmod(row, HD)
    g, s = divmod(slot, N + 2)
    return ("q", (g * N + s) * HD + r) if s < N else ("kv"[s - N], g * HD + r)


@case
def qkv_group_interleaved():
    heads = f"num_heads={NH}, num_key_value_groups={NG}, axis=0"
    return {
        "source": qkv(),
        "script": f"q, k, v -> f, fused_qkv, {heads}",
        "results": {"f": rows(((NH + 2 * NG) * HD, H), group_row)},
        "back": f"f -> q, k, v, fused_qkv, {heads}",
    }


@case
def qkv_group_interleaved_by_groups():
    return {
        "source": qkv(),
        "script": f"q, k, v -> f, axis=0, groups={NG}",
        "results": {"f": rows(((NH + 2 * NG) * HD, H), group_row)},
        "back": f"f -> q, k, v, axis=0, groups={NG}, sizes=[{N * HD}, {HD}, {HD}]",
    }


@case
def qkv_bias_group_interleaved():
    return {
        "source": make(q=(NH * HD,), k=(NG * HD,), v=(NG * HD,)),
        "script": f"q, k, v -> f, axis=0, groups={NG}",
        "results": {"f": rows(((NH + 2 * NG) * HD,), group_row)},
        "back": f"f -> q, k, v, axis=0, groups={NG}, sizes=[{N * HD}, {HD}, {HD}]",
    }


def plain_row(row):
    for name, length in (("q", NH * HD), ("k", NG * HD), ("v", NG * HD)):
        if row < length:
            return name, row
        row -= length


@case
def qkv_plain():
    return {
        "source": qkv(),
        "script": "q, k, v -> f, axis=0",
        "results": {"f": rows(((NH + 2 * NG) * HD, H), plain_row)},
        "back": f"f -> q, k, v, axis=0, sizes=[{NH * HD}, {NG * HD}, {NG * HD}]",
    }


def rank_row(degree, parts):
    """Row of rank's tensor: its part of each of `parts`, one after the other."""

    def row_of(rank):
        def row(i):
            for name, length in parts:
                if i < length // degree:
                    return name, rank * (length // degree) + i
                i -= length // degree

        return row

    return row_of


@case
def qkv_by_rank():
    lengths = [NH * HD, NG * HD, NG * HD]
    row_of = rank_row(2, list(zip("qkv", lengths)))
    return {
        "source": qkv(),
        "script": "q, k, v -> f, axis=0",
        "layout": {"mesh": {"tp": 2}, "rules": [{"match": "*", "shard": {"0": "tp"}, "segments": {"0": lengths}}]},
        "ranks": [{"f": rows((sum(lengths) // 2, H), row_of(rank))} for rank in range(2)],
        "back": f"f -> q, k, v, axis=0, sizes={lengths}",
    }


@case
def qkv_by_rank_with_a_macro():
    lengths = [NH * HD, NG * HD, NG * HD]
    row_of = rank_row(4, list(zip("qkv", lengths)))
    heads = f"num_heads={NH}, num_key_value_groups={NG}, axis=0"
    return {
        "source": qkv(),
        "script": f"q, k, v -> f, fused_qkv_old, {heads}",
        "layout": {"mesh": {"tp": 4}, "rules": [{"match": "*", "shard": {"0": "tp"}}]},
        "ranks": [{"f": rows((sum(lengths) // 4, H), row_of(rank))} for rank in range(4)],
        "back": f"f -> q, k, v, fused_qkv_old, {heads}",
    }


@case
def key_value_replication():
    """More ranks than groups: rank t holds head t // (tp / groups) of keys and values."""
    tp, groups = 8, 2

    def row_of(rank):
        def row(i):
            if i < NH * HD // tp:
                return "q", rank * (NH * HD // tp) + i
            part, r = divmod(i - NH * HD // tp, HD)
            return "kv"[part], rank // (tp // groups) * HD + r

        return row

    heads = f"num_heads={NH}, num_key_value_groups={groups}, axis=0"
    return {
        "source": make(q=(NH * HD, H), k=(groups * HD, H), v=(groups * HD, H)),
        "script": f"q, k, v -> f, fused_qkv_old, {heads}",
        "layout": {"mesh": {"tp": tp}, "rules": [{"match": "*", "shard": {"0": "tp"}}]},
        "ranks": [{"f": rows((NH * HD // tp + 2 * HD, H), row_of(rank))} for rank in range(tp)],
        "back": f"f -> q, k, v, fused_qkv_old, {heads}",
    }


@case
def key_value_replication_of_separate_tensors():
    return {
        "source": make(k=(NG * HD, H)),
        "script": f"k -> k, repeat=3, axis=0, block={HD}",
        "results": {"k": rows((3 * NG * HD, H), lambda row: ("k", row // (3 * HD) * HD + row % HD))},
        "back": f"k -> k, dedup=3, axis=0, block={HD}",
    }


@case
def old_megatron_orders():
    """Rows by (three, heads, size) and by (heads, size, three); today's order is (heads, three, size)."""

    def version_0(row):
        head, three, r = row // (3 * HD), row // HD % 3, row % HD
        return "a", (three * NH + head) * HD + r

    def version_1(row):
        head, three, r = row // (3 * HD), row // HD % 3, row % HD
        return "b", (head * HD + r) * 3 + three

    shape = (3 * NH * HD, H)
    return {
        "source": make(a=shape, b=shape),
        "script": f'a -> a, rearrange="(three heads size) h -> (heads three size) h", three=3, heads={NH}\n'
        f'b -> b, rearrange="(heads size three) h -> (heads three size) h", three=3, heads={NH}',
        "results": {"a": rows(shape, version_0), "b": rows(shape, version_1)},
        "back": f'a -> a, rearrange="(heads three size) h -> (three heads size) h", three=3, heads={NH}\n'
        f'b -> b, rearrange="(heads three size) h -> (heads size three) h", three=3, heads={NH}',
    }


@case
def four_blocks_of_query_value_key():
    parts, rows_each = 4, 3 * HD

    def row(i):
        name, r = divmod(i, parts * HD)
        block, r = divmod(r, HD)
        return "f", block * rows_each + {"q": 0, "v": 1, "k": 2}["qkv"[name]] * HD + r

    shape = (parts * rows_each, H)
    return {
        "source": make(f=shape),
        "script": f"f -> %q, %v, %k, axis=0, groups={parts}\n%q, %k, %v -> f, axis=0",
        "results": {"f": rows(shape, row)},
        "back": f"f -> %q, %k, %v, axis=0\n%q, %v, %k -> f, axis=0, groups={parts}",
    }


# ---- Rotary embedding: pairs beside each other, or halves one after the other.


@case
def rotary_halves_to_pairs():
    def pairs(row):
        head, r = divmod(row, HD)
        i, half = divmod(r, 2)
        return head * HD + half * (HD // 2) + i

    form = '"(h two d) c -> (h d two) c"'
    inverse = '"(h d two) c -> (h two d) c"'
    return {
        "source": make(q=(NH * HD, H), k=(NG * HD, H)),
        "script": f"q -> q, rearrange={form}, h={NH}, two=2; k -> k, rearrange={form}, h={NG}, two=2",
        "results": {
            "q": rows((NH * HD, H), lambda row: ("q", pairs(row))),
            "k": rows((NG * HD, H), lambda row: ("k", pairs(row))),
        },
        "back": f"q -> q, rearrange={inverse}, h={NH}, two=2; k -> k, rearrange={inverse}, h={NG}, two=2",
    }


# ---- Gate and up.
F, E = 6, 3


def gate_up():
    return make(gate=(F, H), up=(F, H))


@case
def gate_up_plain():
    return {
        "source": gate_up(),
        "script": "gate, up -> f, axis=0",
        "results": {"f": rows((2 * F, H), lambda row: (("gate", "up")[row // F], row % F))},
        "back": "f -> gate, up, axis=0",
    }


@case
def gate_up_by_rank():
    row_of = rank_row(3, [("gate", F), ("up", F)])
    return {
        "source": gate_up(),
        "script": "gate, up -> f, axis=0",
        "layout": {"mesh": {"tp": 3}, "rules": [{"match": "f", "shard": {"0": "tp"}, "segments": {"0": 2}}]},
        "ranks": [{"f": rows((2 * F // 3, H), row_of(rank))} for rank in range(3)],
        "back": "f -> gate, up, axis=0",
    }


@case
def gate_up_even_and_odd_rows():
    return {
        "source": gate_up(),
        "script": f"gate, up -> f, stack=1, reshape=[{2 * F}, -1]",
        "results": {"f": rows((2 * F, H), lambda row: (("gate", "up")[row % 2], row // 2))},
        "back": 'f -> gate, up, rearrange="(f two) h -> (two f) h", two=2, axis=0',
    }


@case
def gate_up_in_blocks():
    def row(i):
        block, r = divmod(i, 2)
        part = block % 2
        return ("gate", "up")[part], block // 2 * 2 + r

    return {
        "source": gate_up(),
        "script": f"gate, up -> f, axis=0, groups={F // 2}",
        "results": {"f": rows((2 * F, H), row)},
        "back": f"f -> gate, up, axis=0, groups={F // 2}",
    }


@case
def gate_up_even_and_odd_columns_of_stacked_experts():
    """gpt-oss: [experts, hidden, 2 ffn] with columns g0 u0 g1 u1 … from one [ffn, hidden] a part and expert."""
    source = {}
    for e in range(E):
        source |= {f"e.{e}.gate": None, f"e.{e}.up": None}
    source = make(**{name.replace(".", "__"): (F, H) for name in source})

    def formula(index):
        e, h, column = index
        return f"e.{e}." + ("gate", "up")[column % 2], (column // 2, h)

    names = ", ".join(f"%g.{e}" for e in range(E))
    return {
        "source": source,
        "script": "e.$EXPERT_ID.gate, e.$EXPERT_ID.up -> %f.$EXPERT_ID, stack=-1\n"
        '%f.* -> f, stack=0, rearrange="e f h two -> e h (f two)"',
        "results": {"f": ((E, H, 2 * F), formula)},
        "back": f'f -> {names}, rearrange="e h (f two) -> e (two f) h", two=2, unstack=0\n'
        "%g.$EXPERT_ID -> e.$EXPERT_ID.gate, e.$EXPERT_ID.up, axis=0",
    }


# ---- Gated attention: rows of a query head and of its gate.


@case
def gated_attention_rows():
    def row(i):
        slot, r = divmod(i, HD)
        g, s = divmod(slot, 2 * N + 2)
        if s < N:
            return "q", (g * N + s) * 2 * HD + r
        if s < 2 * N:
            return "q", (g * N + s - N) * 2 * HD + HD + r
        return "kv"[s - 2 * N], g * HD + r

    return {
        "source": make(q=(2 * NH * HD, H), k=(NG * HD, H), v=(NG * HD, H)),
        "script": f"q -> %q, %gate, axis=0, groups={NH}\n%q, %gate, k, v -> f, axis=0, groups={NG}",
        "results": {"f": rows((2 * (NH + NG) * HD, H), row)},
        "back": f"f -> %q, %gate, k, v, axis=0, groups={NG}, sizes=[{N * HD}, {N * HD}, {HD}, {HD}]\n"
        f"%q, %gate -> q, axis=0, groups={NH}",
    }


@case
def one_gate_a_head():
    return {
        "source": make(g=(NH, H)),
        "script": f"g -> f, repeat={HD}, axis=0, block=1",
        "results": {"f": rows((NH * HD, H), lambda row: ("g", row // HD))},
        "back": f"f -> g, dedup={HD}, axis=0, block=1",
    }


# ---- Experts.


@case
def experts_stacked_and_transposed():
    source = make(**{f"e__{e}__{part}": (F, H) for e in range(E) for part in ("w1", "w3")}, **{f"e__{e}__w2": (H, F) for e in range(E)})

    def gate_up_formula(index):
        e, h, column = index
        return f"e.{e}.{('w1', 'w3')[column // F]}", (column % F, h)

    def down_formula(index):
        e, f, h = index
        return f"e.{e}.w2", (h, f)

    parts = {part: ", ".join(f"e.{e}.{part}" for e in range(E)) for part in ("w1", "w3", "w2")}
    return {
        "source": source,
        "script": "e.*.w1 -> %w1, stack=0; e.*.w3 -> %w3, stack=0\n"
        "%w1, %w3 -> gate_up, axis=1, permute=[0, 2, 1]\n"
        "e.*.w2^T -> down, stack=0",
        "results": {"gate_up": ((E, H, 2 * F), gate_up_formula), "down": ((E, F, H), down_formula)},
        "back": "gate_up -> %w1, %w3, permute=[0, 2, 1], axis=1\n"
        f"%w1 -> {parts['w1']}, unstack=0; %w3 -> {parts['w3']}, unstack=0\n"
        f"down -> {parts['w2']}, permute=[0, 2, 1], unstack=0",
    }


@case
def experts_side_by_side():
    """The order of Llama 4 and Qwen3-VL: [experts, hidden, 2 ffn] to one tensor a part and expert."""
    back = ", ".join(f"%t.{e}" for e in range(E))
    results = {}
    for e, (p, part) in itertools.product(range(E), enumerate(("gate", "up"))):
        results[f"e.{e}.{part}"] = ((F, H), lambda index, e=e, p=p: ("f", (e, index[1], p * F + index[0])))
    return {
        "source": make(f=(E, H, 2 * F)),
        "script": f"f -> {back}, unstack=0\n%t.$EXPERT_ID^T -> e.$EXPERT_ID.gate, e.$EXPERT_ID.up, axis=0",
        "results": results,
        "back": "e.$EXPERT_ID.gate, e.$EXPERT_ID.up -> %t.$EXPERT_ID, axis=0\n%t.*^T -> f, stack=0",
    }


# ---- State-space and linear attention.
D_IN, G, STATE, HEADS, KERNEL = 6, 2, 3, 2, 4
MAMBA = [("z", D_IN), ("x", D_IN), ("B", G * STATE), ("C", G * STATE), ("dt", HEADS)]


@case
def mamba_projections():
    results, begin = {}, 0
    for name, size in MAMBA:
        results[name] = rows((size, H), lambda row, begin=begin: ("in_proj", begin + row))
        begin += size
    conv_begin = 0
    for name, size in MAMBA[1:4]:
        results[f"conv.{name}"] = rows((size, 1, KERNEL), lambda row, begin=conv_begin: ("conv", begin + row))
        conv_begin += size
    names = ", ".join(name for name, _ in MAMBA)
    convs = ", ".join(f"conv.{name}" for name, _ in MAMBA[1:4])
    return {
        "source": make(in_proj=(begin, H), conv=(conv_begin, 1, KERNEL)),
        "script": f"in_proj -> {names}, axis=0, sizes={[size for _, size in MAMBA]}\n"
        f"conv -> {convs}, axis=0, sizes={[size for _, size in MAMBA[1:4]]}",
        "results": results,
        "back": f"{names} -> in_proj, axis=0\n{convs} -> conv, axis=0",
    }


@case
def mamba_projection_by_rank():
    sizes = [size for _, size in MAMBA]
    starts = dict(zip((name for name, _ in MAMBA), itertools.accumulate([0, *sizes])))
    row_of = rank_row(2, MAMBA)

    def formula(rank):
        def row(i):
            name, other = row_of(rank)(i)
            return "in_proj", starts[name] + other

        return row

    return {
        "source": make(in_proj=(sum(sizes), H)),
        "script": "",
        "layout": {"mesh": {"tp": 2}, "rules": [{"match": "*", "shard": {"0": "tp"}, "segments": {"0": sizes}}]},
        "ranks": [{"in_proj": rows((sum(sizes) // 2, H), formula(rank))} for rank in range(2)],
        "back": "",
    }


@case
def gated_delta_net():
    """Qwen3-Next: by key head [q k v z] with r value heads a key head, and [b a]."""
    key_heads, hk, r, hv = 3, 2, 2, 2
    sizes = [hk, hk, r * hv, r * hv]
    results, begin = {}, 0
    for name, size in zip("qkvz", sizes):
        results[name] = rows(
            (key_heads * size, H),
            lambda row, begin=begin, size=size: ("qkvz", row // size * sum(sizes) + begin + row % size),
        )
        begin += size
    for i, name in enumerate("ba"):
        results[name] = rows((key_heads * r, H), lambda row, i=i: ("ba", row // r * 2 * r + i * r + row % r))
    return {
        "source": make(qkvz=(key_heads * sum(sizes), H), ba=(key_heads * 2 * r, H)),
        "script": f"qkvz -> q, k, v, z, axis=0, groups={key_heads}, sizes={sizes}\nba -> b, a, axis=0, groups={key_heads}",
        "results": results,
        "back": f"q, k, v, z -> qkvz, axis=0, groups={key_heads}\nb, a -> ba, axis=0, groups={key_heads}",
    }


# ---- Vision.


@case
def conv3d_to_linear():
    out, c, t, h, w = 4, 3, 2, 2, 3

    def plain(index):
        rest, x = divmod(index[1], w)
        rest, y = divmod(rest, h)
        channel, frame = divmod(rest, t)
        return "conv", (index[0], channel, frame, y, x)

    def channels_last(index):
        rest, channel = divmod(index[1], c)
        rest, x = divmod(rest, w)
        frame, y = divmod(rest, h)
        return "conv2", (index[0], channel, frame, y, x)

    shape = (out, c, t, h, w)
    return {
        "source": make(conv=shape, conv2=shape),
        "script": f'conv -> conv, reshape=[{out}, -1]\nconv2 -> conv2, rearrange="o c t h w -> o (t h w c)"',
        "results": {"conv": ((out, c * t * h * w), plain), "conv2": ((out, c * t * h * w), channels_last)},
        "back": f"conv -> conv, reshape=[{out}, {c}, {t}, {h}, {w}]\n"
        f'conv2 -> conv2, rearrange="o (t h w c) -> o c t h w", t={t}, h={h}, w={w}',
    }


# ---- Vocabulary, layers, heads, norms.


@case
def vocabulary_pad_and_trim():
    vocabulary, padded = 13, 16
    return {
        "source": make(zeros=(vocabulary, H), last=(vocabulary, H)),
        "script": f"zeros -> zeros, pad=[[0, {padded - vocabulary}], [0, 0]]\n"
        f"last -> last, pad=[[0, {padded - vocabulary}], [0, 0]], value=last",
        "results": {
            "zeros": ((padded, H), lambda index: ("zeros", index) if index[0] < vocabulary else 0),
            "last": rows((padded, H), lambda row: ("last", min(row, vocabulary - 1))),
        },
        "back": f'zeros -> zeros, slice="0:{vocabulary}"\nlast -> last, slice="0:{vocabulary}, :"',
    }


@case
def vocabulary_grown_with_a_value():
    return {
        "source": make(embed=(5, H)),
        "script": f"embed -> embed, pad=[[1, 2], [0, 1]], value=-0.5",
        "results": {
            "embed": (
                (8, H + 1),
                lambda index: ("embed", (index[0] - 1, index[1])) if 1 <= index[0] < 6 and index[1] < H else -0.5,
            )
        },
        "back": f'embed -> embed, slice="1:6, 0:{H}"',
    }


@case
def multi_token_prediction_layers():
    """The layers behind the model's own become those of another module, counted from 0."""
    layers, extra = 3, 2
    source = make(**{f"model__layers__{i}__w": (2, H) for i in range(layers + extra)})
    results = {f"model.layers.{i}.w": same((2, H), f"model.layers.{i}.w") for i in range(layers)}
    results |= {f"mtp.layers.{i}.w": same((2, H), f"model.layers.{layers + i}.w") for i in range(extra)}
    return {
        "source": source,
        "script": f"model.layers.${{LAYER_ID+{layers}}}.w -> mtp.layers.$LAYER_ID.w, $LAYER_ID in 0..{extra - 1}",
        "results": results,
        "back": f"mtp.layers.$LAYER_ID.w -> model.layers.${{LAYER_ID+{layers}}}.w",
    }


@case
def tied_head():
    tied = make(embed=(4, H))
    tied["head"] = tied["embed"].copy()
    return {
        "source": tied,
        "script": "embed, head -> embed, tie=verify",
        "results": {"embed": same((4, H), "embed")},
        "back": "embed -> head, copy",
    }


@case
def norms_around_zero():
    return {
        "source": make(norm=(7,)),
        "script": "norm -> norm, plus=1.0",
        "results": {"norm": ((7,), lambda index: float(1 + index[0]) + 1)},
        "back": "norm -> norm, plus=-1",
    }


# ---- Running a case.


def evaluate(source, shape, formula):
    result = numpy.empty(shape, dtype=numpy.float32)
    for index in numpy.ndindex(*shape):
        found = formula(index)
        result[index] = source[found[0]][found[1]] if isinstance(found, tuple) else found
    return result


def expect(folder, what, file, source, tensors):
    found = load_file(f"{folder}/{file}")
    if found.keys() != tensors.keys():
        sys.exit(f"{what}: {file} has {sorted(found)}, expected {sorted(tensors)}")
    for name, tensor in tensors.items():
        wanted = evaluate(source, *tensor) if isinstance(tensor, tuple) else tensor
        if found[name].shape != wanted.shape or found[name].tobytes() != wanted.tobytes():
            sys.exit(f"{what}: `{name}` in {file} is\n{found[name]}\nnot\n{wanted}")


def run(what, folder, *arguments):
    done = subprocess.run(["aoac", *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{what}: aoac {' '.join(arguments)}\n{done.stdout}{done.stderr}")


def check(name, work):
    case = CASES[name]()
    folder = f"{work}/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/source")
    save_file(case["source"], f"{folder}/source/model.safetensors")
    options = []
    if "layout" in case:
        with open(f"{folder}/layout.json", "w", encoding="utf-8") as file:
            json.dump({"schema": "aoa.layout/1", **case["layout"]}, file)
        options = ["--target", "layout.json"]
    for key in ("script", "back"):
        with open(f"{folder}/{key}.aoa", "w", encoding="utf-8") as file:
            file.write(case[key] + "\n")
    run(name, folder, "compile", "script.aoa", "--source", "source", *options, "-o", "plan", "-Werror")
    run(name, folder, "run", "plan", "--output", "there")
    run(name, folder, "verify", "plan", "--output", "there", "--exhaustive")
    for rank, tensors in enumerate(case.get("ranks", [])):
        expect(f"{folder}/there", name, f"rank_{rank:05}.safetensors", case["source"], tensors)
    if "results" in case:
        expect(f"{folder}/there", name, "model.safetensors", case["source"], case["results"])
    options = ["--source-layout", "layout.json"] if "layout" in case else []
    run(name, folder, "convert", "back.aoa", "--source", "there", *options, "--output", "back", "-Werror", "-Wno-unused-part")
    expect(f"{folder}/back", f"{name} and back", "model.safetensors", case["source"], case["source"])
    shutil.rmtree(folder)


def main():
    work, names = sys.argv[1], sys.argv[2:] or CASES
    for name in names:
        check(name, work)
    print(f"{len(names)} transformations, all elements where the formulas say")


if __name__ == "__main__":
    main()
