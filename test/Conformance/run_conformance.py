# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of aoa-conformance.json against `aoac --std=paddle`.

  mapping  the plan reads the elements that `expect` reads, with the same casts
  error    exit code 1 and at least one error with file, line and column; none
           counts where a form is not supported yet
  expand   `aoac expand` prints the statements that upstream's macros make
  outputs  without a target, the plan writes these names with these shapes

Cases of kind rule and generation are for readers. The cases that fail must be
those of the file of expected failures, which gives a reason for each.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from math import prod
from pathlib import Path

import element_relation
from element_relation import WrongPlan, dtype_of
from paddle_reference import MACRO_TAGS, STATE_SUFFIXES, Expander, Statement, parse, turned_round, without_suffix

ELEMENT_BYTES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2,
                 "F8_E4M3": 1, "F8_E5M2": 1, "I8": 1, "U8": 1, "BOOL": 1}
LOCATED_ERROR = re.compile(r"^.+:\d+:\d+: error: (?P<text>.+)$", re.MULTILINE)
# Every source shard has a file of its own and starts at this byte of it.
SHARD_AT = 64


class Failure(Exception):
    """What the compiler did is not what the case says."""


class Crash(Failure):
    """The compiler ended as it never may; no reason excuses it."""


class Compiler:
    """Runs aoac on the files of one case."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.commands = []

    def write(self, name, value):
        path = self.folder / name
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
        return str(path)

    def run(self, *args):
        command = [self.program, *args, "--color=never"]
        self.commands.append(" ".join(command))
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            raise Crash("does not end") from None
        if done.returncode not in (0, 1):
            raise Crash(f"exit code {done.returncode}: {first_line(done.stderr)}")
        return done

    def output(self, *args):
        """What a run prints that must succeed."""
        done = self.run(*args)
        if done.returncode:
            raise Failure(f"refused: {first_error(done.stderr)}")
        return done.stdout


def first_line(text):
    return (text.strip().splitlines() or ["(no message)"])[0]


def first_error(text):
    """The first error without its place: places differ from machine to machine."""
    match = re.search(r"error: (.+)", text)
    return match[1] if match else first_line(text)


# Inputs.


def catalog(table, with_storages):
    """The catalog of a table, and for each storage the shard in it. Shard k of a key is on rank k."""
    storages, shards_of, tensors = [], {}, []
    for key in sorted(table):
        dtype = dtype_of(table[key][0]["dtype"])
        shards = []
        for rank, shard in enumerate(table[key]):
            shards.append({"ranks": [rank], "offset": shard["global_offset"], "shape": shard["local_shape"]})
            if with_storages:
                shards[-1].update(storage=len(storages), at=SHARD_AT)
                file = f"shard_{len(storages):04}.bin"
                storages.append({"file": file, "bytes": SHARD_AT + prod(shard["local_shape"]) * ELEMENT_BYTES[dtype]})
                shards_of[file] = {**shard, "key": key, "dtype": dtype, "at": SHARD_AT,
                                   "element_bytes": ELEMENT_BYTES[dtype]}
        tensors.append({"name": key, "dtype": dtype, "shape": table[key][0]["global_shape"], "shards": shards})
    return {"schema": "aoa.catalog/1", "storages": storages, "tensors": tensors}, shards_of


def whole(shard):
    return {**shard, "local_shape": shard["global_shape"], "global_offset": [0] * len(shard["global_shape"])}


def source_table(case):
    """The source, and the optimizer states that only `expect` or the destination names."""
    table = dict(case["source"])
    if case["kind"] == "mapping":
        suffixes = {without_suffix(key)[1] for key in case["destination"] or {}} & set(STATE_SUFFIXES[:3])
        for key, shards in case["source"].items():
            for suffix in suffixes if key == without_suffix(key)[0] else ():
                table.setdefault(key + suffix, [whole(shards[0])])
    for entry in case.get("expect", []):
        table.setdefault(entry["source_slice"]["key"], [whole(entry["source_slice"])])
    for key in case.get("any_source_of", []):
        table.setdefault(key, [whole(case["expect"][0]["source_slice"])])
    return table


def final_dtype(case):
    """The dtype that the query has in the end by what `expect` says."""
    for entry in case.get("expect", []):
        casts = [step for step in entry["postprocess"] or [] if not step.startswith(("[", "reshape:", "flatten:"))]
        return casts[-1] if casts else entry["source_slice"]["dtype"]
    return None


def target_table(case):
    """The destination with all dtypes. A key whose dtype a case leaves open is
    left out, unless it is queried or a macro may ask for it."""
    query = case.get("query")
    table = dict(case["destination"])
    if query and query["key"] not in table:
        table[query["key"]] = [whole(query)]
    elif query and case["kind"] == "error":
        table[query["key"]] = [query]
    open_keys = {key for key, shards in table.items() if shards[0]["dtype"] is None}
    if query and query["key"] in open_keys:
        table[query["key"]] = [{**shard, "dtype": final_dtype(case)} for shard in table[query["key"]]]
    if any(tag in text for text in case["statements"] for tag in MACRO_TAGS):
        return table
    return {key: table[key] for key in table if key not in open_keys or (query and key == query["key"])}


def script_of(case):
    script = {"aoa_statements": case["statements"]}
    if case.get("aoa_config_reverse"):
        script["aoa_config_reverse"] = True
    return script


def compile_arguments(case, compiler):
    """Writes the files of a case; returns the arguments of `aoac compile` and the shards in the source's files."""
    source, storages = catalog(source_table(case), with_storages=True)
    arguments = ["compile", "--std=paddle", "--source=" + compiler.write("source.json", source)]
    if case["destination"] is not None:
        target, _ = catalog(target_table(case), with_storages=False)
        arguments.append("--target=" + compiler.write("target.json", target))
    arguments.append(compiler.write("script.json", script_of(case)))
    return arguments, storages


