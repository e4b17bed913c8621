# SPDX-License-Identifier: Apache-2.0
"""Which source element each target element is read from, and by which casts.

A relation is a dict: index in the whole target tensor -> (source key, index in
the whole source tensor, dtypes on the way). It is the meaning that a list of
slices, a program and a plan have in common.
"""

from math import prod

from arrays import Array, indices, unravel
from paddle_reference import STATE_SUFFIXES, Evaluator, numbers, without_suffix

SAFETENSORS_DTYPES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8",
    "bool": "BOOL"}


class WrongPlan(Exception):
    """The plan cannot be read as a relation at all."""


def dtype_of(name):
    """The dtype as the compiler writes it. One that a case leaves open is taken to be F32."""
    return SAFETENSORS_DTYPES[name or "float32"]


def chain_of(source_dtype, casts):
    """The dtypes an element passes through. A cast to the dtype it has already is no step."""
    chain = [dtype_of(source_dtype)]
    for cast in casts:
        if dtype_of(cast) != chain[-1]:
            chain.append(dtype_of(cast))
    return tuple(chain)


def box_indices(shard):
    """All index vectors of a shard, in the whole tensor."""
    for index in indices(shard["local_shape"]):
        yield tuple(i + at for i, at in zip(index, shard["global_offset"]))


def of_expectation(entries):
    """The relation of a list of slices."""
    relation = {}
    for entry in entries:
        source, target = entry["source_slice"], entry["target_slice"]
        array = Array(tuple(source["local_shape"]), tuple(box_indices(source)))
        array, casts = post_processed(array, entry["postprocess"] or [])
        assert array.shape == tuple(target["local_shape"]), entry
        chain = chain_of(source["dtype"], casts)
        for index, item in zip(box_indices(target), array.items):
            assert index not in relation, f"{index} is read twice"
            relation[index] = (source["key"], item, chain)
    return relation


def post_processed(array, steps):
    """Applies permutes and reshapes, left to right; returns the casts apart."""
    casts = []
    for step in steps:
        if step.startswith("["):
            array = array.permuted(numbers(step))
        elif step.startswith(("reshape:", "flatten:")):
            _, block, *rest = numbers(step)
            rows = prod(array.shape) // prod(rest)
            array = array.reshaped([rows // block, block, *rest] if step.startswith("reshape") else [rows, prod(rest)])
        else:
            casts.append(step)
    return array, casts


def of_program(case):
    """The relation of the query, by evaluating the statements on whole arrays."""
    query = case["query"]
    name, suffix = without_suffix(query["key"])
    result = Evaluator(case).result(name)
    if result is None:
        return {}
    if suffix in STATE_SUFFIXES[3:]:  # A scalar of all elements together: from any one of the sources.
        key = min(item[0] for item in result.items if item)
        return {index: (key + suffix, index, ("F32",)) for index in box_indices(query)}
    dtypes = {without_suffix(key)[0]: shards[0]["dtype"] for key, shards in case["source"].items()}
    box = result.box(query["global_offset"], query["local_shape"])
    return {index: (item[0] + suffix, item[1], chain_of(dtypes[item[0]], item[2]))
            for index, item in zip(box_indices(query), box.items) if item}


def of_plan(plan, query, targets, storages):
    """The relation of the query in a plan made with --emit=plan-json.

    `targets` are the shards of the queried tensor, rank by rank; `storages` gives
    for each source file the one shard in it.
    """
    regions = [region for file in plan["targets"] for region in file["regions"] if region["tensor"] == query["key"]]
    if len(regions) != len(targets):
        raise WrongPlan(f"the plan writes {len(regions)} shards of {query['key']}, expected {len(targets)}")
    relation, asked = {}, set(box_indices(query))
    for region, shard in zip(regions, targets):
        if region["shape"] != shard["local_shape"]:
            raise WrongPlan(f"a shard has shape {region['shape']}, expected {shard['local_shape']}")
        for local, element in region_elements(plan, region, storages):
            index = tuple(i + at for i, at in zip(unravel(local, shard["local_shape"]), shard["global_offset"]))
            if index in relation:
                raise WrongPlan(f"{query['key']}{list(index)} is written twice")
            relation[index] = element
    return {index: element for index, element in relation.items() if index in asked}


def region_slots(region):
    """Yields (number of the source file, byte in it) for all slots of a region."""
    for run in region["slots"]:
        for i in range(run.get("count", 1)):
            yield run["source"] + i * run.get("source_step", 0), run["at_bytes"] + i * run.get("at_step", 0)


def region_elements(plan, region, storages):
    """Yields (position in the region, element it is read from) for all transfers of a region."""
    slots = list(region_slots(region))
    for transfer in plan["classes"][region["class"]]["transfers"]:
        source_number, at_bytes = slots[transfer["slot"]]
        shard = storages[plan["sources"][source_number]["file"]]
        chain = tuple(plan["element_ops"][transfer["ops"]].split(" -> "))
        if chain[0] != shard["dtype"] or chain[-1] != region["dtype"]:
            raise WrongPlan(f"casts {chain} from {shard['dtype']} to {region['dtype']}")
        first, rest = divmod(at_bytes - shard["at"], shard["element_bytes"])
        if rest:
            raise WrongPlan(f"byte {at_bytes} of {shard['key']} is inside an element")
        first += transfer["at"]
        for index in indices([extent for extent, _, _ in transfer["dims"]]):
            source = first + sum(i * step for i, (_, step, _) in zip(index, transfer["dims"]))
            target = transfer["offset"] + sum(i * step for i, (_, _, step) in zip(index, transfer["dims"]))
            if not 0 <= source < prod(shard["local_shape"]) or not 0 <= target < prod(region["shape"]):
                raise WrongPlan(f"element {source} of {shard['key']} to {target} of {region['tensor']}: out of bounds")
            where = (i + at for i, at in zip(unravel(source, shard["local_shape"]), shard["global_offset"]))
            yield target, (shard["key"], tuple(where), chain)


def difference(found, expected):
    """The first element in which two relations differ, in words, or None."""
    for index in sorted(found.keys() | expected.keys()):
        if found.get(index) != expected.get(index):
            return f"target{list(index)} is {shown(found.get(index))}, expected {shown(expected.get(index))}"
    return None


def shown(element):
    if element is None:
        return "not read"
    key, index, chain = element
    return f"{key}{list(index)} as {' -> '.join(chain)}"
