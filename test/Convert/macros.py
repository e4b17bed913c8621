# SPDX-License-Identifier: Apache-2.0
"""Scripts with macros of their own against scripts without any: macros.py WORK.

Both of a pair are converted whole and with their results cut over ranks, and must give the same files byte by byte; what
the first gives must hold out against the reference evaluator, too. No two elements of the source are alike.
"""

import os
import shutil
import struct
import sys

from rank_files import number_of, read_tensors, run, write_json, write_tensors

SHAPES = {"gate": [12, 3], "up": [12, 3], "q": [12, 4], "k": [6, 4], "v": [6, 4], "w": [6, 4], "square": [4, 4],
          "empty": [0, 4], "one": [1, 1], "t": [6], "a": [6, 2], "b": [6, 2],
          **{f"l.{i}.{name}": [2, 6] for i in (0, 1, 2, 10) for name in ("gate", "up")}}

INTERLEAVE = """
macro interleave(gate, up -> fused; block, axis=0) {
  assert extent(gate, axis) % block == 0, "${block} rows do not divide ${extent(gate, axis)}"
  let n = extent(gate, axis) / block
  gate -> (%g[i] for i in 0..n-1), axis=axis
  up -> (%u[i] for i in 0..n-1), axis=axis
  (%g[i], %u[i] for i in 0..n-1) -> fused, axis=axis
}
macro interleave(fused -> gate, up; block, axis=0) {
  let n = extent(fused, axis) / (2 * block)
  fused -> (%g[i], %u[i] for i in 0..n-1), axis=axis
  (%g[i] for i in 0..n-1) -> gate, axis=axis
  (%u[i] for i in 0..n-1) -> up, axis=axis
}
"""

SWAP = """
macro swap(a -> b) {
  a -> %t, %u, axis=0
  %u, %t -> b, axis=0
}
macro twice(a -> b) {
  a -> %t, swap
  %t -> %u, swap
  %u, %t -> b, axis=1
}
"""

