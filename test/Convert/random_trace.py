#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random elements of random programs, traced: random_trace.py WORK [--seed N] [--first N] [--elements N].

The programs are those of random_language.py. For elements of their results `aoac trace --json` names bytes of the source,
bytes of the output and operations: the operations make the ones of the others, those of all steps together and those of
each place. The byte of the source holds the element of the source tensor that is named, which is looked up in the
source as it was before a layout cut it. From some of these the way is followed to the target again, and must lead to the
element that it came from.
"""

import argparse
import collections
import json
import os
import shutil
import sys
from random import Random

from element_operations import apply, encode, same, size_of
from random_language import STATES, Program, Wrong

MOST = 80  # Elements of one range.


def numel(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def row_major(index, shape):
    at = 0
    for i, extent in zip(index, shape):
        assert 0 <= i < extent
        at = at * extent + i
    return at


def header_of(data):
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), 8 + length


class TracedProgram(Program):
    def __init__(self, folder, random):
        super().__init__(folder, random)
        self.found = collections.Counter()
        self.files = {}

    def bytes_of(self, folder, place, dtype):
        path = f"{self.folder}/{folder}/{place['file']}"
        if path not in self.files:
            with open(path, "rb") as file:
                self.files[path] = file.read()
        data, size = self.files[path], size_of(dtype)
        if not 0 <= place["byte"] <= len(data) - size:
            raise Wrong(f"{place} lies outside of {path}, {len(data)} bytes")
        return data[place["byte"] : place["byte"] + size]

    def go(self):
        self.make()
        inputs = ["script.aoa", *self.source, *self.target, *self.options]
        if self.run("aoac", "compile", *inputs, "-o", "program.plan").returncode:
            return
        if self.run("aoac", "run", "program.plan", "--output", "out").returncode:
            return  # Tensors that differ.
        self.found["programs"] += 1
        with open(f"{self.folder}/whole/model.safetensors", "rb") as file:
            self.whole = file.read()
        self.header, self.begin = header_of(self.whole)
        targets = []
        for name, tensor in sorted(self.results.items()):
            shape = list(tensor.shape)
            targets.append((name, shape))
            if tensor.stateful:
                targets += [(name + suffix, shape if dtype else [1]) for suffix, dtype in STATES[self.states]]
        self.random.shuffle(targets)
        # What no statement makes has the shortest way.
        targets.sort(key=lambda target: target[0] in self.header)
        for name, shape in targets[:4]:
            self.trace(name, shape)

    def trace(self, name, shape):
        """Traces an element, or a range, of a target tensor."""
        if numel(shape) == 0:
            done = self.run("aoac", "trace", "program.plan", f"--tensor={name}", "--at=" + ",".join("0" * len(shape)))
            if done.returncode != 1 or not ("out of range" in done.stderr or "makes no tensor" in done.stderr):
                raise Wrong(f"an element of {name} {shape}\n{done.stdout}{done.stderr}")
            return
        box = self.box(shape)
        is_one = all(isinstance(axis, int) for axis in box)
        at = ",".join(str(axis) if isinstance(axis, int) else f"{axis.start}:{axis.stop}" for axis in box)
        done = self.run("aoac", "trace", "program.plan", f"--tensor={name}", f"--at={at}", "--json")
        if done.returncode == 1 and "the plan makes no tensor" in done.stderr and self.kind in ("listing", "map"):
            return  # The target does not list it.
        if done.returncode:
            raise Wrong(f"exit {done.returncode}\n{done.stderr}")
        traced = json.loads(done.stdout)
        indexes = [[]]
        for axis in box:
            indexes = [index + [i] for index in indexes for i in ([axis] if isinstance(axis, int) else axis)]
        elements = [traced] if is_one else traced
        if [element["target"]["index"] for element in elements] != indexes:
            raise Wrong(f"{at} of {name} {shape} gives other elements")
        for element in elements:
            self.check(element, name, shape)
        if self.random.random() < 0.3:
            self.reverse(self.random.choice(elements))
        if self.random.random() < 0.1:
            self.must("aoac", "trace", "program.plan", f"--tensor={name}", f"--at={at}")

    def box(self, shape):
        """An index, or for some axes a range."""
        random = self.random
        box = [random.randrange(extent) for extent in shape]
        left = random.choice((1, 1, MOST))
        for axis in random.sample(range(len(shape)), len(shape)):
            size = random.randint(1, min(left, shape[axis]))
            if left > 1:
                begin = random.randint(0, shape[axis] - size)
                box[axis] = range(begin, begin + size)
            left //= size
        return box

    def check(self, element, name, shape):
        self.found["elements"] += 1
        target, source = element["target"], element["source"]
        dtype = target["dtype"]
        if target["tensor"] != name or target["shape"] != shape or not target["places"]:
            raise Wrong(f"traced {target}, expected {name} {shape}")
        in_steps = [operation for step in reversed(element["steps"]) for operation in step["operations"]]
        for number, place in enumerate(target["places"]):
            written = self.bytes_of("out", place, dtype)
            if source is None:
                self.found["constants"] += 1
                read, source_dtype = self.constant(element, place), None
            else:
                source_dtype = self.header[source["tensor"]]["dtype"]
                read = self.bytes_of(self.source[1], place["source"], source_dtype)
                self.check_source(source, read, source_dtype, element)
                self.found["source bytes"] += 1
            chains = [place["operations"]] + [in_steps] * (number == 0)
            for operations in chains:
                if source is None:
                    break
                made, made_dtype = apply(read, source_dtype, operations)
                if made_dtype != dtype or not same(made, written, dtype):
                    raise Wrong(f"{operations} make {made.hex()} {made_dtype} of {read.hex()} {source_dtype}, "
                                f"found {written.hex()} {dtype}\n{json.dumps(element, indent=1)}")
            if source is None and not same(read, written, dtype):
                raise Wrong(f"a constant {read.hex()} is {written.hex()} {dtype}\n{json.dumps(element, indent=1)}")
        if source and source["rank"] != target["places"][0]["source"]["rank"]:
            raise Wrong(f"two ranks for {source}")
        self.found["operations"] += bool(in_steps)
        self.found["steps"] += len(element["steps"])

    def constant(self, element, place):
        """What the value that a statement says becomes."""
        dtype, value = element["target"]["dtype"], element["steps"][-1]["value"]
        in_steps = [operation for step in reversed(element["steps"]) for operation in step["operations"]]
        casts = [operation for operation in in_steps if " -> " in operation]
        first = casts[0].split(" -> ")[0] if casts else dtype
        made, _ = apply(encode(float(value) if first.startswith(("F", "BF")) else int(value), first), first, in_steps)
        return made

    def check_source(self, source, read, dtype, element):
        """The element that is named holds the byte that is read, but for a layout's scale."""
        entry = self.header[source["tensor"]]
        begin = self.begin + entry["data_offsets"][0] + row_major(source["index"], entry["shape"]) * size_of(dtype)
        if self.source[1] == "whole":
            if source["byte"] != begin or source["file"] != "model.safetensors" or source["rank"] != 0:
                raise Wrong(f"{source} lies at byte {begin}")
            return
        scaled = [step["operations"] for step in element["steps"] if step.get("reason", "").endswith("source's layout")]
        if scaled:
            read, _ = apply(read, dtype, scaled[-1])
        elif any(operation[0] in "*/" for operation in element["target"]["places"][0]["operations"]):
            return  # The target's scale alone.
        whole = self.whole[begin : begin + size_of(dtype)]
        if not same(read, whole, dtype) and not self.has_scale():
            raise Wrong(f"{source} reads {read.hex()}, the whole tensor holds {whole.hex()}")

    def has_scale(self):
        with open(f"{self.folder}/source-layout.json") as file:
            return '"scale"' in file.read()

    def reverse(self, element):
        source, target = element["source"], element["target"]
        if source is None:
            return
        at = ",".join(map(str, source["index"]))
        done = self.must("aoac", "trace", "program.plan", "--reverse", f"--source-tensor={source['tensor']}", f"--at={at}", "--json")
        traced = json.loads(done.stdout)
        for end in traced["ends"]:
            self.check(end, end["target"]["tensor"], end["target"]["shape"])
            if (end["source"]["tensor"], end["source"]["index"]) != (source["tensor"], source["index"]):
                raise Wrong(f"{source} leads to {end}")
        if [target["tensor"], target["index"]] not in [[end["target"]["tensor"], end["target"]["index"]] for end in traced["ends"]]:
            raise Wrong(f"{source} does not lead to {target}")
        self.found["ways forward"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program of this seed")
    parser.add_argument("--elements", type=int, default=500)
    parser.add_argument("--keep", action="store_true", help="keep the folders of right programs")
    args = parser.parse_args()
    found, number = collections.Counter(), args.first
    while found["elements"] < args.elements and not found["wrong"] > 5:
        program = TracedProgram(os.path.join(args.work, f"{args.seed}-{number}"), Random(f"{args.seed}/{number}"))
        try:
            program.go()
        except Wrong as fault:
            found["wrong"] += 1
            print(f"wrong: --seed {args.seed} --first {number} --elements 1 --keep, in {program.folder}")
            print("  " + "\n  ".join(program.commands))
            print(f"  {fault}", flush=True)
        else:
            if not args.keep:
                shutil.rmtree(program.folder)
        found += program.found
        number += 1
    print(f"seed {args.seed}: {found['elements']} elements of {found['programs']} programs, {found['wrong']} wrong: "
          f"{found['source bytes']} source bytes, {found['operations']} elements with operations, {found['constants']} constants, "
          f"{found['steps']} steps, {found['ways forward']} ways forward")
    sys.exit(1 if found["wrong"] else 0)


if __name__ == "__main__":
    main()
