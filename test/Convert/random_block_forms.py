# SPDX-License-Identifier: Apache-2.0
"""Other ways to write the statements of a random script: loops, conditions, variables, lists, macros of one's own.

A Step is a statement with the parts that a form needs. `Forms.text` writes a run of steps; what it writes stands for these
statements and no others, so both scripts must give the same bytes. Parameters are called like tensors, temporaries of bodies
like those of the script, values in `${…}` like parameters: nothing of that may change what is meant.
"""

import re
from dataclasses import dataclass, field, replace

NUMBER = re.compile(r"(?<![\w.$])(?<!\de-)\d+(?![\w.])")
NAME = re.compile(r"""(["'])(.*)\1(.*)|([^\[^?]*)(.*)""", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*")
DTYPE = re.compile(r", (?P<which>dtype|src_dtype|dst_dtype)=(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)")
PLACEHOLDER = re.compile(r"\$\(?[A-Z][A-Z0-9_]*_ID\)?")
PARAMETERS = ("gate", "up", "fused", "q", "k", "v", "a", "b", "w", "x", "from_", "h", "d", "c", "p", "_k", "n1", "part")
ATTRIBUTES = ("axis", "block", "n", "groups", "h", "count", "value", "stack", "p", "size", "repeat", "Y", "e1", "e2", "e3", "e4", "e5")
LOOPS = ("i", "j", "r", "g", "layer", "n", "e_", "I", "x_0")
RESERVED = {"_", "macro", "let", "for", "if", "else", "assert", "include", "in", "not", "and", "or", "true", "false", "shortest", "longest",
            "copy", "optional", "last", "missing", "config"}


@dataclass(frozen=True)
class Ref:
    """A name as a statement has it. Kinds: tensor, temporary, parameter, discard; `pattern` is any other text."""
    kind: str
    name: str
    suffix: str = ""

    @property
    def key(self):
        return self.kind, self.name


def parse_ref(text):
    quote, inner, suffix, bare, rest = NAME.fullmatch(text).groups()
    if quote:
        return Ref("tensor", inner, suffix)
    if set(bare) & set("$*") or rest.startswith("["):
        return Ref("pattern", text)
    return Ref("discard" if bare == "_" else "temporary" if bare.startswith("%") else "tensor", bare, rest)


@dataclass
class Step:
    lefts: list
    rights: list
    tail: str
    types: dict = field(default_factory=dict)  # of what is read, by key
    ids: list = None  # of a template: the ids that it has
    asks: bool = True  # shapes are known here

    @property
    def refs(self):
        return self.lefts + self.rights

    @property
    def is_plain(self):
        return not self.ids and all(ref.kind != "pattern" and "?" not in ref.suffix for ref in self.refs) and "optional" not in self.tail

    @property
    def removes(self):
        return all(ref.kind == "discard" for ref in self.rights)


@dataclass
class Scope:
    """What expressions and names see: parameters, variables with their values."""
    parameters: set = field(default_factory=set)
    variables: dict = field(default_factory=dict)
    thrown: set = field(default_factory=set)  # parameters that are `_`
    depth: int = 0
    body: bool = False

    def with_variables(self, **values):
        return replace(self, variables={**self.variables, **values})


class Forms:
    def __init__(self, random, needs_quotes, number, used):
        self.random, self.needs_quotes, self.number = random, needs_quotes, number
        self.variables, self.tags, self.definitions, self.fresh = {}, {}, [], 0
        self.used = used  # words that expressions of the steps hold

    # Pieces of text.

    def quoted(self, name):
        quote = self.random.choice("\"'")
        return f"{quote}{name}{quote}"

    def visible(self, scope):
        return {**self.variables, **scope.variables}

    def unused(self, pool, scope, taken=()):
        """A name for a variable or a parameter: none that is hidden, none that an expression means otherwise."""
        bad = RESERVED | self.used | set(self.visible(scope)) | scope.parameters | set(taken)
        fit = [name for name in pool if name not in bad]
        if fit and self.random.random() < 0.9:
            return self.random.choice(fit)
        self.fresh += 1
        return f"fresh{self.fresh}"

    def linear(self, value, variable, first, step):
        """An expression of `variable` that is `value` at `first` and grows by `step`."""
        times = variable if step == 1 else f"{step}*{variable}"
        constant = value - step * first
        return times if constant == 0 else f"{times} {'+' if constant > 0 else '-'} {abs(constant)}"

    def with_values(self, name, scope):
        """The name with values in place of some of its text."""
        numbers = [(at, value) for at in re.finditer(r"(?<!\d)(0|[1-9]\d{0,5})(?!\d)", name)
                   for word, value in self.visible(scope).items() if isinstance(value, int) and str(value) == at.group()]
        texts = [(word, value) for word, value in self.visible(scope).items() if isinstance(value, str) and value and value in name]
        if numbers and self.random.random() < 0.6:
            at, value = self.random.choice(numbers)
            words = [word for word, known in self.visible(scope).items() if known == value and isinstance(known, int)]
            return name[: at.start()] + "${" + self.random.choice(words) + "}" + name[at.end() :]
        if texts and self.random.random() < 0.6:
            word, value = self.random.choice(texts)
            if not (name.startswith("%") and name.startswith(value)):
                return name.replace(value, "${" + word + "}", 1)
        return name

    def spelt(self, ref, scope):
        if ref.kind in ("discard", "parameter", "pattern"):
            return ref.name + ref.suffix
        text = self.with_values(ref.name, scope)
        if ref.kind == "temporary":
            return text + ref.suffix
        must = ref.name in self.needs_quotes or (text == ref.name and ref.name in scope.parameters)
        return (self.quoted(text) if must or self.random.random() < 0.1 else text) + ref.suffix

    def side(self, refs, scope, shown=None):
        """A side of a statement, now and then as a list."""
        if len(refs) > 1 and self.random.random() < 0.6 and all(ref.kind in ("tensor", "temporary", "parameter") for ref in refs):
            made = self.listed(refs, scope)
            if made:
                return made
        return ", ".join(self.spelt(ref, scope) for ref in refs)

    def listed(self, refs, scope):
        """`(names for i in a..b)`: names that come again, or whose numbers grow alike."""
        begin = self.random.choice((0, 0, self.random.randrange(len(refs) - 1)))
        end = self.random.choice((len(refs), len(refs), self.random.randint(begin + 2, len(refs))))
        inner, count = refs[begin:end], end - begin
        periods = [p for p in range(1, count + 1) if count % p == 0 and self.columns(inner, p)]
        if not periods:
            return None
        period = self.random.choice(periods[:-1] or periods)
        turns, variable = count // period, self.unused(LOOPS, scope)
        first = self.random.choice((0, 0, 1, 3))
        inside = scope.with_variables(**({variable: first} if turns == 1 else {}))
        shown = []
        for column in self.columns(inner, period):
            shown.append(self.column(column, variable, first, inside))
        if len(shown) > 2 and self.random.random() < 0.3:
            other = self.unused(LOOPS, scope, (variable,))
            shown[:2] = [f"({shown[0]}, {shown[1]} for {other} in 5..5)"]
        made = f"({', '.join(shown)} for {variable} in {self.number(first)}..{self.number(first + turns - 1)})"
        outer = [self.spelt(ref, scope) for ref in refs]
        return ", ".join(outer[:begin] + [made] + outer[end:])

    def columns(self, refs, period):
        columns = [refs[i::period] for i in range(period)]
        return columns if all(self.progression(column) for column in columns) else None

    def progression(self, column):
        """(text before, first number, step, text behind); no number where all are the same; None."""
        if all(ref == column[0] for ref in column):
            return column[0].name, None, 0, ""
        if column[0].kind == "parameter" or len({(ref.kind, ref.suffix) for ref in column}) > 1:
            return None
        cuts = [[match.span() for match in re.finditer(r"(?<!\d)(0|[1-9]\d{0,5})(?!\d)", ref.name)] for ref in column]
        for at in range(min(map(len, cuts))):
            parts = [(ref.name[: cut[at][0]], int(ref.name[slice(*cut[at])]), ref.name[cut[at][1] :]) for ref, cut in zip(column, cuts)]
            step = parts[1][1] - parts[0][1]
            if len({(a, b) for a, _, b in parts}) == 1 and all(parts[i][1] == parts[0][1] + i * step for i in range(len(parts))):
                return parts[0][0], parts[0][1], step, parts[0][2]
        return None

    def column(self, column, variable, first, scope):
        before, number, step, behind = self.progression(column)
        if number is None:
            return self.spelt(column[0], scope)
        expr = self.linear(number, variable, first, step)
        if column[0].kind == "temporary" and before.endswith("[") and behind == "]":
            return before + expr + "]" + column[0].suffix
        text = before + "${" + expr + "}" + behind
        return (self.quoted(text) if column[0].name in self.needs_quotes or behind.startswith("[") else text) + column[0].suffix

    # Values.

    def valued(self, tail, scope, step=None):
        """The tail with variables in place of numbers that they are."""
        if "{" in tail.replace("${", "") or self.random.random() < 0.3:
            return tail
        asked = self.asked(step) if step else {}
        pieces, at = [], 0
        for match in NUMBER.finditer(tail):
            value = int(match.group())
            words = [word for word, known in self.visible(scope).items() if known == value and isinstance(known, int)]
            before = tail[: match.start()]
            in_text = before.count('"') % 2 or (before.count("'") % 2)
            in_braces = before.rfind("${") > before.rfind("}")
            if ("rearrange=" in before and in_text) or (in_braces and "config:" in before[before.rfind("${") :]):
                words = []
            if not in_text and not in_braces and value in asked and self.random.random() < 0.5:
                words += asked[value]
            if words and self.random.random() < 0.7:
                word = self.random.choice(words)
                if in_text or (not in_braces and self.random.random() < 0.2):
                    word = "${" + word + "}"
                pieces += [tail[at : match.start()], word]
                at = match.end()
        tail = "".join(pieces) + tail[at:]

        def dtype(match):
            words = [word for word, known in self.visible(scope).items() if known == match["word"]]
            return f", {match['which']}=${{{self.random.choice(words)}}}" if words else match.group()

        return DTYPE.sub(dtype, tail)

    def ask_name(self, ref):
        return ref.name if ref.kind in ("parameter", "temporary") else self.quoted(ref.name)

    def asked(self, step):
        """Expressions about the tensors that a step reads, by value."""
        found = {}
        if step.asks:
            for key, tensor in step.types.items():
                name = self.ask_name(Ref(*key))
                found.setdefault(len(tensor.shape), []).append(f"rank({name})")
                for axis, extent in enumerate(tensor.shape):
                    shown = self.random.choice((axis, axis - len(tensor.shape)))
                    found.setdefault(extent, []).append(f"extent({name}, {shown})")
        return found

    def truth(self, step, scope):
        """A condition that holds."""
        forms = ["true", "1 < 2", "not 3 == 4", "len([1, 2]) == 2", 'not exists("no.such.tensor")', "2 // 3 == 0 and 7 % 4 == 3"]
        for word, value in self.visible(scope).items():
            forms.append(f"{word} == {value}" if isinstance(value, int) else f'{word} == "{value}"')
        if step.asks:
            for key, tensor in step.types.items():
                name = self.ask_name(Ref(*key))
                forms += [f"exists({name})", f"rank({name}) == {len(tensor.shape)}", f'dtype({name}) == "{tensor.dtype}"']
                forms += [f"extent({name}, {axis}) >= {extent}" for axis, extent in enumerate(tensor.shape)]
                forms += [f'dtype({name}) == "F9" or rank({name}) < {len(tensor.shape) + 1}']
        return self.random.choice(forms)

    # Statements.

    def text(self, steps, scope=Scope(), after=()):
        """What stands for `steps`, as lines; `after` stand behind. Macros that are called go before them, at top level."""
        lines, at = [], 0
        while at < len(steps):
            step, run = steps[at], []
            if isinstance(step, str):
                made = self.wrapped([step], Step([], [], ""), scope, ()) if self.random.random() < 0.3 and scope.depth < 3 else [step]
            else:
                if step.is_plain and scope.depth < 3 and self.random.random() < 0.55:
                    run = steps[at : at + self.random.choice((1, 1, 2, 2, 3, 4))]
                    while any(isinstance(each, str) or not each.is_plain for each in run):
                        run.pop()
                made = self.call(run, [*steps[at + len(run) :], *after], scope) if run else None
                if not made:
                    run = []
                    if self.random.random() < 0.15 and not (scope.body and scope.depth == 0):
                        made, scope = self.let(step, scope, [*steps[at + 1 :], *after])
                    else:
                        made = self.one(step, scope, [*steps[at + 1 :], *after])
            if scope.depth == 0:
                lines += self.definitions
                self.definitions = []
            lines += made
            at += len(run) or 1
        return lines

    def one(self, step, scope, after):
        """One statement, perhaps in a block or behind a variable."""
        if step.ids and self.random.random() < 0.7:
            return self.template(step, scope)
        way = self.random.random()
        if way < 0.2 and scope.depth < 4:
            return self.wrapped(None, step, scope, after)
        if way < 0.35 and scope.depth < 4:
            return self.loop(step, scope, after)
        return [self.statement(step, scope)]

    def statement(self, step, scope):
        arrow = self.random.choice((" -> ", " -> ", "->", "\n  -> ", " ->\n  "))
        return self.side(step.lefts, scope) + arrow + self.side(step.rights, scope) + self.own(self.valued(step.tail, scope, step))

    def own(self, tail):
        """Built-in tags are now and then those of the copy that is included."""
        return tail.replace(", fused_", ", own_") if self.random.random() < 0.5 else tail

    def block(self, head, lines):
        if self.random.random() < 0.3 and not any("#" in line for line in lines):
            return f"{head} {{ {'; '.join(lines)} }}"
        return "\n".join([f"{head} {{", *lines, "}"])

    def junk(self):
        return self.random.choice((["no.such -> nothing.at.all, axis=7"], [f"assert {self.random.choice(('false', '1 == 2'))}, \"no\""],
                                   ["for z_ in 0..0 { no.such.${z_} -> _ }"], ["let z_ = 1/0"], []))

    def wrapped(self, lines, step, scope, after):
        """In a condition, the other branch of which holds what is wrong."""
        inside = replace(scope, depth=scope.depth + 1)
        if lines is None:
            lines = self.text([step], inside, after)
        condition = self.truth(step, scope)
        way = self.random.random()
        if way < 0.4:
            text = self.block(f"if {condition}", lines)
            if self.random.random() < 0.5:
                text += " else " + self.block("", self.junk()).lstrip()
        elif way < 0.7:
            text = self.block(f"if not ({condition})", self.junk()) + " else " + self.block("", lines).lstrip()
        else:
            text = self.block("if 1 == 2", self.junk()) + " " + self.block(f"else if {condition}", lines)
        return [text]

    def loop(self, step, scope, after):
        numbers = [int(match.group()) for ref in step.refs for match in re.finditer(r"\d{1,5}", ref.name)] + [0, 1, 2]
        value, variable = self.random.choice(numbers), self.unused(LOOPS, scope)
        inside = replace(scope.with_variables(**{variable: value}), depth=scope.depth + 1)
        lines = self.text([step], inside, after)
        if self.random.random() < 0.3:
            lines = [self.block(f"if {variable} == {value}", lines)]
            return [self.block(f"for {variable} in {value - 1}..{value + 1}", lines)]
        return [self.block(f"for {variable} in {self.number(value)}..{self.number(value)}", lines)]

    def let(self, step, scope, after):
        """A variable before the statement, and what sees it."""
        numbers = [int(match.group()) for match in NUMBER.finditer(step.tail)]
        names = [ref.name for ref in step.refs if ref.kind == "tensor"]
        words = [match["word"] for match in DTYPE.finditer(step.tail)]
        values = numbers + names + words
        if not values:
            return self.one(step, scope, after), scope
        value = self.random.choice(values)
        self.fresh += 1
        name = f"let{self.fresh}"
        shown = self.number(value) if isinstance(value, int) else self.quoted(value)
        asked = self.asked(step).get(value) if isinstance(value, int) else None
        if asked and self.random.random() < 0.6:
            shown = self.random.choice(asked)
        if scope.depth == 0:
            self.variables[name] = value
        else:
            scope = scope.with_variables(**{name: value})
        return [f"let {name} = {shown}", self.statement(step, scope)], scope

    def template(self, step, scope):
        """Ids one after the other."""

        def instance(text):
            sides = [", ".join(PLACEHOLDER.sub(lambda _: text, ref.name) + ref.suffix for ref in side) for side in (step.lefts, step.rights)]
            return " -> ".join(sides) + step.tail

        if self.random.random() < 0.2:
            return [instance(str(i)) for i in step.ids]
        variable = self.unused(LOOPS, scope)
        low, high = max(step.ids[0] - self.random.randint(0, 1), 0), step.ids[-1] + self.random.randint(0, 2)
        some = PLACEHOLDER.sub(lambda _: "${" + variable + "}", next(ref.name for ref in step.lefts if ref.kind == "pattern"))
        conditions = [f'exists("{some.removesuffix("^T")}")', " or ".join(f"{variable} == {i}" for i in step.ids)]
        lines = [self.block(f"if {self.random.choice(conditions)}", [instance("${" + variable + "}")])]
        return [self.block(f"for {variable} in {low}..{high}", lines)]
