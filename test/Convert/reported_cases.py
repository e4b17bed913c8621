# SPDX-License-Identifier: Apache-2.0
"""What users of other tools report as broken: reported_cases.py CASES WORK

CASES is a JSON list; each case has the values that a conversion must give, or words that its refusal must have. The cases
are kept as they were written down, so the scripts are here.
"""

import json
import os
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from rank_files import read_tensors, write_json, write_tensors  # noqa: E402

FORMATS = {"F32": "f", "I64": "q", "BOOL": "?"}


def flat(values):
    return [number for each in values for number in flat(each)] if isinstance(values, list) else [values]


def shape_of(values):
    return [len(values), *shape_of(values[0])] if isinstance(values, list) else []


def packed(dtype, values):
    return struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)


def tensor(dtype, shape, values):
    return dtype, shape, packed(dtype, values)


def whole(tensors):
    """Tensors as a case gives them: by values or as a ramp."""
    made = {}
    for name, entry in tensors.items():
        dtype, shape = entry.get("dtype", "F32"), entry.get("shape")
        values = entry.get("values")
        if values is None:
            size = 1
            for extent in shape:
                size *= extent
            values = [entry["ramp"] + i for i in range(size)]
        made[name] = tensor(dtype, shape or shape_of(values), flat(values))
    return made


def nested(tensors):
    """Tensors given as lists of numbers."""
    return {name: tensor("F32", shape_of(values), flat(values)) for name, values in tensors.items()}


class Work:
    def __init__(self, case, work):
        self.case, self.folder, self.expected = case, os.path.join(work, case["id"]), case["expect"]
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "source"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, tensors, file="source/model.safetensors"):
        os.makedirs(os.path.dirname(self.path(file)), exist_ok=True)
        write_tensors(self.path(file), tensors)

    def write_ranks(self, ranks, order=None):
        for rank in order or range(len(ranks)):
            self.write(ranks[rank], f"source/rank_{rank:05}.safetensors")

    def layout(self, name, axes, rules):
        return write_json(self.path(name), {"schema": "aoa.layout/1", "mesh": axes, "rules": rules}) and name

    def aoac(self, *arguments):
        return subprocess.run(["aoac", *arguments], cwd=self.folder, capture_output=True, text=True)

    def convert(self, script, *options, source="source", output="out"):
        with open(self.path("script.aoa"), "w", encoding="utf-8") as file:
            file.write(script + "\n")
        return self.aoac("convert", "script.aoa", "--source", source, "--output", output, *options)

    def passes(self, done, tensors, file="out/model.safetensors"):
        if done.returncode != 0:
            sys.exit(f"{self.case['id']}: exit {done.returncode}\n{done.stderr}")
        found = read_tensors(self.path(file))
        if found != tensors:
            sys.exit(f"{self.case['id']}: {file} holds\n{found}\nexpected\n{tensors}")

    def refuses(self, done, words, output="out"):
        missing = [word for word in words if word not in done.stderr]
        if done.returncode != 1 or missing or os.path.exists(self.path(output)):
            sys.exit(f"{self.case['id']}: exit {done.returncode}, without {missing}\n{done.stderr}")


def fused_qkv(work):
    source = whole(work.case["source_layout"]["tensors"])
    work.write(source)
    script = work.case["script_or_intent"].split(" (")[0].replace(" ; ", "\n")
    work.passes(work.convert(script), nested(work.expected["tensors"]))
    back = "\n".join(
        f"qkv.{x} -> q.{x}, k.{x}, v.{x}, fused_qkv, num_heads=4, num_key_value_groups=2, axis=0" for x in "wb"
    )
    work.passes(work.convert(back, source="out", output="back"), source, "back/model.safetensors")


