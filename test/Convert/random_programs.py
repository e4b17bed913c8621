#!/usr/bin/env python3
"""Random scripts between random layouts: random_programs.py WORK [--seed N] [--count N] [--first N].

Each program that the compiler takes is run with a random number of threads and little memory, and the oracle, which
evaluates the script element by element, must agree with every byte. Whole targets are also compared with what numpy
makes of the script, and scripts that both dialects take must give the same files in both. A target exported as an affine map must give the same tensors. A program that the compiler refuses must end with exit code 1 and an error with a place.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from random import Random

import numpy
from random_layouts import make_layout, make_listing, make_map, rounds
from random_scripts import ScriptMaker

NO_MAP = re.compile(r"^aoac: error: `.+`: rank \d+: no piece gives element ", re.MULTILINE)
LOCATED = re.compile(r"^[^:\n]+:\d+:\d+: error: .+ \[[a-z-]+\]$", re.MULTILINE)
READABLE = {"I32": "<i4", "I64": "<i8", "F32": "<f4", "F64": "<f8", "I16": "<i2", "U8": "u1", "BOOL": "u1"}


class Wrong(Exception):
    """The compiler did what it never may."""


class Program:
    def __init__(self, folder, random):
        self.folder, self.random, self.commands = folder, random, []
        self.compared = self.both_dialects = self.mapped = self.rounds = False
        self.refusal = None
        os.makedirs(folder)

    def write(self, name, content):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return name

    def run(self, *command, may_refuse=None):
        """Returns what a command wrote to stderr, or None where it was refused as it should be: as `may_refuse` says."""
        self.commands.append(" ".join(command))
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
        if done.returncode == 0:
            return done.stderr
        if may_refuse is None or done.returncode != 1 or not may_refuse.search(done.stderr):
            raise Wrong(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        self.refusal = done.stderr
        return None

    def make(self):
        random = self.random
        self.plain = random.random() < 0.25
        script = ScriptMaker(random, self.plain)
        self.results = script.results()
        self.write("script.aoa", script.text())
        source = {name.strip('"'): tensor for name, tensor in script.source.items()}
        tensors = [{"name": name, "dtype": t.dtype, "shape": list(t.shape)} for name, t in source.items()]
        self.write("source.json", {"schema": "aoa.catalog/1", "tensors": tensors})
        self.inputs = ["script.aoa", "--source", "src"]
        made = ["aoac-mkckpt", "source.json", "--output", "src"]
        if random.random() < 0.7:
            layout = (make_map if random.random() < 0.15 else make_layout)(random, source)
            self.rounds = rounds(layout)
            self.write("source-layout.json", layout)
            self.inputs += ["--source-layout", "source-layout.json"]
            if "params" not in layout and not any(rule.get("pad_value") for rule in layout["rules"]):
                made += ["--layout", "source-layout.json"]
            else:  # aoac-mkckpt writes no maps and pads with zeros
                self.run(*made[:-1], "whole")
                made = ["aoac", "convert", "--source", "whole", "--target", "source-layout.json", "--output", "src", "--verify"]
        elif random.random() < 0.5:
            made += ["--max-shard-size", "200"]
        self.kind = random.choices(("full", "layout", "listing", "map"), (0.3, 0.45, 0.15, 0.1))[0]
        if self.kind == "layout":
            self.inputs += ["--target", self.write("target.json", make_layout(random, self.results))]
        elif self.kind == "listing":
            self.inputs += ["--target", self.write("target.json", make_listing(random, self.results))]
        elif self.kind == "map":
            self.inputs += ["--target", self.write("target.json", make_map(random, self.results))]
        return self.run(*made, may_refuse=LOCATED if made[0] == "aoac" else re.compile("^aoac-mkckpt: ")) is not None

    def convert(self):
        """Returns whether the program was taken."""
        random = self.random
        if self.run("aoac", "compile", *self.inputs, "-o", "program.plan", may_refuse=LOCATED) is None:
            return False
        self.run("aoac", "run", "program.plan", "--output", "out", "--threads", str(random.randint(1, 4)), "--memory",
                 random.choice(("64KiB", "80KiB", "1MiB")))
        self.run("aoac", "verify", "program.plan", "--output", "out", "--exhaustive")
        if self.kind == "full":
            self.compare()
        if self.kind == "layout" and not self.arranges_flat_shards() and self.random.random() < 0.5:
            self.export()
        if self.plain:
            self.run("aoac", "convert", *self.inputs, "--std=paddle", "--output", "paddle")
            self.run("diff", "-r", "out", "paddle")
            self.both_dialects = True
        return True

    def arranges_flat_shards(self):
        """Whether a macro may ask how a flat shard is cut: a layout knows the local shard behind it, a map does not."""
        with open(f"{self.folder}/script.aoa") as script, open(f"{self.folder}/target.json") as target:
            return "fused" in script.read() and "flatten" in target.read()

    def export(self):
        """The target as an affine map gives the same checkpoint; not every target has one."""
        exported = self.run("aoac", "compile", *self.inputs, "--emit=affine-map", "-o", "map.json", may_refuse=NO_MAP)
        if exported is not None and self.results:
            at = self.inputs.index("--target") + 1
            self.run("aoac", "convert", *self.inputs[:at], "map.json", "--output", "mapped")
            self.run("aoac", "convert", "--source", "mapped", "--source-layout", "map.json", "--output", "one")
            # To read, a layout must say more than to write.
            read = self.run("aoac", "convert", "--source", "out", "--source-layout", "target.json", "--output", "two",
                            may_refuse=LOCATED)
            if read is not None:
                self.run("aoac", "diff", "one", "two")
                self.mapped = True

    def compare(self):
        """Compares a whole result with what the maker of the script says that it is."""
        with open(f"{self.folder}/out/model.safetensors", "rb") as file:
            data = file.read()
        begin = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:begin])
        header.pop("__metadata__", None)
        if header.keys() != self.results.keys():
            raise Wrong(f"results {sorted(header)}, expected {sorted(self.results)}")
        for name, tensor in self.results.items():
            entry = header[name]
            if (entry["dtype"], tuple(entry["shape"])) != (tensor.dtype, tensor.shape):
                raise Wrong(f"{name} is {entry}, expected {tensor.dtype} {tensor.shape}")
            if tensor.numbers is not None and not self.rounds:
                first, last = entry["data_offsets"]
                found = numpy.frombuffer(data[begin + first : begin + last], READABLE[tensor.dtype]).reshape(tensor.shape)
                if not (found == tensor.numbers).all():
                    raise Wrong(f"{name} is\n{found}\nexpected\n{tensor.numbers}")
                self.compared = True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program of this seed")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--keep", action="store_true", help="keep the folders of right programs")
    parser.add_argument("--refusals", action="store_true", help="show why programs were refused")
    args = parser.parse_args()
    print(f"seed {args.seed}")
    taken = compared = in_both = mapped = wrong = 0
    for number in range(args.first, args.first + args.count):
        folder = os.path.join(args.work, f"{args.seed}-{number}")
        program = Program(folder, Random(f"{args.seed}/{number}"))
        try:
            if program.make() and program.convert():
                taken += 1
                compared += program.compared
                in_both += program.both_dialects
                mapped += program.mapped
            elif args.refusals:
                print(f"{number}: {program.refusal}")
        except (Wrong, subprocess.TimeoutExpired) as fault:
            wrong += 1
            print(f"wrong: --seed {args.seed} --first {number} --count 1, in {folder}")
            print("  " + "\n  ".join(program.commands))
            print(f"  {fault}", flush=True)
            continue
        if not args.keep:
            shutil.rmtree(folder)
    share = "more than half taken" if 2 * taken > args.count else "too few taken"
    print(f"{args.count} programs, {wrong} wrong, {share}: {taken}; numpy agrees with {compared}, the other dialect with {in_both}, an affine map with {mapped}")
    sys.exit(1 if wrong else 0)


main()
