"""Random layouts over given tensors: mostly ones that fit, with all fields of this version."""

from random_pieces import as_catalog, as_field, as_map, random_pieces

FLOATS = ("F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2")
# All but the last are undone by dividing, unless an element is near the ends of what its type holds.
SCALES = (0.5, 0.25, 2, -4, 1 / 3)


def degree_of(mesh, axes):
    product = 1
    for axis in axes:
        product *= mesh[axis]
    return product


def composition(random, total, count):
    """`count` numbers from 0 on that add up to `total`."""
    cuts = sorted(random.randint(0, total) for _ in range(count - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, total])]


def make_rule(random, mesh, name, tensor, flatten):
    """A rule for this tensor alone; `flatten` is for all that have it."""
    rule = {"match": name}
    axes = list(mesh)
    if flatten and random.random() < 0.7:
        rule["flatten"], rule["shape"] = flatten, list(tensor.shape)
        axes.remove(flatten["over"])
    random.shuffle(axes)
    shape, cuts = tensor.shape, {}
    if tensor.dtype in FLOATS and random.random() < 0.15:
        rule["scale"] = random.choice((*SCALES, f"1/{random.choice(list(mesh))}"))
    if tensor.fused and random.random() < 0.85:
        dimension, fits = tensor.fused
        axes = [axis for axis in axes if mesh[axis] in fits][:1]
        if axes:
            rule["shard"] = {str(dimension): axes[0]}
            return rule
        return rule if "flatten" in rule else {**rule, "replicate": True}
    if random.random() < 0.25:
        return make_pieces(random, mesh, rule, shape)
    for dimension in random.sample(range(len(shape)), min(len(shape), random.choice((0, 1, 1, 2)))):
        count = random.choice((1, 1, 2))
        if axes[:count]:
            cuts[dimension] = axes[:count]
        axes = axes[count:]
    if not cuts and "flatten" not in rule:
        rule["replicate"] = True
    elif cuts:
        rule["shard"] = {str(d if random.random() < 0.7 else d - len(shape)): a if len(a) > 1 else a[0] for d, a in cuts.items()}
        how_to_cut(random, mesh, rule, shape, cuts)
    if axes and random.random() < 0.3:
        axis = random.choice(axes)
        where = random.randrange(mesh[axis])
        rule["on"] = {axis: random.choice((where, [where], f"{where} + 0", sorted({where, 0})))}
    if random.random() < 0.1:
        rule["dtype"], rule["shape"] = tensor.dtype, list(shape)
    return rule


def ranks_at_zero(mesh, axis):
    """The ranks whose coordinate of `axis` is 0; all where it is None."""
    ranks = [(0, False)]
    for name, size in mesh.items():
        ranks = [(rank * size + i, away or (name == axis and i > 0)) for rank, away in ranks for i in range(size)]
    return [rank for rank, away in ranks if not away]


def make_pieces(random, mesh, rule, shape):
    gaps = random.random() < 0.2
    ranks = ranks_at_zero(mesh, rule.get("flatten", {}).get("over"))
    rule["pieces"] = as_field(random_pieces(random, shape, ranks, gaps))
    if gaps:
        rule["pad_value"] = random.choice((0, 1))
    if random.random() < 0.95:
        rule["shape"] = list(shape)
    return rule