def fused_ffn(work):
    work.write_ranks([nested(rank) for rank in work.case["source_layout"]["ranks"]])
    script = work.case["script_or_intent"].replace(" ; ", "\n")
    rules = [{"match": "*", "shard": {"0": "tp"}}]
    source = work.layout("source.json", {"tp": 2}, rules)
    work.passes(work.convert(script, "--source-layout", source), nested(work.expected["tp1"]))
    target = work.layout("target.json", {"tp": 4}, rules)
    done = work.convert(script, "--source-layout", source, "--target", target, output="tp4")
    for rank, tensors in enumerate(work.expected["tp4"]):
        work.passes(done, nested(tensors), f"tp4/rank_{rank:05}.safetensors")


def interleaved_halves(work):
    source = whole(work.case["source_layout"]["tensors"])
    work.write(source)
    work.passes(work.convert("gu -> %a, %b, axis=0\n%a, %b -> gu, axis=0, groups=4"), nested(work.expected["tensors"]))
    done = work.convert("gu -> %a, %b, axis=0, groups=4\n%a, %b -> gu, axis=0", source="out", output="back")
    work.passes(done, source, "back/model.safetensors")
    blocks = 'rearrange="(n block_size) -> n block_size", block_size=3'
    script = f"gu -> %a, %b, axis=0\n%a -> %c, {blocks}\n%b -> %d, {blocks}\n%c, %d -> gu, axis=1, reshape=[-1]"
    work.refuses(work.convert(script, output="refused"), work.expected["block_3"]["error_contains"], "refused")


def forgotten_transpose(work):
    work.write(whole(work.case["source_layout"]["tensors"]))
    listed = [{"name": name, **entry} for name, entry in work.case["target"]["tensors"].items()]
    write_json(work.path("target.json"), {"schema": "aoa.catalog/1", "tensors": listed})
    done = work.convert(work.case["script_or_intent"], "--target", "target.json")
    work.refuses(done, work.expected["error_contains"])


def differing_replicas(work):
    work.write_ranks([nested(rank) for rank in work.case["source_layout"]["ranks"]])
    source = work.layout("source.json", {"tp": 2}, [{"match": "*", "replicate": True}])
    done = work.convert("", "--source-layout", source, "--check-replicas=yes")
    work.refuses(done, work.expected["without_reduce"]["error_contains"])


def missing_result(work):
    work.write(whole(work.case["source_layout"]["tensors"]))
    listed = [{"name": name, "dtype": "F32", "shape": shape} for name, shape in work.case["target"]["tensors"].items()]
    write_json(work.path("target.json"), {"schema": "aoa.catalog/1", "tensors": listed})
    done = work.convert(work.case["script_or_intent"], "--target", "target.json")
    work.refuses(done, work.expected["error_contains"])


def many_ranks(work):
    ranks = [nested({"w": [[float(rank), 10.0 * rank]]}) for rank in range(12)]
    work.write_ranks(ranks, [10, 11, 0, 2, 1, 9, 3, 4, 5, 6, 7, 8])
    source = work.layout("source.json", {"dp": 12}, [{"match": "*", "shard": {"0": "dp"}}])
    work.passes(work.convert("", "--source-layout", source), nested(work.expected["tensors"]))
    os.remove(work.path("source/rank_00007.safetensors"))
    done = work.convert("", "--source-layout", source, output="refused")
    work.refuses(done, work.expected["rank 7 file deleted"]["error_contains"], "refused")


def tied_head(work):
    source = whole(work.case["source_layout"]["tensors"])
    work.write(source)
    script = "embed, head -> embed, tie=verify"
    done = work.convert(script)
    work.passes(done, {"embed": source["embed"]})
    if work.expected["a"]["report_contains"] not in done.stderr:
        sys.exit(f"{work.case['id']}: the report is\n{done.stderr}")
    done = work.convert("embed -> head, copy", source="out", output="both")
    work.passes(done, source, "both/model.safetensors")
    values = list(range(7)) + [8]
    work.write({**source, "head": tensor("F32", [4, 2], values)})
    work.refuses(work.convert(script, output="refused"), work.expected["b"]["error_contains"], "refused")