# The kinds of cases. Each check returns, or raises Failure.


def check_mapping(case, compiler):
    arguments, storages = compile_arguments(case, compiler)
    query = case["query"]
    if not case["expect"]:
        text = compiler.output(*arguments, "--emit=transfers")
        if not re.search(rf"^transfer {re.escape(query['key'])} = .* left to the caller$", text, re.MULTILINE):
            raise Failure("the tensor is not left to the caller")
        return
    plan = json.loads(compiler.output(*arguments, "--emit=plan-json"))
    try:
        found = element_relation.of_plan(plan, query, target_table(case)[query["key"]], storages)
    except WrongPlan as fault:
        raise Failure(str(fault)) from None
    faults = [element_relation.difference(found, expected) for expected in accepted_relations(case)]
    if None not in faults:
        raise Failure(faults[0])


def accepted_relations(case):
    relation = element_relation.of_expectation(case["expect"])
    if "any_source_of" not in case:
        return [relation]
    return [{index: (key, *element[1:]) for index, element in relation.items()} for key in case["any_source_of"]]


def check_error(case, compiler):
    arguments, _ = compile_arguments(case, compiler)
    done = compiler.run(*arguments, "--emit=plan-json")
    if done.returncode == 0:
        raise Failure("accepted")
    errors = [match["text"] for match in LOCATED_ERROR.finditer(done.stderr)]
    if not errors:
        raise Failure(f"no error with a place: {first_line(done.stderr)}")
    for text in errors:
        if "[unsupported-" in text:
            raise Failure(f"refused as a whole, so not judged: {text}")


def check_expand(case, compiler):
    """All passes run, also where a case is about some: then upstream's other
    passes are worked out on what the case expects."""
    axis = int(next(iter(re.findall(r"axis\s*=\s*(\d+)", " ".join(case["statements"]))), 1))
    sides, ends = [], ("source", "target")
    if case.get("aoa_config_reverse"):
        ends = ("target", "source")
    for name, counts in zip(ends, (case["left_state_shards"], case["right_state_shards"])):
        if counts or name == "source":
            table = {key: equal_shards(count, axis) for key, count in counts.items()}
            sides.append(f"--{name}=" + compiler.write(f"{name}.json", catalog(table, with_storages=False)[0]))
    script = compiler.write("script.json", script_of(case))
    found = parse([compiler.output("expand", "--std=paddle", *sides, script)])
    expected = expected_expansion(case)
    for i in range(max(len(found), len(expected))):
        if found[i:i + 1] != expected[i:i + 1]:
            raise Failure(f"statement {i} is {found[i:i + 1]}, expected {expected[i:i + 1]}")