# What is shown, a script with macros, the same without, files that either includes.
CASES = [
    ("blocks of gate and up", INTERLEAVE + "gate, up -> x, interleave, block=3",
     "gate, up -> x, axis=0, groups=4"),
    ("one block, and a block for each row",
     INTERLEAVE + "gate, up -> x, interleave, block=12\na, b -> y, interleave, block=1",
     "gate, up -> x, axis=0\na, b -> y, axis=0, groups=6"),
    ("another axis, counted from behind", INTERLEAVE + "k, v -> x, interleave, block=2, axis=-1",
     "k, v -> x, axis=1, groups=2"),
    ("overloads undo each other", INTERLEAVE + "gate, up -> %f, interleave, block=2\n%f -> x, y, interleave, block=2",
     "gate -> x\nup -> y"),
    ("the way back alone", INTERLEAVE + "q -> x, y, interleave, block=2", "q -> x, y, axis=0, groups=3"),
    ("a template of calls",
     INTERLEAVE + "l.$LAYER_ID.gate, l.$LAYER_ID.up -> m.$LAYER_ID.fused, interleave, block=1",
     "\n".join(f"l.{i}.gate, l.{i}.up -> m.{i}.fused, axis=0, groups=2" for i in (0, 1, 2, 10))),
    ("turned arguments", INTERLEAVE + "a^T, b^T -> x, interleave, block=1\nl.0.up, a^T -> y, interleave, block=2",
     "a^T, b^T -> x, axis=0, groups=2\nl.0.up, a^T -> y, axis=0"),
    ("a name on both sides", "macro turn(a, b -> c, d) { b -> c; a -> d, copy }\nk, v -> k, v, turn\nq, w -> x, w, turn",
     "k -> %k\nv -> k\n%k -> v\nw -> x\nq -> w, copy"),
    ("calls and a caller with temporaries of one name",
     SWAP + "q -> %t\n%t -> x, swap\nv -> y, twice\nk -> %u, %t, axis=0\n%t, %u -> z, axis=0\nw -> u, swap",
     """q -> %0, %1, axis=0; %1, %0 -> x, axis=0
v -> %v, copy; %v -> %2, %3, axis=0; %3, %2 -> %s, axis=0; v, %s -> y, axis=1
k -> %4, %5, axis=0; %5, %4 -> z, axis=0
w -> %6, %7, axis=0; %7, %6 -> u, axis=0"""),
    ("parameters that are called like tensors",
     "macro join(q, k -> gate) { q -> %k; %k, k -> gate, axis=1 }\nv, w -> x, join\nk, a -> y, join",
     "v, w -> x, axis=1\nk, a -> y, axis=1"),
    ("names from values are no parameters",
     """macro pick(a -> b; n) { ${n} -> b; a -> rest.${n} }
macro before(q, k -> o) { ${q} -> %a, copy; %a, k -> o, axis=1 }
w -> x, pick, n="b"
k, v -> y, before""",
     "b -> x\nw -> rest.b\nk -> %a, copy\n%a, v -> y, axis=1"),
    ("what is thrown away",
     """macro halves(a -> b, c) { a -> b, c, axis=0 }
macro quarters(a -> b, c) { a -> %h, c, halves; %h -> b, _, halves }
macro turned(a -> b, c) { a -> b, permute=[]; b -> c, copy }
q -> _, x, quarters
gate -> y, _, quarters
w -> _, z, turned
v -> u, _, turned""",
     """q -> _, x, axis=0
gate -> y, _, _, _, axis=0
w -> z, permute=[]
v -> u, permute=[]"""),
    ("what may be missing",
     """macro m(a, b -> c) { a, bias?, b? -> c, axis=0; nothing -> rest, optional }
k, v -> x, m
w?, nobody? -> y, axis=0
l.$LAYER_ID.gate, l.$LAYER_ID.bias? -> z.$LAYER_ID, axis=0
if exists("nobody") { q -> r } else if exists("q") and not exists("x.0") { q -> s }""",
     "k, v -> x, axis=0\nw -> y\nq -> s\n" + "\n".join(f"l.{i}.gate -> z.{i}" for i in (0, 1, 2, 10))),
    ("lists",
     """let n = 2
w -> (((%a.${i}.${j}.${k} for k in 0..0) for j in 0..i) for i in 0..n-1), axis=0
((%a.${i}.${j}.0 for j in 0..i), (v for j in 1..i) for i in 0..1) -> x, axis=0
(t for i in 0..0) -> y, axis=0
k -> (z.${i} for i in 5..5), axis=1
q, (gone.${i} for i in 1..0) -> u, axis=1
macro each(a -> b; m) { a -> (%p.${i} for i in 1..m), axis=-1; (%p.${i + 1}, %p.${i} for i in 1..m-1) -> b, axis=0 }
square -> s, each, m=4""",
     """w -> %0, %1, %2, axis=0; %0, %1, %2, v -> x, axis=0
t -> y; k -> z.5; q -> u
square -> %p1, %p2, %p3, %p4, axis=1
%p2, %p1, %p3, %p2, %p4, %p3 -> s, axis=0"""),
    ("elements and arrays",
     """q -> %g[0:4], axis=1
(%g[i]? for i in 3..5), %g[0:2] -> x, axis=1
%g[2] -> r
macro m(a -> b; n) {
  a -> %g[0:n], axis=1
  %g[n-1] -> %last
  %last, (%g[n-2-i] for i in 0..n-2) -> b, axis=1
}
k -> y, m, n=4
v -> (%h[i] for i in 0..1), axis=0
%h[0]^T, %h[1]^T -> z, axis=0""",
     """q -> %0, %1, r, %3, axis=1; %3, %0, %1 -> x, axis=1
k -> %4, %5, %6, %7, axis=1; %7, %6, %5, %4 -> y, axis=1
v -> %8, %9, axis=0; %8^T, %9^T -> z, axis=0"""),
    ("loops",
     """for i in 0..1 { l.$LAYER_ID.gate -> x.$LAYER_ID.${i}, copy }
for i in 0..2 { for j in i..1 { if (i + j) % 2 == 0 { t -> y.${i}.${j}, copy } else { w -> y.${i}.${j}, copy } } }
for i in 1..0 { nothing -> nothing2 }
macro rows(a -> b) {
  for i in 0..extent(a, 0)-1 { a -> %r[i], slice="${i}:${i + 1}", copy }
  (%r[extent(a, 0)-1-i] for i in 0..extent(a, 0)-1) -> b, axis=0
}
k -> z, rows""",
     "\n".join(f"l.{i}.gate -> x.{i}.{j}, copy" for i in (0, 1, 2, 10) for j in (0, 1)) +
     "\nt -> y.0.0, copy\nw -> y.0.1, copy\nt -> y.1.1, copy\n" +
     "\n".join(f'k -> %{i}, slice="{i}:{i + 1}", copy' for i in range(6)) + "\n%5, %4, %3, %2, %1, %0 -> z, axis=0"),
    ("conditions on dtypes and shapes",
     """macro half(a -> b) { if dtype(a) == "F32" { a -> b, dtype=BF16 } else { a -> b, permute=[1, 0] } }
w -> %x, half
%x -> x, half
macro tall(a -> b) { if extent(a, 0) < extent(a, -1) { a^T -> b } else { a -> b } }
l.$LAYER_ID.up -> y.$LAYER_ID, tall
k -> z, tall""",
     "w -> %x, dtype=BF16\n%x -> x, permute=[]\nk -> z\n" + "\n".join(f"l.{i}.up^T -> y.{i}" for i in (0, 1, 2, 10))),
    ("values of all types",
     """let list = [1, 0]
let half = 0.5
let text = "bfloat16"
let yes = 2 > 1
let both = [[0, 1], [0, 2]]
q -> x, permute=list, scale=half, dtype=${text}
if yes and not (yes and half > 1) { k -> y, pad=both, value=half }
v -> ${text}.${len(list)}
macro m(a -> b; perm, turn=false, p=[[0, 1], [0, 0]]) { if turn { a -> b, permute=perm } else { a -> b, pad=p } }
a -> z, m, perm=list
b -> u, m, perm=list, turn=true
gate -> s, m, perm=[0, 1], turn=not yes, p=[[2, 0], [1, 1]]""",
     """q -> x, permute=[1, 0], scale=0.5, dtype=BF16
k -> y, pad=[[0, 1], [0, 2]], value=0.5
v -> bfloat16.2
a -> z, pad=[[0, 1], [0, 0]]
b -> u, permute=[1, 0]
gate -> s, pad=[[2, 0], [1, 1]]"""),
    ("attributes with defaults",
     """let width = 1
macro m(a -> b; n, size=n * 2, last=size + width, dtype=BF16, states=copy, axis=-2) {
  a -> %a, dtype=${dtype}
  %a -> b, repeat=last, axis=axis, block=n
}
k -> x, m, n=1
v -> y, m, n=1, size=0, dtype=F64
w -> z, m, n=3, last=2, axis=0, dtype="float16"
""",
     """k -> x, dtype=BF16, repeat=3, axis=0, block=1
v -> y, dtype=F64
w -> z, dtype=F16, repeat=2, axis=0, block=3"""),
    ("globals as they were at the definition",
     """let n = 2
macro cut(a -> b) { a -> (%p[i] for i in 0..n-1), axis=0; (%p[n-1-i] for i in 0..n-1) -> b, axis=1 }
let m = 3
macro both(a -> b; k=m) { a -> %x, cut; %x -> b, repeat=k, axis=0, block=1 }
for p in 0..0 { k -> x, both }
v -> y, cut""",
     """k -> %0, %1, axis=0; %1, %0 -> %x, axis=1; %x -> x, repeat=3, axis=0, block=1
v -> %2, %3, axis=0; %3, %2 -> y, axis=1"""),
    ("included macros", 'let blocks = 3\ninclude "more/attention.aoa"\nk, v -> x, join, block=blocks\ninclude "swap.aoa"\nw -> y, swap',
     "k, v -> x, axis=0, groups=2\nw -> %0, %1, axis=0; %1, %0 -> y, axis=0",
     {"more/attention.aoa": 'include "interleave.aoa"\nmacro join(a, b -> c; block) { a, b -> c, interleave, block=block }\n',
      "more/interleave.aoa": INTERLEAVE, "swap.aoa": SWAP}),
    ("built-in tags in bodies",
     """macro mlp(gate, up -> fused) { gate, up -> %f, fused_ffn, axis=0; %f -> fused }
macro outer(gate, up -> fused) { gate, up -> %f, mlp; %f -> fused }
macro attention(q, k, v -> o; heads, groups) {
  q, k, v -> %o, fused_qkv, num_heads=heads, num_key_value_groups=groups, axis=0
  assert extent(%o, 0) == extent(q, 0) + extent(k, 0) + extent(v, 0), "${extent(%o, 0)} rows"
  %o -> o
}
macro per_rank(q, k, v -> o) { q, k, v -> o, fused_qkv_old, num_heads=12, num_key_value_groups=6, axis=0 }
gate, up -> x, outer
q, k, v -> %y, attention, heads=6, groups=3
%y -> y
gate, up -> z, mlp
q, w, v -> u, per_rank""",
     """gate, up -> x, fused_ffn, axis=0
q, k, v -> y, fused_qkv, num_heads=6, num_key_value_groups=3, axis=0
gate, up -> z, fused_ffn, axis=0
q, w, v -> u, fused_qkv_old, num_heads=12, num_key_value_groups=6, axis=0"""),
    ("degrees that a body asks for",
     """macro ranks(gate, up -> fused; axis=0) {
  let n = dst_degree(fused, axis)
  gate -> (%g[i] for i in 0..n-1), axis=axis
  up -> (%u[i] for i in 0..n-1), axis=axis
  (%g[i], %u[i] for i in 0..n-1) -> fused, axis=axis
}
macro outer(gate, up -> fused) { gate, up -> %f, ranks; %f -> fused }
gate, up -> x, ranks
k, v -> %f, outer
%f -> y
a, b -> %z, ranks, axis=1
%z^T -> z""",
     "gate, up -> x, fused_ffn, axis=0\nk, v -> y, fused_ffn, axis=0\na, b -> %z, fused_ffn, axis=1\n%z^T -> z"),
    ("tensors without elements, and with one",
     """macro around(a -> b) { a^T -> %x; %x -> %y, repeat=2, axis=-1, block=1; %y -> b, permute=[] }
macro wide(a -> b) { a -> b, pad=[[0, 0], [0, 1]], value=2 }
empty -> x, wide
one -> y, around""",
     "empty -> x, pad=[[0, 0], [0, 1]], value=2\none -> y, repeat=2, axis=0, block=1"),
]


