"""Random scripts: statements, templates, stars, arrays and fused macros one after the other."""

import numpy
from random_sources import Tensor
from random_statements import StatementMaker


class ScriptMaker(StatementMaker):
    """Makes a source and a script over it: `source` and `results()` map names to tensors, `text()` is the script.

    A plain script is one that both dialects take.
    """

    def __init__(self, random, plain):
        super().__init__(random, plain)
        kinds = [self.rename, self.permute, self.cast, self.merge, self.merge, self.split, self.remove, self.swap,
                 self.replace, self.template, self.template, self.template_pair, self.template_split, self.star,
                 self.array_split, self.array_merge, self.qkv, self.ffn, self.refuse]
        weights = [3, 5, 3, 4, 4, 4, 1, 1, 1, 3, 3, 2, 2, 2, 2, 2, 5, 4, 0 if plain else 0.12]
        for kind in random.choices(kinds, weights, k=random.randint(1, 7)):
            kind()

    def instances(self):
        """A family as template text, its names in order, or None; only families that nobody changed or took from."""
        families = sorted(family for family, made in self.families.items() if made is True)
        if not families:
            return None
        family = self.random.choice(families)
        names = [name for name in self.source if self.stem(name) == self.stem(family)]
        if any(name not in self.now for name in names):
            return None
        return family, family.replace("{}", "$LAYER_ID", 1).replace("{}", "$EXPERT_ID", 1), names

    @staticmethod
    def stem(name):
        return "".join(c for c in name if not c.isdigit()).replace("{}", "")

    @staticmethod
    def ids(name):
        return ["".join(word) for word in "".join(c if c.isdigit() else " " for c in name).split()]

    def counterpart(self, template):
        self.fresh += 1
        return f"n{'qrst'[self.fresh % 4] * (self.fresh // 4 + 1)}." + ".".join(
            word for word in ("$LAYER_ID", "$EXPERT_ID") if word in template)

    def filled(self, template, name):
        for word, number in zip(("$LAYER_ID", "$EXPERT_ID"), self.ids(name)):
            template = template.replace(word, number)
        return template

    def template(self):
        found = self.instances()
        if not found:
            return
        family, template, names = found
        turned = self.random.random() < 0.5
        tensors = {name: self.now[name] for name in names}
        if len({tensor.kind() for tensor in tensors.values()}) != 1:
            return
        if turned:
            tensors = {name: t.mapped(t.shape[::-1], numpy.transpose) for name, t in tensors.items()}
        right = self.random.choice((self.counterpart(template), template))
        state = self.random.getstate()
        rights = {}
        for name, tensor in tensors.items():  # the same choice for every instance
            self.random.setstate(state)
            rights[self.filled(right, name)], text = self.then(tensor)
        self.write([template + ("^T" if turned else "")], [right], text)
        self.bind(names, rights)

    def template_pair(self):
        found = self.instances()
        if found:
            family, template, names = found
            right = self.counterpart(template)
            if not self.now[names[0]].shape or len({self.now[n].kind() for n in names}) != 1:
                return
            axis = self.random.randrange(len(self.now[names[0]].shape))
            rights = {self.filled(right, name): self.join([self.now[name]] * 2, axis) for name in names}
            self.write([template, template], [right], f", axis={axis}")
            self.bind(names, rights)

    def template_split(self):
        found = self.instances()
        if found:
            family, template, names = found
            tensors = [self.now[name] for name in names]
            if not tensors[0].shape or len({t.kind() for t in tensors}) != 1 or tensors[0].shape[-1] % 2:
                return
            one, two = self.counterpart(template), self.counterpart(template)
            rights = {}
            for name, tensor in zip(names, tensors):
                rights[self.filled(one, name)], rights[self.filled(two, name)] = self.cut(tensor, len(tensor.shape) - 1, 2)
            self.write([template], [one, two], f", axis={len(tensors[0].shape) - 1 if self.plain else -1}")
            self.bind(names, rights)

    def star(self):
        found = self.instances()
        if found and found[0].count("{}") == 1:
            family, _, names = found
            names = sorted(names, key=lambda name: int(self.ids(name)[0]))
            tensors = [self.now[name] for name in names]
            if tensors[0].shape and len({t.kind() for t in tensors}) == 1:
                axis = self.random.randrange(len(tensors[0].shape))
                right = {self.new_name(): self.join(tensors, axis) if len(names) > 1 else tensors[0]}
                self.write([family.replace("{}", "*")], right, f", axis={axis}")
                self.bind(names, right)

    def array_split(self):
        found = self.cuttable()
        if found:
            name, left, tensor, axis, count = found
            self.fresh += 1
            stem, first = f"v{self.fresh}", self.random.choice((0, 0, 3))
            rights = {f"{stem}_{first + i}": part for i, part in enumerate(self.cut(tensor, axis, count))}
            self.write([left], [f"{stem}[{first}:{first + count}]"], f", axis={axis}")
            self.bind([name], rights)
            self.families[stem] = ("array", first, list(rights))

    def array_merge(self):
        for stem, made in sorted(self.families.items()):
            if made is not True and made[0] == "array" and set(made[2]) <= self.unread:
                tensors = [self.now[name] for name in made[2]]
                if not tensors[0].shape or len({t.kind() for t in tensors}) != 1:
                    return
                turned = self.random.random() < 0.5 and not self.plain
                if turned:
                    tensors = [t.mapped(t.shape[::-1], numpy.transpose) for t in tensors]
                axis = self.random.randrange(len(tensors[0].shape))
                right = {self.new_name(): self.join(tensors, axis)}
                self.write([f"{stem}[{made[1]}:{made[1] + len(made[2])}]" + "^T" * turned], right, f", axis={axis}")
                self.bind(made[2], right)
                return

    def group(self, kind):
        stems = sorted(stem for stem, made in self.families.items() if made is not True and made[0] == kind)
        return self.random.choice(stems) if stems else None

    def untouched(self, *names):
        return all(self.now.get(name) is self.source[name] for name in names)

    def qkv(self):
        stem = self.group("qkv")
        if not stem:
            return
        _, whole, heads, groups, axis = self.families[stem]
        tag = self.random.choice(("fused_qkv", "fused_qkv_old"))
        text = [f"num_heads={heads}", f"num_key_value_groups={groups}"] + [f"axis={axis}"] * (axis != 1 or self.random.random() < 0.5)
        self.random.shuffle(text)
        text = ", " + ", ".join([tag, *text])
        if whole and self.untouched(f"{stem}.qkv"):
            fused = self.source[f"{stem}.qkv"]
            width = fused.shape[axis] // (heads + 2 * groups)
            if tag == "fused_qkv_old" and self.random.random() < 0.4:
                right = {self.new_name(): Tensor(fused.dtype, fused.shape, fused=fused.fused)}
            else:
                right = {}
                for index, count in enumerate((heads, groups, groups)):
                    shape = list(fused.shape)
                    shape[axis] = count * width
                    right[self.new_name()] = Tensor(fused.dtype, shape, self.own_heads(fused, axis, heads, groups, index)
                                                    if tag == "fused_qkv" else None)
            self.write([f"{stem}.qkv"], right, text)
            self.bind([f"{stem}.qkv"], right)
        elif not whole and self.untouched(*(f"{stem}.{part}" for part in "qkv")):
            parts = [self.source[f"{stem}.{part}"] for part in "qkv"]
            tensor = self.join(parts, axis)
            tensor.fused = parts[0].fused
            if tag == "fused_qkv" and tensor.numbers is not None:
                pieces = [numpy.split(part.numbers, groups, axis) for part in parts]
                tensor.numbers = numpy.concatenate([piece[g] for g in range(groups) for piece in pieces], axis)
            else:
                tensor.numbers = None
            right = {self.new_name(): tensor}
            self.write([f"{stem}.{part}" for part in "qkv"], right, text)
            self.bind([f"{stem}.{part}" for part in "qkv"], right)

    @staticmethod
    def own_heads(fused, axis, heads, groups, index):
        """The query, key or value heads out of the group order."""
        if fused.numbers is None:
            return None
        per_group = heads // groups
        bounds = [0, per_group, per_group + 1, per_group + 2]
        width = fused.shape[axis] // (heads + 2 * groups)
        return numpy.concatenate([block.take(range(bounds[index] * width, bounds[index + 1] * width), axis)
                                  for block in numpy.split(fused.numbers, groups, axis)], axis)

    def ffn(self):
        stem = self.group("ffn")
        if not stem:
            return
        _, whole, axis = self.families[stem]
        text = ", fused_ffn" + f", axis={axis}" * (axis != 1 or self.random.random() < 0.5)
        if whole and self.untouched(f"{stem}.gu"):
            fused = self.source[f"{stem}.gu"]
            shape = list(fused.shape)
            if self.random.random() < 0.4:
                right = {self.new_name(): Tensor(fused.dtype, shape, fused=fused.fused)}
            else:
                shape[axis] //= 2
                right = {self.new_name(): Tensor(fused.dtype, shape) for _ in "gu"}
            self.write([f"{stem}.gu"], right, text)
            self.bind([f"{stem}.gu"], right)
        elif not whole and self.untouched(f"{stem}.gate", f"{stem}.up"):
            tensor = self.join([self.source[f"{stem}.gate"], self.source[f"{stem}.up"]], axis)
            right = {self.new_name(): Tensor(tensor.dtype, tensor.shape, fused=self.source[f"{stem}.up"].fused)}
            self.write([f"{stem}.gate", f"{stem}.up"], right, text)
            self.bind([f"{stem}.gate", f"{stem}.up"], right)

    def refuse(self):
        """A statement that must be refused whatever stands before it."""
        name = self.take() or "nobody"
        self.lines.append(self.random.choice((
            "nobody -> x", f"{name} -> x, permute=[0, 0]", f"{name}, {name} -> x, axis=7", f"{name} -> x, dtype=float3",
            f"{name} -> x, y", "no.$LAYER_ID.w -> no2.$LAYER_ID.w", f"{name} x", f"{name} -> x, axis=", "a.* -> b, axis=0")))

    def results(self):
        return {name.strip('"'): self.now[name] for name in self.unread}

    def text(self):
        if self.plain:
            return "\n".join(self.lines) + "\n"
        separator = self.random.choice(("\n", "\n", ";", "\n# a comment\n"))
        return separator.join(self.lines) + "\n"
