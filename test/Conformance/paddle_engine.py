# SPDX-License-Identifier: Apache-2.0
"""Compares `aoac --std=paddle` with PaddlePaddle's own engine on random programs.

  paddle_engine.py --aoac aoac --work DIR --seed 1 --programs 300

Both make the same element relation of every result, with the same casts, or
aoac refuses with a diagnostic of those that docs/Language.md lists. What the
engine refuses aoac refuses, too, but for circles through `_`, which is no
tensor. Left out are reversed fused macros, which the release runs wrongly.
"""

import argparse
import io
import json
import logging
import os
import re
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import element_relation
from paddle_programs import COUNTERS, STATES, program
from run_conformance import catalog

from paddle.distributed.flex_checkpoint.aoa.aoa_engine import AOAEngine
from paddle.distributed.flex_checkpoint.dcp.sharded_weight import ShardedWeightDesc

# Diagnostics with which aoac refuses what the engine takes.
DEVIATIONS = {
    "unequal-merge", "remove-leaves-hole", "shape-mismatch", "dtype-mismatch", "wrong-permutation", "lost-binding",
    "macro-arity", "misplaced-tag", "failed-assertion", "unsuitable-cut", "reversed-fan-out", "reversed-macro",
    "wrong-reshape", "mixed-states", "state-in-script"}
ENGINE_ERRORS = (AssertionError, AttributeError, IndexError, KeyError, RuntimeError, SyntaxError, TypeError, ValueError)


def descriptor(key, shard):
    return ShardedWeightDesc(key, tuple(shard["local_shape"]), tuple(shard["global_shape"]),
                             tuple(shard["global_offset"]), shard["dtype"])


def table_of(table):
    return table and {key: [descriptor(key, shard) for shard in shards] for key, shards in table.items()}


def shard_of(described):
    return {"key": described.key, "local_shape": list(described.local_shape),
            "global_shape": list(described.global_shape), "global_offset": list(described.global_offset),
            "dtype": described.dtype}


def is_state(key):
    return key.endswith(STATES + COUNTERS)


def engine_relations(case):
    """Result -> relation, None for one that is left to the caller."""
    destination = case["destination"]
    engine = AOAEngine({"aoa_statements": case["statements"], "aoa_config_reverse": case["aoa_config_reverse"],
                        "enable_traceback": False}, table_of(case["source"]), table_of(destination))
    if destination is None:
        queries = {name: [whole_shard(name, tensor, case)] for name, tensor in engine.output_vars.items()}
    else:
        queries = destination
    relations = {}
    # A query of a state changes what the engine knows of a dtype.
    for key in sorted(queries, key=lambda name: (is_state(name), name)):
        relation = {}
        added = False
        for shard in queries[key]:
            entries = [{"target_slice": shard_of(entry.target_slice), "source_slice": shard_of(entry.source_slice),
                        "postprocess": entry.postprocess_list} for entry in
                       engine.find_shard_sources(descriptor(key, shard))]
            if is_state(key):
                for entry in entries:
                    entry["postprocess"] = [step for step in entry["postprocess"] or [] if step.startswith("[")]
            added |= not entries
            relation.update(element_relation.of_expectation(entries))
        relations[key] = None if added else relation
    return relations


def whole_shard(name, tensor, case):
    """A query of a whole result, of the dtype that it has."""
    casts = {tuple(step for step in steps or () if not step.startswith("[")) for _, _, _, steps in tensor.slices}
    last = {cast[-1] for cast in casts if cast}
    sources = {case["source"][key][0]["dtype"] for key, _, _, _ in tensor.slices}
    dtype = last.pop() if last else min(sources)
    return {"local_shape": list(tensor.shape), "global_shape": list(tensor.shape),
            "global_offset": [0] * len(tensor.shape), "dtype": dtype}


class Ours:
    """What aoac makes of a case."""

    def __init__(self, aoac, work):
        self.aoac, self.work = aoac, work
        work.mkdir(parents=True, exist_ok=True)

    def write(self, name, value):
        path = self.work / name
        path.write_text(json.dumps(value), encoding="utf-8")
        return str(path)

    def run(self, case):
        """Returns the plan and the source's shards, or the kinds of its errors."""
        source, storages = catalog(case["source"], with_storages=True)
        command = [self.aoac, "compile", "--std=paddle", "--emit=plan-json", "--color=never", "--error-limit=0",
                   "--source=" + self.write("source.json", source)]
        if case["destination"] is not None:
            command.append("--target=" + self.write(
                "target.json", catalog(case["destination"], with_storages=False)[0]))
        script = {"aoa_statements": case["statements"], "aoa_config_reverse": case["aoa_config_reverse"]}
        done = subprocess.run([*command, self.write("script.json", script)], capture_output=True, text=True,
                              timeout=120, check=False)
        if done.returncode == 1:
            kinds = set(re.findall(r"error: .*\[([a-z-]+)\]$", done.stderr, re.MULTILINE))
            return None, None, kinds or {done.stderr.strip()}
        if done.returncode:
            return None, None, {f"exit code {done.returncode}"}
        return json.loads(done.stdout), storages, None