def source(folder):
    os.makedirs(f"{folder}/src")
    tensors, first = {}, 1.0
    for name, shape in SHAPES.items():
        count = number_of(shape)
        tensors[name] = ("F32", shape, struct.pack(f"<{count}f", *(first + i for i in range(count))))
        first += count
    write_tensors(f"{folder}/src/model.safetensors", tensors)
    return f"{folder}/src"


def files_of(folder):
    """What the files of an output hold, by their paths."""
    paths = (os.path.join(at, file) for at, _, names in os.walk(folder) for file in names)
    return {os.path.relpath(path, folder): read_tensors(path) for path in paths if path.endswith(".safetensors")}


def compare(what, folder, target, src):
    name = os.path.basename(target[1])[:-5] if target else "full"
    outputs = []
    for script in ("macros", "plain"):
        plan, output = f"{folder}/{script}-{name}.plan", f"{folder}/{script}-{name}"
        run("aoac", "compile", f"{folder}/{script}.aoa", "--source", src, *target, "-o", plan)
        run("aoac", "run", plan, "--source", src, "--output", output)
        if script == "macros":
            run("aoac", "verify", plan, "--source", src, "--output", output, "--exhaustive")
        outputs.append(files_of(output))
    if outputs[0] != outputs[1]:
        sys.exit(f"{what}: {folder}/macros-{name} and plain-{name} differ")
    return outputs[0]


def main():
    work, count = sys.argv[1], 0
    shutil.rmtree(work, ignore_errors=True)
    src = source(work)
    for number, (what, macros, plain, *included) in enumerate(CASES):
        folder = f"{work}/{number}"
        for path, text in [("macros.aoa", macros), ("plain.aoa", plain), *(included[0] if included else {}).items()]:
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "w", encoding="utf-8") as file:
                file.write(text + "\n")
        (whole,) = compare(what, folder, [], src).values()
        made = {name: shape for name, (_, shape, _) in whole.items() if shape and (name not in SHAPES)}
        assert made, what
        count += 1
        for ranks in (2, 3):
            rules = [{"match": name, "shard": {"0": "tp"}} for name, shape in made.items() if shape[0] % ranks == 0]
            rules.append({"match": "*", "replicate": True})
            layout = {"schema": "aoa.layout/1", "mesh": {"tp": ranks}, "rules": rules}
            compare(what, folder, ["--target", write_json(f"{folder}/of{ranks}.json", layout)], src)
            count += 1
    print(f"{count} conversions, alike with macros and without")


main()
