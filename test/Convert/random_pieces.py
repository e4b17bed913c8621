# SPDX-License-Identifier: Apache-2.0
"""Random geometry: tensors cut up into strided blocks, which ranks hold in any order, by themselves or with others.

A block is (shape, offset, strides) over the whole tensor. Blocks of one tensor are disjoint and make it up, so that the
holders of a block hold all of it.
"""


def numel(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def row_major(shape):
    strides, stride = [], 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= extent
    return strides[::-1]


def factors(extent):
    return [n for n in range(2, extent) if extent % n == 0]


def cut_once(random, block):
    """The block in two or more by a plane or by taking turns, or with one dimension as two; None where that is impossible."""
    shape, offset, strides = block
    dims = [d for d, extent in enumerate(shape) if extent > 1]
    if not dims:
        return None
    d = random.choice(dims)
    extent, stride = shape[d], strides[d]

    def part(count, step, begin):
        return [*shape[:d], count, *shape[d + 1 :]], offset + begin * stride, [*strides[:d], step * stride, *strides[d + 1 :]]

    way = random.choice(("plane", "plane", "turns", "fold"))
    if way == "turns":
        turns = random.choice((2, 2, 3))
        return [part(len(range(i, extent, turns)), turns, i) for i in range(min(turns, extent))]
    if way == "fold" and factors(extent):
        inner = random.choice(factors(extent))
        return [([*shape[:d], extent // inner, inner, *shape[d + 1 :]], offset, [*strides[:d], inner * stride, stride, *strides[d + 1 :]])]
    at = random.randint(1, extent - 1)
    return [part(at, 1, 0), part(extent - at, 1, at)]


def cut_up(random, blocks, times):
    blocks = list(blocks)
    for _ in range(times):
        where = random.randrange(len(blocks))
        blocks[where : where + 1] = cut_once(random, blocks[where]) or [blocks[where]]
    return blocks


def local_shape(random, size):
    """Some shape of `size` elements."""
    shape = [size]
    while size and random.random() < 0.5:
        d = random.randrange(len(shape))
        if factors(shape[d]):
            n = random.choice(factors(shape[d]))
            shape[d : d + 1] = [n, shape[d] // n]
        else:
            shape.insert(random.randint(0, len(shape)), 1)
        if len(shape) > 4:
            break
    return shape


def lay_out(random, blocks, gaps):
    """A rank's shard: the blocks in any order, each with its dimensions in any order, some of them taking turns."""
    blocks = random.sample(blocks, len(blocks))
    pieces, at = [], 0
    while blocks:
        group = [blocks.pop()]
        if random.random() < 0.3:  # others of as many elements take turns with it
            group += [block for block in blocks if numel(block[0][0]) == numel(group[0][0][0])]
            blocks = [block for block in blocks if block not in group]
        step = len(group) + (random.randint(0, 1) if gaps else 0)
        for turn, ((shape, offset, strides), holders) in enumerate(group):
            order = list(range(len(shape)))
            random.shuffle(order)
            local = [step * stride for stride in row_major([shape[i] for i in order])]
            dest = [0] * len(shape)
            for position, i in enumerate(order):
                dest[i] = local[position]
            if random.random() < 0.5:  # the dimensions of a block have no order of their own
                shape, strides, dest = ([values[i] for i in order] for values in (shape, strides, dest))
            pieces.append({"shape": shape, "full": [offset, strides], "shard": [at + turn, dest], "holders": holders})
        at += step * numel(group[0][0][0])
        if gaps:
            at += random.randint(0, 2)
    return local_shape(random, at), pieces


def random_pieces(random, shape, ranks, gaps=False):
    """Who holds what of a tensor: rank -> (local shape, pieces), each piece with the ranks that hold it.

    With `gaps` a shard has elements that no piece gives.
    """
    blocks = cut_up(random, [(list(shape), 0, row_major(shape))], random.choice((0, 1, 2, 3, 5)))
    holding = random.sample(ranks, random.randint(1, len(ranks)))
    shared = random.choice((0, 0, 0.3, 1))
    held = {rank: [] for rank in holding}
    for block in blocks:
        number = random.randint(1, len(holding)) if random.random() < shared else 1
        holders = sorted(random.sample(holding, number))
        for rank in holders:  # each cuts what it holds for itself
            for part in cut_up(random, [block], random.choice((0, 0, 0, 1, 2))):
                if numel(part[0]) or random.random() < 0.5:
                    held[rank].append((part, holders))
    shards = {}
    for rank, parts in held.items():
        if numel(shape) == 0:
            shards[rank] = (list(shape), [])
        elif parts or random.random() < 0.5:
            shards[rank] = lay_out(random, parts, gaps)
    return shards


def as_field(shards):
    """The field `pieces` of a layout's rule."""
    return {
        str(rank): {"shape": shape, "pieces": [{k: p[k] for k in ("shape", "full", "shard")} for p in pieces]}
        for rank, (shape, pieces) in shards.items()
    }


def as_catalog(shards):
    """Shards of a tensor in a catalog."""
    return [{"ranks": [rank], **held} for rank, held in ((int(r), h) for r, h in as_field(shards).items())]


def as_map(shape, shards, scale=None):
    """A parameter of an affine map."""
    ranks = {}
    for rank, (local, pieces) in shards.items():
        listed = [{"shape": p["shape"], "source": p["full"], "dest": p["shard"], "locations": p["holders"]} for p in pieces]
        if scale:
            listed = [{**piece, "scale": scale} for piece in listed]
        ranks[str(rank)] = {"shard_shape": local, "pieces": listed}
    return {"logical_shape": list(shape), "ranks": ranks}
