#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs written twice: random_blocks.py WORK [--seed N] [--count N] [--first N].

Once with plain statements, once with loops, conditions, variables, lists and macros of one's own that stand for the same
statements. Both must give the same files or be refused for the same kinds. The oracle evaluates what expansion makes, so it
cannot see what expansion does wrong; the plain form can. What `aoac expand` prints of the second form gives the same files,
too, and so does what `aoac fmt` prints of it.
"""

import os
import re

import random_language
from random_block_forms import PLACEHOLDER, Step, parse_ref
from random_block_macros import MacroForms
from random_language import Wrong, files_of
from random_language_scripts import ScriptMaker


# A copy with other tags is what macros of one's own can be.
PRELUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", "Expand", "Prelude.aoa")


class Line(str):
    """A plain statement, and the step that it is."""


class BlockMaker(ScriptMaker):
    """Keeps the parts of the statements that it writes."""

    same_form = None
    ids = None

    def write(self, lefts, rights, tail=""):
        super().write(lefts, rights, tail)
        line = Line(self.lines[-1])
        refs = [[parse_ref(text) for text in side] for side in (lefts, rights)]
        reads = {ref.key: self.now[ref.name] for ref in refs[0] if ref.name in self.now and ref.kind != "discard"}
        asks = not any("fused_" in before for before in self.lines[:-1])
        patterns = [ref for side in refs for ref in side if ref.kind == "pattern"]
        simple = patterns and all(PLACEHOLDER.search(ref.name) and not set("{*[") & set(ref.name) for ref in patterns) and " in " not in tail
        line.step = Step(*refs, tail, reads, self.ids if simple else None, asks)
        self.lines[-1] = line

    def family(self):
        found = super().family()
        self.ids = found and found[1]
        return found

    def new_name(self, temporary=0.25):
        """Often like the one before but for its number, so that lists can hold both."""
        if self.same_form and self.random.random() < 0.6:
            self.fresh += 1
            name = self.same_form.format(self.fresh)
            if name[0].isdigit() or " " in name:
                self.needs_quotes.add(name)
            return name
        name = super().new_name(temporary)
        self.same_form = re.sub(str(self.fresh), "{}", name, count=1)
        return name

    def steps(self):
        return [line.step if isinstance(line, Line) else line for line in self.lines]


class BlocksProgram(random_language.Program):
    maker = BlockMaker
    dialects = ("aoa",)

    def write_blocks(self, name):
        """Writes the form of the script that has loops, conditions, variables, lists and macros."""
        script = self.script
        words = {word for line in script.lines for each in re.findall(r"\$\{[^}]*\}", line) for word in re.findall(r"\w+", each)}
        forms = MacroForms(self.random, script.needs_quotes, script.operations.number, words | set(script.variables))
        lines = forms.text(script.steps())
        with open(PRELUDE) as file:
            own = re.sub(r"\bmacro fused_", "macro own_", re.sub(r"\bis_paddle\b", "false", file.read()))
        lines.insert(0, f"include '{self.write('own.aoa', own)}'")
        self.write(name, "\n".join(lines) + "\n")

    def go(self):
        self.make()
        self.write_blocks("blocks.aoa")
        rest = [*self.source, *self.target, *self.options]
        plain, blocks = (self.run("aoac", "compile", f"{name}.aoa", *rest, "-o", f"{name}.plan") for name in ("script", "blocks"))
        if plain.returncode != blocks.returncode:
            raise Wrong(f"plain: exit {plain.returncode}\n{plain.stderr}with blocks: exit {blocks.returncode}\n{blocks.stderr}")
        if plain.returncode:
            return self.both_refused(plain.stderr, blocks.stderr)
        runs = [self.run("aoac", "run", f"{name}.plan", "--output", f"of-{name}") for name in ("script", "blocks")]
        if runs[0].returncode != runs[1].returncode:
            raise Wrong(f"plain: {runs[0].stderr}with blocks: {runs[1].stderr}")
        if runs[0].returncode:
            return "differing"
        self.same("of-blocks", "the form with blocks")
        if self.random.random() < 0.2:
            self.must("aoac", "verify", "blocks.plan", "--output", "of-blocks", "--exhaustive")
        if self.random.random() < 0.3:
            self.other_text("expand", ["aoac", "expand", "blocks.aoa", *(word for word in rest if not word.startswith(("--dtype", "--exclude")))], rest)
        if self.random.random() < 0.2:
            self.other_text("fmt", ["aoac", "fmt", "blocks.aoa"], rest)
        return "taken"

    def same(self, folder, what):
        one, other = files_of(f"{self.folder}/of-script"), files_of(f"{self.folder}/{folder}")
        if one != other:
            names = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
            raise Wrong(f"{what} gives other files: {names}")

    def other_text(self, name, command, rest):
        self.write(f"{name}.aoa", self.must(*command).stdout)
        self.must("aoac", "convert", f"{name}.aoa", *rest, "--output", f"of-{name}")
        self.same(f"of-{name}", f"what `aoac {name}` prints")

    def both_refused(self, plain, blocks):
        kinds = [{one or two for one, two in random_language.KIND.findall(text)} for text in (plain, blocks)]
        if kinds[0] != kinds[1]:
            raise Wrong(f"refused for {kinds[0]}, with blocks for {kinds[1]}\n{plain}{blocks}")
        self.kinds = kinds[0]
        return "refused"


if __name__ == "__main__":
    random_language.main(__doc__, BlocksProgram)