def equal_shards(count, axis):
    """A tensor cut in equal parts; its extents are multiples of all numbers of heads and ranks in the file."""
    whole_shape = [480, 480]
    local = [extent // count if i == axis else extent for i, extent in enumerate(whole_shape)]
    return [{"local_shape": local, "global_shape": whole_shape, "dtype": None,
             "global_offset": [rank * local[i] if i == axis else 0 for i in range(2)]} for rank in range(count)]


def expected_expansion(case):
    """A reversed script is printed turned round: a script like any other."""
    statements = written_expansion(case)
    if case.get("aoa_config_reverse"):
        return [turned_round(statement) for statement in reversed(statements)]
    return statements


def written_expansion(case):
    if "expect_text" in case:
        statements = parse(case["expect_text"])
    else:
        statements = [Statement(**statement) for statement in case["expect_expansion"]]
    if "passes" not in case:
        return statements
    worlds = case["left_state_shards"], case["right_state_shards"]
    return Expander(*worlds, case.get("aoa_config_reverse", False)).expand(statements)


def check_outputs(case, compiler):
    arguments, _ = compile_arguments(case, compiler)
    plan = json.loads(compiler.output(*arguments, "--emit=plan-json"))
    found = {region["tensor"]: region["shape"] for file in plan["targets"] for region in file["regions"]}
    if found != case["expect_outputs"]:
        raise Failure(f"the results are {found}, expected {case['expect_outputs']}")


CHECKS = {"mapping": check_mapping, "error": check_error, "expand": check_expand, "outputs": check_outputs}


# The whole run.


def failure_of(case, compiler):
    """Why a case fails, or None."""
    try:
        CHECKS[case["kind"]](case, compiler)
    except Failure as failure:
        return failure
    return None


def read_expected(path):
    """Name -> reason of a file of lines `name  # reason`."""
    lines = (line.partition("#") for line in Path(path).read_text(encoding="utf-8").splitlines())
    return {name.strip(): reason.strip() for name, _, reason in lines if name.strip()}


def is_excused(failure, reason):
    """Whether a case may fail like that. A diagnostic that the reason names, as
    in `(shape-mismatch)`, must be the one that was reported."""
    if reason is None or isinstance(failure, Crash):
        return False
    kind = re.search(r"\(([a-z-]+)\)$", reason)
    return not kind or f"[{kind[1]}]" in str(failure)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--aoac", default="aoac", help="the compiler")
    parser.add_argument("--cases", required=True, help="aoa-conformance.json")
    parser.add_argument("--work", required=True, type=Path, help="folder for the inputs of the compiler")
    parser.add_argument("--expected", required=True, help="file of the cases that may fail, with reasons")
    parser.add_argument("--show-commands", action="store_true", help="print the commands of the cases that fail")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    with open(arguments.cases, encoding="utf-8") as file:
        cases = [case for case in json.load(file)["cases"] if case["kind"] in CHECKS]
    expected = read_expected(arguments.expected)
    passed, failing, unexcused = Counter(), set(), 0
    for case in cases:
        compiler = Compiler(arguments.aoac, arguments.work / case["name"].replace("/", "."))
        failure = failure_of(case, compiler)
        if failure is None:
            passed[case["kind"]] += 1
            continue
        failing.add(case["name"])
        excused = is_excused(failure, expected.get(case["name"]))
        unexcused += not excused
        print(f"{'expected' if excused else 'FAIL'}: {case['kind']} {case['name']}: {failure}")
        if arguments.show_commands:
            print("  " + "\n  ".join(compiler.commands))
    for kind, total in Counter(case["kind"] for case in cases).items():
        print(f"{kind}: {passed[kind]} of {total}")
    print(f"{passed.total()} of {len(cases)} automatic cases pass")
    stale = sorted(expected.keys() - failing)
    for name in stale:
        print(f"PASSES NOW, strike it from {arguments.expected}: {name}")
    return 1 if unexcused or stale else 0


if __name__ == "__main__":
    sys.exit(main())