def how_to_cut(random, mesh, rule, shape, cuts):
    dimension = random.choice(sorted(cuts))
    extent, degree = shape[dimension], degree_of(mesh, cuts[dimension])
    way = random.choice(("chunk", "chunk", "sizes", "segments", "segments", "pad"))
    if way == "sizes":
        rule["sizes"] = {str(dimension): composition(random, extent, degree)}
    elif way == "segments":
        count = random.randint(1, 3)
        if extent % count == 0 and random.random() < 0.5:
            rule["segments"] = {str(dimension): count}
            lengths = [extent // count] * count
        else:
            lengths = composition(random, extent, count)
            rule["segments"] = {str(dimension): lengths}
        if random.random() < 0.3:
            rule["sizes"] = {str(dimension): [composition(random, length, degree) for length in lengths]}
    elif way == "pad":
        multiple = {"multiple": degree * random.randint(1, 2)}
        rule["pad"] = {str(dimension): multiple if random.random() < 0.5 else extent + random.randint(0, 5)}
        rule["shape"] = list(shape)
    uneven = any(shape[d] % degree_of(mesh, axes) for d, axes in cuts.items()) or way in ("segments", "pad")
    if random.random() < (0.95 if uneven else 0.3):
        rule["chunk"] = random.choice(("ceil", "balanced"))


def make_flatten(random, mesh, names):
    """Flat buffers over one of the axes: one for each tensor, or one for all."""
    flatten = {"over": random.choice(sorted(mesh))}
    for field in ("align", "align_each"):
        if random.random() < 0.5:
            flatten[field] = random.randint(1, 8)
    if random.random() < 0.3:
        return {**flatten, "each": True}
    if names and random.random() < 0.5:
        flatten["order"] = random.sample(names, random.randint(0, len(names)))
    return {**flatten, "group": "all"}


def make_layout(random, tensors):
    """A layout for tensors by name. Names never hold pattern characters."""
    mesh = {axis: random.choice((1, 2, 2, 3, 4)) for axis in random.choice((["tp"], ["tp"], ["dp", "tp"], ["tp", "ep"]))}
    flatten = make_flatten(random, mesh, sorted(tensors)) if random.random() < 0.3 else None
    rules = [make_rule(random, mesh, name, tensor, flatten) for name, tensor in sorted(tensors.items()) if random.random() < 0.8]
    rules.append({"match": "*", "replicate": True})
    layout = {"schema": "aoa.layout/1", "mesh": mesh, "rules": rules}
    if random.random() < 0.2:
        layout["files"] = "{world}/part-{rank:03}.safetensors"
    return layout


def boxes(random, shape):
    """Parts of one dimension, each on a rank of its own."""
    dimension = random.randrange(len(shape))
    shards, begin = [], 0
    for rank, length in enumerate(composition(random, shape[dimension], random.randint(1, 3))):
        if length:
            offset, local = [0] * len(shape), list(shape)
            offset[dimension], local[dimension] = begin, length
            shards.append({"ranks": [rank], "offset": offset, "shape": local})
            begin += length
    return shards


def ranges(random, shape):
    """Flat ranges, each on a rank of its own."""
    size = 1
    for extent in shape:
        size *= extent
    shards, begin = [], 0
    for rank, length in enumerate(composition(random, size, random.randint(1, 4))):
        if length:
            shards.append({"ranks": [rank], "flat": [begin, begin + length]})
            begin += length
    return shards


def make_listing(random, tensors):
    """A catalog of some of the tensors, each in boxes, flat ranges or pieces."""
    listed = []
    for name, tensor in sorted(tensors.items()):
        if random.random() < 0.15:
            continue
        entry = {"name": name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
        way = random.choice(("whole", "boxes", "boxes", "ranges", "pieces"))
        if way == "pieces":
            entry["shards"] = as_catalog(random_pieces(random, tensor.shape, [0, 1, 2]))
        elif way != "whole" and tensor.shape and 0 not in tensor.shape:
            entry["shards"] = (boxes if way == "boxes" else ranges)(random, tensor.shape)
        if tensor.dtype in FLOATS and entry.get("shards") and random.random() < 0.2:
            scale = random.choice(SCALES)
            entry["shards"] = [{**shard, "scale": scale} for shard in entry["shards"]]
        listed.append(entry)
    return {"schema": "aoa.catalog/1", "tensors": listed}


def make_map(random, tensors):
    """An affine map of all the tensors."""
    params = {}
    for name, tensor in sorted(tensors.items()):
        scaled = tensor.dtype in FLOATS and random.random() < 0.15
        shards = random_pieces(random, tensor.shape, [0, 1, 2, 3])
        params[name] = as_map(tensor.shape, shards, random.choice(SCALES) if scaled else None)
    return {"version": 1, "params": params}


def rounds(layout):
    """Whether something in `layout` is scaled by a factor that elements do not survive."""
    if isinstance(layout, dict):
        scale = layout.get("scale")
        return isinstance(scale, str) or scale == 1 / 3 or any(map(rounds, layout.values()))
    return isinstance(layout, list) and any(map(rounds, layout))