def source_as_output(work):
    source = nested({"w": [1.0, 2.0, 3.0]})
    work.write(source, "source/m.safetensors")
    os.symlink("source", work.path("link"))
    os.makedirs(work.path("hard"))
    os.link(work.path("source/m.safetensors"), work.path("hard/m.safetensors"))
    words = work.expected["a,b,c"]["error_contains"]
    for output in ("source", "link", "hard"):
        done = work.convert("", "--overwrite", source="source/m.safetensors", output=output)
        if done.returncode != 1 or any(word not in done.stderr for word in words):
            sys.exit(f"{work.case['id']}: {output}: exit {done.returncode}\n{done.stderr}")
        if read_tensors(work.path("source/m.safetensors")) != source:
            sys.exit(f"{work.case['id']}: {output}: the source changed")
    work.write(nested({"x": [4.0]}), "other/x.safetensors")
    before = read_tensors(work.path("other/x.safetensors"))
    os.symlink("other/x.safetensors", work.path("taken"))
    done = work.convert("", "--overwrite", output="taken")
    if done.returncode != 1 or read_tensors(work.path("other/x.safetensors")) != before:
        sys.exit(f"{work.case['id']}: a link as output: exit {done.returncode}\n{done.stderr}")


def prefix_once(work):
    work.write(whole(work.case["source_layout"]["tensors"]))
    work.passes(work.convert("model.$$REST -> $$REST"), nested(work.expected["tensors"]))


def global_dtype(work):
    source = whole(work.case["source_layout"]["tensors"])
    work.write(source)
    bits = [int(each, 16) for each in work.expected["bits"]["w"]]
    wanted = {**source, "w": ("BF16", [2], struct.pack("<2H", *bits))}
    work.passes(work.convert("", "--dtype=bf16".replace("bf16", "bfloat16")), wanted)
    done = work.convert("", "--dtype", "bf16", "--max-shard-size", "8", output="sharded")
    with open(work.path("sharded/model.safetensors.index.json"), encoding="utf-8") as file:
        total = json.load(file)["metadata"]["total_size"]
    if done.returncode != 0 or total != work.expected["total_size"]:
        sys.exit(f"{work.case['id']}: total_size {total}\n{done.stderr}")


def key_value_heads(work):
    entry = work.case["source_layout"]["tensors"]["k"]
    source = {"k": tensor("F32", entry["shape"], flat(entry["values"]))}
    work.write(source)
    layout = work.layout("tp4.json", {"tp": 4}, [{"match": "*", "shard": {"0": "tp"}}])
    done = work.convert("k -> k, repeat=2, axis=0, block=2", "--target", layout)
    for rank, rows in enumerate(work.expected["ranks"]):
        work.passes(done, nested({"k": rows}), f"out/rank_{rank:05}.safetensors")
    back = "k -> k, dedup=2, axis=0, block=2"
    done = work.convert(back, "--source-layout", layout, source="out", output="back")
    work.passes(done, source, "back/model.safetensors")
    # The same with the layout's own words: two ranks hold each head.
    groups = work.layout("groups.json", {"head": 2, "copy": 2}, [{"match": "*", "shard": {"0": "head"}}])
    replicas = ("--source-layout", groups, "--check-replicas=yes")
    work.passes(work.convert("", *replicas, source="out", output="merged"), source, "merged/model.safetensors")
    work.write(nested({"k": [[0.0], [1.5]]}), "out/rank_00001.safetensors")
    done = work.convert("", *replicas, source="out", output="refused")
    work.refuses(done, work.expected["merge with rank1 altered"]["error_contains"], "refused")
    done = work.convert(back, "--source-layout", layout, source="out", output="refused")
    work.refuses(done, ["k"], "refused")
    work.write({"q": tensor("F32", [12, 1], range(12)), "k": tensor("F32", [6, 1], range(6)), "v": tensor("F32", [6, 1], range(6))})
    script = "q, k, v -> f, fused_qkv_old, axis=0, num_heads=12, num_key_value_groups=3"
    work.refuses(work.convert(script, "--target", layout, output="refused"), work.expected["kv=3,tp=4"]["error_contains"], "refused")