def reads_what_is_not_there(relations, case):
    """Whether the engine maps to a state that the source lacks, which fails while loading, or gives nothing for a
    tensor that is removed."""
    removed = {text.removesuffix(" -> _") for text in case["statements"] if text.endswith(" -> _")}
    return any(name in removed if relation is None else any(element[0] not in case["source"]
                                                            for element in relation.values())
               for name, relation in relations.items())


def our_relations(plan, storages, case):
    shards_of = {}
    for file in plan["targets"]:
        for region in file["regions"]:
            shards_of.setdefault(region["tensor"], []).append(region["shape"])
    relations = {}
    for name, shapes in shards_of.items():
        shards = (case["destination"] or {}).get(name) or [
            {"local_shape": shapes[0], "global_shape": shapes[0], "global_offset": [0] * len(shapes[0])}]
        whole = {**shards[0], "key": name, "local_shape": shards[0]["global_shape"],
                 "global_offset": [0] * len(shards[0]["global_shape"])}
        relations[name] = element_relation.of_plan(plan, whole, shards, storages)
    return relations


def plain(relation):
    """Casts without those that change no value: 16 bits to F32, and on from there."""
    return {index: (key, at, plain_chain(chain)) for index, (key, at, chain) in relation.items()}


def plain_chain(chain):
    steps = []
    for i, dtype in enumerate(chain):
        if not (dtype == "F32" and steps and steps[-1] in ("F16", "BF16") and i + 1 < len(chain)) and dtype not in steps[-1:]:
            steps.append(dtype)
    return tuple(steps)


def same(ours, theirs, name):
    if name.endswith(COUNTERS):
        return len(ours) == len(theirs) and {i[0][-4:] for i in ours.values()} == {i[0][-4:] for i in theirs.values()}
    return plain(ours) == plain(theirs)


def compare(case, ours):
    """Returns how the case went, and what is wrong with it or None."""
    plan, storages, kinds = ours.run(case)
    try:
        with redirect_stdout(io.StringIO()):
            theirs = engine_relations(case)
    except ENGINE_ERRORS as error:
        if kinds is None and re.search("loop is:.*[ >]_->", str(error)):
            return "taken, and the engine runs in a circle", None
        if kinds is None:
            return "accepted", f"the engine refuses: {type(error).__name__}: {str(error)[:300]}"
        return "both refuse", None
    if kinds is not None:
        # A declaration cannot be written to files, only handed to the caller.
        if kinds == {"left-to-caller"}:
            return "left to the caller", None
        excused = kinds & DEVIATIONS or ("missing-tensor" in kinds and reads_what_is_not_there(theirs, case))
        return f"refused: {', '.join(sorted(kinds))}", None if excused else f"aoac refuses with {kinds}"
    found = our_relations(plan, storages, case)
    if case["destination"] is None:
        return compare_outputs(case, found, theirs)
    for name, relation in theirs.items():
        if relation is None:
            return "left to the caller", f"{name} has no source, and aoac writes it"
        if not same(found.get(name, {}), relation, name):
            return "differs", f"{name}: {element_relation.difference(found.get(name, {}), relation)}"
    return "same", None


def compare_outputs(case, found, theirs):
    """Results of the model, by name; the engine may call them otherwise."""
    found = {name: plain(relation) for name, relation in found.items() if not is_state(name)}
    theirs = {name: relation and plain(relation) for name, relation in theirs.items()}
    if found == theirs:
        return "same", None

    def content(relations):
        return sorted(sorted((index, element) for index, element in relation.items()).__repr__()
                      for relation in relations.values())
    if content(found) == content(theirs):
        return "same under the user's names", None
    missing = {name: relation for name, relation in theirs.items()
               if not any(relation == other for other in found.values())}
    kept = renamed_by_axis(case)
    if loses_results(case) and all(name in kept or is_part(name, case) for name in missing):
        return "other results: the engine loses some, or keeps some", None
    return "differs", f"results {sorted(found)}, the engine has {sorted(theirs)}"


def renamed_by_axis(case):
    """Tensors that stay results upstream when another name is given to them."""
    return {match[1] for text in case["statements"] if (match := re.match(r"^([^,]+) -> [^,]+, axis=\d+$", text))}


def is_part(name, case):
    """Whether a name may be a temporary of a fused macro."""
    return name.startswith("fused_") or (
        name[-1].isdigit() and any(name.rstrip("0123456789") in text for text in case["statements"] if "fused_" in text))


def loses_results(case):
    """Statements with an axis that join or cut nothing, which do not count as a use upstream."""
    return any(re.match(r"^[^,]+ -> [^,]+, axis=\d+$", text) or "fused" in text for text in case["statements"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--aoac", default="aoac")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=int(os.environ.get("AOA_TEST_CASES", 300)))
    parser.add_argument("--show", type=int, default=5, help="print this many faults")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    ours, counts, faults = Ours(arguments.aoac, arguments.work), Counter(), 0
    for number in range(arguments.programs):
        seed = arguments.seed * 1_000_003 + number
        case = program(seed)
        how, fault = compare(case, ours)
        counts[how] += 1
        if fault:
            faults += 1
            if faults <= arguments.show:
                print(f"seed {seed}: {fault}\n  {json.dumps(case)}")
    for how, count in sorted(counts.items()):
        print(f"{count} {how}")
    print(f"{arguments.programs} programs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
