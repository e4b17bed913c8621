#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs over the whole language: random_language.py WORK [--seed N] [--count N] [--first N].

Each program has a source of random bytes (whole, or in shards of a random layout), a script, a target and options. What
the compiler takes is run and compared with the oracle, which evaluates the statements element by element; names, shapes
and dtypes of whole targets are also what the maker of the script says. `aoac expand` must print a script that gives the
same files, and the IR must survive its text. Where compared tensors differ, the run must say so and leave nothing, and
the oracle must find the same. A program that is refused must be refused for a kind that is planned for it.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from random import Random

from random_language_scripts import ScriptMaker
from random_layouts import make_layout, make_listing, make_map
from random_operations import BYTES
from rank_files import write_tensors

STATES = {"deepspeed": ((".exp_avg", "F32"), (".exp_avg_sq", "F32"), (".fp32", "F32"), (".step", None)),
          "paddle": ((".moment1_0", "F32"), (".moment2_0", "BF16"), (".w_0", "F32"), (".beta1_pow_acc_0", None))}
KIND = re.compile(r"^[^:\n]+:\d+:\d+: error: .* \[([a-z-]+)\]$|^(?:aoac: )?error: .* \[([a-z-]+)\]$", re.MULTILINE)
# Layouts are random: some do not fit what the script makes.
OF_LAYOUTS = {"refused-placement", "layout-files", "layout-rule", "unsuitable-cut", "unclear-degree", "segments-and-macro",
              "layout-pattern", "unplaced-tensor", "inexact-padding"}
DIFFERS = re.compile(r"differ")


class Wrong(Exception):
    """The compiler did what it never may."""


def content(random, tensor):
    """Bytes of any value; seldom all alike."""
    size = tensor.size * BYTES[tensor.dtype]
    if tensor.dtype == "BOOL":
        return bytes(random.getrandbits(1) for _ in range(size))
    if random.random() < 0.05:
        return bytes([random.choice((0, 0x3C, 0x80))]) * size
    return random.randbytes(size)


