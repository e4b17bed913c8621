"""What the comparisons with DeepSpeed have in common: files of tensors, runs of aoac, maps as DeepSpeed's objects.

A map is looked up as DeepSpeed does it, by the expression that matches a parameter's name, and goes through JSON.
"""

import json
import os
import re
import struct
import subprocess
import sys

import torch
from deepspeed.checkpoint.affine import ParamAffineMap

DTYPES = {"F32": torch.float32, "I64": torch.int64, "BF16": torch.bfloat16}


def aoac(*arguments, refused=None):
    """Runs aoac and returns what it printed; with `refused` it must fail with an error that holds this."""
    done = subprocess.run(["aoac", *map(str, arguments)], capture_output=True, text=True)
    if refused is None and done.returncode != 0:
        sys.exit(f"aoac {' '.join(map(str, arguments))}\n{done.stderr}")
    if refused is not None and (done.returncode != 1 or refused not in done.stderr):
        sys.exit(f"aoac {' '.join(map(str, arguments))} gives {done.returncode}, expected a refusal with `{refused}`\n{done.stderr}")
    return done.stdout


def takes(*arguments):
    """Whether aoac does this without an error."""
    return subprocess.run(["aoac", *map(str, arguments)], capture_output=True).returncode == 0


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def write_tensors(path, tensors):
    """A safetensors file."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    header, end = {}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + tensor.numel() * tensor.element_size()
        dtype = next(key for key, value in DTYPES.items() if value == tensor.dtype)
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(bytes(tensor.contiguous().reshape(-1).view(torch.uint8).tolist()))


def read_tensors(path):
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        tensor = torch.empty(entry["shape"], dtype=DTYPES[entry["dtype"]])
        if begin != end:
            tensor = torch.frombuffer(bytearray(data[begin:end]), dtype=tensor.dtype).reshape(entry["shape"])
        tensors[name] = tensor
    return tensors


def read_ranks(folder):
    """Rank -> name -> tensor of the files `rank_00000.safetensors` and so on."""
    ranks = {}
    for file in sorted(os.listdir(folder)):
        if match := re.fullmatch(r"rank_(\d+)\.safetensors", file):
            ranks[int(match[1])] = read_tensors(f"{folder}/{file}")
    return ranks


def read_maps(path, names):
    """Name -> map, all of them looked for with DeepSpeed's rule: exactly one expression matches a name."""
    with open(path) as file:
        encoded = json.load(file)
    assert encoded["version"] == 1, path
    maps = {}
    for name in names:
        entries = [entry for expression, entry in encoded["params"].items() if re.match(expression, name)]
        assert len(entries) == 1, f"{len(entries)} expressions of {path} match {name}"
        maps[name] = ParamAffineMap.from_dict(entries[0])
    assert len(encoded["params"]) == len(maps), f"{path} has maps of no parameter"
    return maps


def shard_of(ranks, map_, name, rank):
    """The tensor that a rank's file has. Empty ones need not be there."""
    shape = map_.shard_shapes[rank]
    if name in ranks.get(rank, {}):
        return ranks[rank][name]
    assert 0 in shape, f"rank {rank} has no {name}, expected {list(shape)}"
    return torch.empty(shape)


def expect_same(found, expected, what):
    """Bit by bit."""
    assert found.shape == expected.shape and found.dtype == expected.dtype, (
        f"{what}: {found.dtype} {list(found.shape)}, expected {expected.dtype} {list(expected.shape)}")
    if expected.numel():
        assert torch.equal(found.contiguous().view(torch.uint8) if found.dim() else found,
                           expected.contiguous().view(torch.uint8) if found.dim() else expected), (
            f"{what}:\n{found}\nexpected\n{expected}")


def unseen(shape, seed):
    """A tensor whose elements all differ, in no order; times a power of two they stay exact."""
    count = 1
    for extent in shape:
        count *= extent
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    return (order + 1 + 1000 * seed).to(torch.float32).reshape(shape)
