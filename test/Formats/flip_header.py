#!/usr/bin/env python3
"""Changes every byte of a small safetensors header and compares what `aoac inspect` makes of the file with what the
reference library reads: flip_header.py WORK. aoac must refuse the file or say exactly the same.
"""

import json
import os
import subprocess
import sys

import numpy
from safetensors import safe_open
from safetensors.numpy import save_file

CHANGES = (0x01, 0x02, 0x20, 0x80, 0xFF)


def reference(path):
    """Returns name → (dtype, shape, bytes) as the library reads them, or None when it refuses the file."""
    try:
        with safe_open(path, framework="numpy") as file:
            tensors = {}
            for name in file.keys():
                part = file.get_slice(name)
                tensors[name] = (part.get_dtype(), part.get_shape(), file.get_tensor(name).tobytes())
            return tensors
    except Exception:  # the library raises several types, some of them for dtypes that numpy lacks
        return None


def inspected(path):
    """Returns the same as aoac sees it; the bytes are read at the places that it names."""
    done = subprocess.run(["aoac", "inspect", "--json", path], capture_output=True, text=True)
    if done.returncode == 1:
        if "error: " not in done.stderr:
            sys.exit(f"refused without a message: {done.stderr}")
        return None
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {done.stderr}")
    tensors = {}
    with open(path, "rb") as file:
        for tensor in json.loads(done.stdout)["tensors"]:
            file.seek(tensor["shards"][0]["at"])
            size = numpy.prod(tensor["shape"], dtype=int) * {"F32": 4, "I64": 8, "U8": 1}.get(tensor["dtype"], 0)
            tensors[tensor["name"]] = (tensor["dtype"], tensor["shape"], file.read(int(size)))
    return tensors


def main():
    work = sys.argv[1]
    os.makedirs(work)
    path = f"{work}/model.safetensors"
    save_file({"w": numpy.arange(6, dtype="float32").reshape(2, 3), "v": numpy.arange(2, dtype="int64"),
               "u": numpy.array(7, dtype="uint8")}, path, metadata={"format": "pt"})
    with open(path, "rb") as file:
        right = file.read()
    header = 8 + int.from_bytes(right[:8], "little")
    changed, accepted = f"{work}/changed.safetensors", 0
    for place in range(header):
        for change in CHANGES:
            with open(changed, "wb") as file:
                file.write(right[:place] + bytes([right[place] ^ change]) + right[place + 1 :])
            ours = inspected(changed)
            if ours is None:
                continue
            accepted += 1
            if ours != reference(changed):
                sys.exit(f"byte {place} ^ {change:#x}: aoac reads {ours}, the library {reference(changed)}")
    print(f"{header * len(CHANGES)} files, {accepted} accepted, all as the library reads them")


main()
