"""Random programs as IR text: round_trips.py WORK [--seed N] [--count N].

At each stage the text that the compiler prints comes back from aoac-opt as the same bytes, and passes run on text, from
stage to stage, make the text that the compiler makes.
"""

import argparse
import json
import os
import subprocess
import sys
from random import Random

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Convert"))
from random_layouts import make_layout, make_listing  # noqa: E402
from random_scripts import ScriptMaker  # noqa: E402

FIRST = "place-results,lower-to-pieces,check-coverage"
SECOND = "compose-layouts,check-transfers,fold"


def run(folder, *command, text=None):
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, timeout=300)


def write(folder, name, content):
    with open(os.path.join(folder, name), "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return name


def make(folder, random):
    """Writes a program and returns what the compiler is called with, source and script, then the target."""
    os.makedirs(folder)
    script = ScriptMaker(random, False)
    results = script.results()
    write(folder, "script.aoa", script.text())
    source = {name.strip('"'): tensor for name, tensor in script.source.items()}
    tensors = [{"name": name, "dtype": t.dtype, "shape": list(t.shape)} for name, t in source.items()]
    write(folder, "source.json", {"schema": "aoa.catalog/1", "tensors": tensors})
    inputs, target = ["script.aoa", "--source", "source.json"], []
    if random.random() < 0.7:
        inputs += ["--source-layout", write(folder, "source-layout.json", make_layout(random, source))]
    kind = random.choices(("full", "layout", "listing"), (0.2, 0.6, 0.2))[0]
    if kind != "full":
        made = make_layout(random, results) if kind == "layout" else make_listing(random, results)
        target = ["--target", write(folder, "target.json", made)]
    return inputs, target


def check(folder, random):
    """Returns whether the compiler took the program, and what went wrong."""
    inputs, target = make(folder, random)
    text = {}
    for stage in ("ir", "pieces", "transfers"):
        done = run(folder, "aoac", "compile", *inputs, *target, f"--emit={stage}")
        if done.returncode == 1:
            return False, None
        if done.returncode:
            return True, f"{stage}: exit {done.returncode}: {done.stderr.decode()}"
        text[stage] = done.stdout
        again = run(folder, "aoac-opt", "-", text=done.stdout)
        if again.stdout != done.stdout:
            return True, f"{stage} comes back otherwise: {again.stderr.decode()}"
    for begin, end, passes in (("ir", "pieces", FIRST), ("pieces", "transfers", SECOND)):
        made = run(folder, "aoac-opt", "-", f"--passes={passes}", "--verify-each", *target, text=text[begin])
        if made.stdout != text[end]:
            return True, f"passes make other {end} of the text: {made.stderr.decode()}"
    return True, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    args = parser.parse_args()
    print(f"seed {args.seed}")
    taken = wrong = 0
    for number in range(args.count):
        folder = os.path.join(args.work, f"{args.seed}-{number}")
        was_taken, fault = check(folder, Random(f"{args.seed}/{number}"))
        taken += was_taken
        if fault:
            wrong += 1
            print(f"{folder}: {fault}")
    share = "more than half taken" if 2 * taken > args.count else "too few taken"
    print(f"{args.count} programs, {wrong} wrong, {share}: {taken}")
    sys.exit(1 if wrong else 0)


main()