def hostile_files(work):
    def file(header, data=b"", length=None):
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        return struct.pack("<Q", len(text) if length is None else length) + text + data

    def entry(begin, end, shape=(4,), dtype="F32"):
        return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}

    one = json.dumps(entry(0, 16))
    fixtures = {
        "overlap": file({"k": entry(0, 16), "v": entry(0, 16)}, bytes(16)),
        "hole": file({"a": entry(0, 8, [2]), "b": entry(16, 24, [2])}, bytes(24)),
        "trailing": file({"a": entry(0, 16)}, bytes(19)),
        "reversed": file({"a": entry(8, 0)}, bytes(8)),
        "past_eof": file({"a": entry(0, 16)}, bytes(15)),
        "size": file({"a": entry(0, 12)}, bytes(12)),
        "dup_key": file(f'{{"a": {one}, "a": {one}}}'.encode(), bytes(16)),
        "dtype": file({"a": entry(0, 16, dtype="F99")}, bytes(16)),
        "header_len": file({"a": entry(0, 16)}, bytes(16), 2**64 - 1),
        "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345678\n",
        "overflow": file({"a": entry(0, 16, [2**40, 2**40])}, bytes(16)),
    }
    messages = {}
    for name, content in fixtures.items():
        with open(work.path("x.safetensors"), "wb") as out:
            out.write(content)
        # The program itself takes some 30 MiB of address space; what a header claims must not be added to that.
        done = subprocess.run(
            ["bash", "-c", ("ulimit -v 400000; " if not os.environ.get("AOA_SANITIZED") else "") + "exec aoac inspect x.safetensors"],
            cwd=work.folder,
            capture_output=True,
            text=True,
        )
        if done.returncode != 1:
            sys.exit(f"{work.case['id']}: {name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        messages[name] = done.stderr
    for name in ("past_eof", "lfs"):
        if any(word not in messages[name] for word in work.expected[name]["error_contains"]):
            sys.exit(f"{work.case['id']}: {name}: {messages[name]}")
    if len(set(messages.values())) != len(messages):
        sys.exit(f"{work.case['id']}: one message for several faults: {messages}")
    for length in (0, 10**6):
        with open(work.path("x.safetensors"), "wb") as out:
            out.write(file({"a": entry(0, 16)}, bytes(16), length))
        if work.aoac("inspect", "x.safetensors").returncode != 1:
            sys.exit(f"{work.case['id']}: a header of {length} bytes is taken")
    for metadata in (None, {}):
        with open(work.path("x.safetensors"), "wb") as out:
            out.write(file({"__metadata__": metadata, "a": entry(0, 16)}, bytes(16)))
        done = work.aoac("inspect", "x.safetensors")
        if done.returncode != 0:
            sys.exit(f"{work.case['id']}: metadata {metadata}: {done.stderr}")


CHECKS = {
    "B01": fused_qkv,
    "B05": fused_ffn,
    "B06": interleaved_halves,
    "B12": forgotten_transpose,
    "B15": differing_replicas,
    "B22": missing_result,
    "B26": many_ranks,
    "B29": tied_head,
    "B53": source_as_output,
    "B70": prefix_once,
    "B87": global_dtype,
    "B109": key_value_heads,
    "B131": hostile_files,
}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = {case["id"]: case for case in json.load(file)}
    chosen = sys.argv[3:] or CHECKS
    for name in chosen:
        CHECKS[name](Work(cases[name], sys.argv[2]))
    print(f"{len(chosen)} cases as expected")


if __name__ == "__main__":
    main()