def files_of(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Program:
    targets = {"full": 0.45, "layout": 0.35, "listing": 0.12, "map": 0.08}
    maker = ScriptMaker
    dialects = ("aoa", "paddle")

    def __init__(self, folder, random):
        self.folder, self.random, self.commands = folder, random, []
        os.makedirs(f"{folder}/whole")

    def write(self, name, value):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return name

    def run(self, *command):
        self.commands.append(" ".join(command))
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, 1, 3):
            raise Wrong(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def must(self, *command):
        done = self.run(*command)
        if done.returncode:
            raise Wrong(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def make(self):
        random = self.random
        dialect = self.dialects[-1] if random.random() < 0.15 else "aoa"
        self.states = random.choice((None, None, None, "deepspeed", "paddle"))
        self.script = script = self.maker(random, dialect, self.states)
        self.write("script.aoa", script.text())
        self.write("whole/config.json", script.config)
        tensors = {}
        for name, tensor in script.source.items():
            data = tensors[script.twins[name]][2] if name in script.twins else self.content(tensor)
            tensors[name] = (tensor.dtype, list(tensor.shape), data)
            if tensor.stateful:
                self.add_states(tensors, name, tensor)
        write_tensors(f"{self.folder}/whole/model.safetensors", tensors)
        self.options = [f"--std={dialect}"] if dialect == "paddle" or random.random() < 0.1 else []
        if self.states or dialect == "paddle":
            self.options.append(f"--states={self.states or 'none'}")
        for name, value in script.variables.items():
            self.options += ["-D", f"{name}={value}"]
        self.source = ["--source", "whole"]
        if random.random() < 0.3 and not any(tensor.stateful for tensor in script.source.values()) and all(map(fits_pattern, script.source)):
            layout = self.layout_of(script.source)
            self.write("source-layout.json", layout)
            done = self.run("aoac", "convert", "--source", "whole", "--target", "source-layout.json", "--output", "src")
            # To read, a layout must say more than to write.
            if done.returncode == 0 and all("shape" in rule for rule in layout["rules"] if "pieces" in rule):
                self.source = ["--source", "src", "--source-layout", "source-layout.json"]
        self.kind = random.choices(tuple(self.targets), tuple(self.targets.values()))[0]
        self.results = self.chosen(script.results())
        if self.kind != "full" and not all(map(fits_pattern, self.results)):
            self.kind = "full"
        self.target = []
        if self.kind == "layout":
            self.target = ["--target", self.write("target.json", self.placed(self.layout_of(self.results)))]
        elif self.kind == "listing":
            self.target = ["--target", self.write("target.json", make_listing(random, self.results))]
        elif self.kind == "map":
            self.target = ["--target", self.write("target.json", make_map(random, self.results))]

    def layout_of(self, tensors):
        return make_layout(self.random, tensors)

    def content(self, tensor):
        return content(self.random, tensor)

    def add_states(self, tensors, name, tensor):
        for suffix, dtype in STATES[self.states]:
            if dtype is None:
                tensors[name + suffix] = ("F32", [1], b"\0\0\x80\x3f")
            else:
                tensors[name + suffix] = (dtype, list(tensor.shape), self.content(tensor._replace(dtype=dtype)))

    def chosen(self, results):
        """What --dtype, --include and --exclude leave of the results."""
        random = self.random
        self.wanted = None
        if random.random() < 0.12:
            self.wanted = random.choice(("BF16", "F32", "F16"))
            self.options.append("--dtype=" + random.choice((self.wanted, {"BF16": "bf16", "F32": "float32", "F16": "float16"}[self.wanted])))
        if random.random() < 0.06 and results:
            gone = random.choice(sorted(results))
            if fits_pattern(gone):
                self.options.append(f"--exclude={gone}")
                results = {name: tensor for name, tensor in results.items() if name != gone}
        return results

    def placed(self, layout):
        """The layout with entries of `place` for some of the tensors."""
        if self.random.random() < 0.3 and self.results and layout.get("mesh"):
            axis = self.random.choice(sorted(layout["mesh"]))
            names = self.random.sample(sorted(self.results), self.random.randint(1, min(3, len(self.results))))
            layout["place"] = [{"match": name, **self.random.choice((
                {"on": {axis: self.random.randrange(layout["mesh"][axis])}}, {"stored_as": f"stored/{i}"}))} for i, name in enumerate(names)]
        return layout

    def go(self):
        """Returns what became of the program: taken, refused, or compared tensors that differ."""
        self.make()
        inputs = ["script.aoa", *self.source, *self.target, *self.options]
        checks = self.random.choice(([], [], ["--verify-each"], ["--force-ir-round-trip"]))
        done = self.run("aoac", "compile", *inputs, *checks, "-o", "program.plan")
        if done.returncode:
            return self.refused(done.stderr)
        # States that the target does not list are not made.
        unlisted = self.script.expected == {"state-operation"} and self.kind in ("listing", "map")
        if self.script.expected and not unlisted:
            raise Wrong(f"taken, expected one of {sorted(self.script.expected)}")
        done = self.run("aoac", "run", "program.plan", "--output", "out", "--threads", str(self.random.randint(1, 3)),
                        "--memory", self.random.choice(("64KiB", "80KiB", "1MiB")))
        if done.returncode:
            return self.differs(done)
        self.must("aoac", "verify", "program.plan", "--output", "out", "--exhaustive")
        if self.kind == "full":
            self.compare_names()
        if self.random.random() < 0.25:
            self.expand(inputs)
        return "taken"

    def refused(self, text):
        kinds = {one or two for one, two in KIND.findall(text)}
        allowed = set(self.script.expected or ())
        if len(self.source) > 2:
            allowed |= OF_LAYOUTS | {"source-contradiction"}
        if self.kind != "full":
            allowed |= OF_LAYOUTS | ({"dtype-mismatch"} if self.wanted else set())
        if self.kind != "full" and self.script.finished:
            allowed.add("wrong-reshape")  # cut inside of a block
        if self.kind != "full" and any("fused_qkv_old" in line for line in self.script.lines):
            allowed.add("shape-mismatch")  # copies of key/value heads, where there are fewer than ranks
        if self.kind in ("listing", "map"):
            allowed |= {"missing-tensor", "unused-source"}
        if not kinds or not kinds <= allowed:
            raise Wrong(f"refused for {sorted(kinds)}, planned {sorted(allowed)}\n{text}")
        self.kinds = kinds
        return "refused"

    def differs(self, done):
        if done.returncode != 1 or not DIFFERS.search(done.stderr):
            raise Wrong(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        if os.path.exists(f"{self.folder}/out"):
            raise Wrong(f"output in spite of\n{done.stderr}")
        os.makedirs(f"{self.folder}/nothing")
        oracle = self.run("aoac", "verify", "program.plan", "--output", "nothing", "--exhaustive")
        if oracle.returncode != 1 or not DIFFERS.search(oracle.stderr):
            raise Wrong(f"the run says\n{done.stderr}the oracle\n{oracle.stdout}{oracle.stderr}")
        return "differing"

    def compare_names(self):
        """The model's tensors of a whole result are those that the maker of the script knows."""
        found = {}
        for name, data in files_of(f"{self.folder}/out").items():
            if name.endswith(".safetensors"):
                found.update(json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")]))
        found.pop("__metadata__", None)
        states = tuple(suffix for suffix, _ in STATES[self.states]) if self.states else ()
        model = {name: entry for name, entry in found.items() if not (states and name.endswith(states))}
        if model.keys() != self.results.keys():
            raise Wrong(f"results {sorted(model)}, expected {sorted(self.results)}")
        for name, tensor in self.results.items():
            entry = model[name]
            if tuple(entry["shape"]) != tensor.shape or (entry["dtype"] != tensor.dtype and not self.wanted):
                raise Wrong(f"{name} is {entry}, expected {tensor}")
            count = sum(name + suffix in found for suffix in states)
            if count != (len(states) if tensor.stateful else 0):
                raise Wrong(f"{name} has {count} states, expected {tensor}")

    def expand(self, inputs):
        of_results = ("--dtype", "--exclude")  # what these say is not in a script
        done = self.must("aoac", "expand", *(word for word in inputs if not word.startswith(of_results)))
        self.write("expanded.aoa", done.stdout)
        self.must("aoac", "convert", "expanded.aoa", *inputs[1:], "--output", "again")
        if files_of(f"{self.folder}/out") != files_of(f"{self.folder}/again"):
            raise Wrong("the expanded script gives other files")
        again = self.must("aoac", "expand", "expanded.aoa", *(word for word in inputs[1:] if not word.startswith(of_results))).stdout
        # Where a tensor's name has a `%`, temporaries begin with ever more characters.
        if again != done.stdout and not any("%" in name for name in self.script.source):
            raise Wrong(f"expanded once\n{done.stdout}twice\n{again}")


def fits_pattern(name):
    """Whether a name means itself as a pattern of a layout and as a part of an option."""
    return not set(name) & set("*?{}[]")


def arguments(description, count, flags=()):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program of this seed")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--keep", action="store_true", help="keep the folders of right programs")
    parser.add_argument("--kinds", action="store_true", help="show why programs were refused")
    for flag in flags:
        parser.add_argument(flag, action="store_true")
    return parser.parse_args()


def go_through(args, make, ends, kinds):
    """Makes and checks the programs that the arguments ask for; counts how they end, and the kinds of refusals."""
    print(f"seed {args.seed}")
    for number in range(args.first, args.first + args.count):
        program = make(os.path.join(args.work, f"{args.seed}-{number}"), Random(f"{args.seed}/{number}"))
        try:
            end = program.go()
            ends[end] += 1
            if end == "refused":
                kinds.update(program.kinds)
        except (Wrong, subprocess.TimeoutExpired) as fault:
            ends["wrong"] += 1
            print(f"wrong: --seed {args.seed} --first {number} --count 1 --keep, in {program.folder}")
            print("  " + "\n  ".join(program.commands))
            print(f"  {fault}", flush=True)
            continue
        if not args.keep:
            shutil.rmtree(program.folder)
    if args.kinds:
        print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))


def main(description, make):
    """Makes programs as the command line says, and exits with 1 if one is wrong."""
    args = arguments(description, 200)
    ends, kinds = collections.Counter(), collections.Counter()
    go_through(args, make, ends, kinds)
    share = "more than half taken" if 2 * ends["taken"] > args.count else "too few taken"
    print(f"{args.count} programs, {ends['wrong']} wrong, {share}: {ends['taken']}; {ends['refused']} refused for {len(kinds)} kinds, "
          f"{ends['differing']} with tensors that differ")
    sys.exit(1 if ends["wrong"] else 0)


if __name__ == "__main__":
    main(__doc__, Program)
