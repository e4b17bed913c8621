# SPDX-License-Identifier: Apache-2.0
"""Macros of one's own that stand for a run of statements of a random script."""

import re
from dataclasses import replace

from random_block_forms import ATTRIBUTES, DTYPE, NUMBER, PARAMETERS, RESERVED, WORD, Forms, Ref, Scope, Step

TEMPORARIES = ("t", "t1", "t2", "x", "g", "a.b", "p", "tmp")


class MacroForms(Forms):
    """`definitions` are written before what calls them."""

    def call(self, run, later, scope):
        """The lines of a call that stands for `run`; None where no macro can."""
        body = Body(self, run, later, scope)
        thrown = {name for name, ref in zip(body.right_parameters, body.results) if ref.kind == "discard" or ref.name in scope.thrown}
        if not body.arguments or len(thrown) == len(body.results):
            return None
        tag = self.tag(len(body.arguments), len(body.results))
        attributes, given = self.attributes(run, body, scope)
        values = {**body.texts(), **{name: value for name, (value, _) in attributes.items()}}
        inside = Scope(set(body.parameters), values, thrown, scope.depth + 1, True)
        lines = self.text(body.steps, inside)
        if body.steps[0].asks and self.random.random() < 0.3:
            known = replace(body.steps[0], types=body.known)
            lines.insert(0, f"assert {self.truth(known, inside)}, \"of ${{{body.left_parameters[0]}}}\"")
        head = f"macro {tag}({', '.join(body.left_parameters)} -> {', '.join(body.right_parameters)}"
        defined = [name if fallback is None else f"{name}={fallback}" for name, (_, fallback) in attributes.items()]
        if defined:
            head += "; " + ", ".join(defined)
        self.definitions.append("\n".join([head + ") {", *lines, "}"]))
        words = [tag, *given]
        self.random.shuffle(words)
        arguments, results = ([self.spelt(ref, scope) for ref in refs] for refs in (body.arguments, body.results))
        arrow = self.random.choice((" -> ", "->", "\n  -> "))
        return [", ".join(arguments) + arrow + ", ".join(results) + ", " + ", ".join(words)]

    def tag(self, left, right):
        known = [tag for tag, forms in self.tags.items() if (left, right) not in forms]
        if known and self.random.random() < 0.5:
            tag = self.random.choice(known)
        else:
            self.fresh += 1
            tag = f"{self.random.choice(('pack', 'm', 'Tag_'))}{self.fresh}"
            self.tags[tag] = set()
        self.tags[tag].add((left, right))
        if self.random.random() < 0.3:
            other = (left + self.random.randint(0, 1), right + 1)
            if other not in self.tags[tag]:
                self.tags[tag].add(other)
                names = [f"z{i}" for i in range(sum(other))]
                self.definitions.append(f"macro {tag}({', '.join(names[: other[0]])} -> {', '.join(names[other[0] :])}) {{\n"
                                        f"  assert false, \"not this one\"\n}}")
        return tag

    def attributes(self, run, body, scope):
        """Attributes with their values and defaults, and what a call gives."""
        numbers = sorted({int(match.group()) for step in run for match in NUMBER.finditer(step.tail)})
        words = sorted({match["word"] for step in run for match in DTYPE.finditer(step.tail)})
        texts = sorted({ref.name for step in run for ref in step.refs if ref.kind == "tensor" and "%" not in ref.name})
        values = self.random.sample(numbers + words + texts, min(len(numbers + words + texts), self.random.choice((0, 1, 1, 2, 3))))
        attributes, given = {}, []
        for value in values:
            name = self.unused(ATTRIBUTES, replace(scope, parameters=set(body.parameters), variables={}), attributes)
            shown = self.number(value) if isinstance(value, int) else self.quoted(value)
            way = self.random.random()
            if way < 0.35:
                attributes[name] = (value, shown)
                continue
            wrong = "1/0" if way < 0.5 else "77"
            attributes[name] = (value, wrong if way < 0.65 else None)
            given.append(f"{name}={shown}")
        return attributes, given


