#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs and their ways back: random_invert.py WORK [--seed N] [--count N] [--first N] [--blocks].

Programs of random_language.py, over layouts at both ends. Where `aoac invert` gives a script, what the program makes is
converted back with it and must be the source again, byte for byte, files beside the tensors included. Where that script
has an inverse itself, this one gives the same result as the program, and is inverted to the same text again. A program
whose way back is refused must lose something: the diagnostic is `not-invertible`. With --blocks the scripts have loops,
lists, conditions, variables and macros of random_blocks.py.
"""

import collections
import sys

from random_blocks import BlockMaker, BlocksProgram
from random_language import KIND, Program, Wrong, arguments, content, files_of, go_through

# Bits of exponent and mantissa.
FLOATS = {"F64": (11, 52), "F32": (8, 23), "F16": (5, 10), "BF16": (8, 7), "F8_E5M2": (5, 2), "F8_E4M3": (4, 3)}


class ThereAndBack(Program):
    targets = {"full": 0.5, "layout": 0.5}

    def content(self, tensor):
        """Any values but NaN, whose payload a cast may change."""
        data = content(self.random, tensor)
        if tensor.dtype not in FLOATS:
            return data
        exponent, mantissa = FLOATS[tensor.dtype]
        width = (1 + exponent + mantissa) // 8
        cleared = ~(1 << (exponent + mantissa - 1))
        highest = ((1 << exponent) - 1) << mantissa
        values = (int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width))
        return b"".join((value & cleared if value & highest == highest else value).to_bytes(width, "little") for value in values)

    def layout_of(self, tensors):
        """A layout that rounds nothing, and that says what reading needs."""
        layout = super().layout_of(tensors)
        for rule in layout["rules"]:
            rule.pop("scale", None)
            if "pieces" in rule and "shape" not in rule:
                del rule["pieces"]
                rule.pop("pad_value", None)
                rule["replicate"] = True
        return layout

    def chosen(self, results):
        self.wanted = None
        return results

    def convert(self, script, source, target, output):
        done = self.run("aoac", "convert", *([script] if script else []), *source, *target, *self.options, "--output", output)
        return done.returncode == 0

    def invert(self, script, source, target, output, options):
        done = self.run("aoac", "invert", script, *source, *target, *options, "-o", output)
        if done.returncode == 0:
            return done.stderr
        self.kinds = {one or two for one, two in KIND.findall(done.stderr)}
        if self.kinds != {"not-invertible"}:
            raise Wrong(f"not inverted for {sorted(self.kinds)}\n{done.stderr}")
        return None

    def must_equal(self, one, two, what):
        first, second = files_of(f"{self.folder}/{one}"), files_of(f"{self.folder}/{two}")
        if first != second:
            names = [name for name in sorted({*first, *second}) if first.get(name) != second.get(name)]
            raise Wrong(f"{what}: {names} differ")

    def go(self):
        self.make()
        if not self.convert("script.aoa", self.source, self.target, "out"):
            return "not converted"
        warned = self.invert("script.aoa", self.source, self.target, "back.aoa", self.options)
        if warned is None:
            return "refused"
        with open(f"{self.folder}/back.aoa") as file:
            text = file.read()
        # What the way back reads and writes: the layouts of the two ends change places.
        made = ["--source", "out"] + (["--source-layout", *self.target[1:]] if self.target else [])
        wanted = ["--target", self.source[3]] if len(self.source) > 2 else []
        forward_options, self.options = self.options, [word for word in self.options if not word.startswith("--std")]
        if not self.convert("back.aoa", made, wanted, "back"):
            if self.convert(None, made, [], "unread"):
                raise Wrong("the way back is not taken")
            return "not read"  # the layout does not say enough to read what it placed
        if len(self.source) > 2:
            expected = "src"
        else:
            expected = "same"
            self.convert(None, self.source, [], expected)
        rounds = "inexact-inverse" in warned or "scale=" in text
        if not rounds:
            self.must_equal("back", expected, "there and back")
        if self.invert("back.aoa", made, wanted, "again.aoa", self.options) is None:
            return "inverted once" if not rounds else "rounded"
        if not rounds:
            if not self.convert("again.aoa", self.source, self.target, "out2"):
                raise Wrong("the inverse of the way back is not taken")
            self.must_equal("out2", "out", "the inverse of the way back")
        if self.invert("again.aoa", self.source, self.target, "third.aoa", self.options) is None:
            raise Wrong("the third inverse is refused")
        with open(f"{self.folder}/third.aoa") as file:
            third = file.read()
        if without_comments(third) == without_comments(text):
            return "inverted twice" if not rounds else "rounded"
        # Stable from the second inversion on.
        if self.invert("third.aoa", made, wanted, "fourth.aoa", self.options) is None:
            raise Wrong("the fourth inverse is refused")
        self.invert("fourth.aoa", self.source, self.target, "fifth.aoa", self.options)
        with open(f"{self.folder}/fifth.aoa") as file:
            fifth = file.read()
        if without_comments(third) != without_comments(fifth):
            raise Wrong(f"the third inverse is\n{third}the fifth\n{fifth}")
        return "inverted twice" if not rounds else "rounded"


class BlocksThereAndBack(ThereAndBack):
    maker, dialects, write_blocks = BlockMaker, ("aoa",), BlocksProgram.write_blocks

    def make(self):
        super().make()
        self.write_blocks("script.aoa")


def without_comments(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


def main():
    args = arguments(__doc__, 100, ("--blocks",))
    ends, kinds = collections.Counter(), collections.Counter()
    go_through(args, BlocksThereAndBack if args.blocks else ThereAndBack, ends, kinds)
    print(f"{args.count} programs, {ends['wrong']} wrong: {ends['inverted twice']} inverted twice, {ends['inverted once']} once, "
          f"{ends['rounded']} rounded, {ends['refused']} refused, {ends['not converted']} not converted, {ends['not read']} not read")
    sys.exit(1 if ends["wrong"] else 0)


if __name__ == "__main__":
    main()
