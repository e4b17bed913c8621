# SPDX-License-Identifier: Apache-2.0
"""Writes every bit pattern of the narrow floats as a checkpoint, or compares a result with it: all_patterns.py write|check FILE.

Needs no library: a safetensors file is 8 bytes of length, a JSON header, the data.
"""

import json
import struct
import sys

PATTERNS = {"bf16": ("BF16", 16), "f16": ("F16", 16), "e4m3": ("F8_E4M3", 8), "e5m2": ("F8_E5M2", 8)}


def data_of(bits):
    return b"".join(value.to_bytes(bits // 8, "little") for value in range(2**bits))


def write(path):
    header, data = {}, b""
    for name, (dtype, bits) in PATTERNS.items():
        begin = len(data)
        data += data_of(bits)
        header[name] = {"dtype": dtype, "shape": [16, 2**bits // 16], "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def check(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    for name, (dtype, bits) in PATTERNS.items():
        entry, expected = header[f"{name}.back"], data_of(bits)
        begin, end = entry["data_offsets"]
        if entry["dtype"] != dtype or entry["shape"] != [16, 2**bits // 16]:
            sys.exit(f"{name} is {entry}")
        if data[begin:end] != expected:
            at = next(i for i, (found, right) in enumerate(zip(data[begin:end], expected)) if found != right)
            sys.exit(f"{name} differs at byte {at}")
    print(f"{len(PATTERNS)} tensors came back, bit for bit")


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])