class Body:
    """The statements of a run with parameters and temporaries in place of names."""

    def __init__(self, forms, run, later, scope):
        self.forms, self.random, self.run, self.scope = forms, forms.random, run, scope
        self.arguments, self.results, self.left_parameters, self.right_parameters = [], [], [], []
        self.known, self.steps, self.current, self.by_argument = {}, [], {}, {}
        self.turned, self.temporaries = set(), set()
        later_text = "\n".join(each if isinstance(each, str) else text_of(each) for each in later)
        self.later = later_text
        self.only_plain = not set(later_text) & set("$*")  # no template sees which names were bound
        bound = {ref.key for step in run for ref in step.rights}
        copies = any(", copy" in step.tail for step in run)
        removed = {ref.key for step in run if step.removes for ref in step.lefts}
        # A name that is put aside is read by that, which shows where nothing else of a call reads it.
        self.pure = not copies and not removed
        read = {ref.key for step in run for ref in step.lefts}
        if not self.pure and bound & read:
            return
        self.taken = {name for _, name in bound | read}
        for index, step in enumerate(run):
            self.add(step, run[index + 1 :])

    @property
    def parameters(self):
        return self.left_parameters + self.right_parameters

    def texts(self):
        """What `${…}` of a parameter puts in: the name that it stands for, unless that is put aside."""
        found, bound = {}, {self.meant(ref) for ref in self.results}
        for name, ref in zip(self.parameters, self.arguments + self.results):
            text = self.meant(ref)
            if text and not ref.suffix and (text not in bound or name in self.right_parameters):
                found[name] = text
        return found

    def meant(self, ref):
        """The tensor's name, as far as it is known here."""
        text = self.scope.variables.get(ref.name) if ref.kind == "parameter" else ref.name
        return text if ref.kind in ("tensor", "parameter") and isinstance(text, str) and text != "_" else None

    def parameter(self):
        """A name for a parameter: often one that is a tensor's."""
        pool = PARAMETERS
        if self.random.random() < 0.5:
            pool = [name for name in sorted(self.taken) if WORD.fullmatch(name) and name not in RESERVED and not name.endswith("_ID")] or pool
        return self.forms.unused(pool, replace(self.scope, parameters=set(self.parameters), variables={}))

    def add(self, step, rest):
        lefts, types = [], {}
        for ref in step.lefts:
            made = self.read(ref)
            lefts.append(made)
            if ref.key in step.types and ref.key not in self.current and made.kind != "discard":
                tensor = step.types[ref.key]
                if made.kind == "parameter" and made.name in self.turned:
                    tensor = tensor.of(tensor.shape[::-1])
                types[made.key] = self.known[made.key] = tensor
        rights = [self.bind(ref, rest, step.removes) for ref in step.rights]
        for ref, made in zip(step.rights, rights):
            if ref.kind != "discard":
                self.current[ref.key] = made
        self.steps.append(Step(lefts, rights, step.tail, types, None, step.asks))

    def read(self, ref):
        if ref.kind == "discard":
            return ref
        if ref.key in self.current:
            return replace(self.current[ref.key], suffix=ref.suffix)
        if ref.kind == "tensor" and self.random.random() < 0.15:
            return ref
        flips = self.pure and ref.suffix in ("", "^T") and self.random.random() < 0.3
        key = (ref.key, flips)
        if key not in self.by_argument or self.random.random() < 0.2 and self.pure:
            name = self.parameter()
            self.by_argument[key] = name
            self.left_parameters.append(name)
            self.arguments.append(replace(ref, suffix="^T" if flips else ""))
            self.turned |= {name} if flips else set()
        suffix = {"": "^T", "^T": ""}[ref.suffix] if flips else ref.suffix
        return Ref("parameter", self.by_argument[key], suffix)

    def bind(self, ref, rest, removes):
        if ref.kind == "discard":
            if removes or self.random.random() < 0.7:
                return ref
            name = self.parameter()
            self.right_parameters.append(name)
            self.results.append(ref)
            return Ref("parameter", name)
        again = any(ref.key == other.key for step in rest for other in step.rights)
        mentioned = re.search(rf"(?<![\w%]){re.escape(ref.name)}(?![\w])", self.later) is not None
        is_read = any(ref.key == other.key for step in rest for other in step.lefts)
        inner = again and self.only_plain or (ref.kind == "temporary" and not mentioned)
        if inner and is_read or (ref.kind == "temporary" and not mentioned):
            return self.temporary()
        if ref.kind == "tensor" and self.random.random() < 0.15:
            return ref
        if ref.key in self.current and self.current[ref.key].kind == "parameter" and self.current[ref.key].name in self.right_parameters:
            return self.current[ref.key]
        name = self.parameter()
        self.right_parameters.append(name)
        self.results.append(ref)
        return Ref("parameter", name)

    def temporary(self):
        """One that the body does not have; the caller may."""
        callers = [ref.name for step in self.run for ref in step.refs if ref.kind == "temporary"]
        for _ in range(20):
            name = self.random.choice(callers) if callers and self.random.random() < 0.4 else "%" + self.random.choice(TEMPORARIES)
            if self.random.random() < 0.4 and not name.endswith("]"):
                name += f"[{self.random.randint(0, 3)}]"
            if name not in self.temporaries:
                self.temporaries.add(name)
                return Ref("temporary", name)
        self.forms.fresh += 1
        return Ref("temporary", f"%fresh{self.forms.fresh}")


def text_of(step):
    return ", ".join(ref.name + ref.suffix for ref in step.refs) + step.tail
