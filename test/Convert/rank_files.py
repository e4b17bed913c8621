# SPDX-License-Identifier: Apache-2.0
"""Safetensors files and programs to run, for tests in Python. Needs no library.

Elements are bytes here: tensors are (dtype, shape, bytes), as a file holds them.
"""

import json
import struct
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}")


def refuse(words, *command):
    """Runs what must end with exit code 1 and an error that holds `words`."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 1 or words not in done.stderr:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}, expected 1 with `{words}`\n{done.stdout}{done.stderr}")


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def read_json(path):
    with open(path) as file:
        return json.load(file)


def number_of(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def write_tensors(path, tensors):
    """Writes `tensors`, from names to (dtype, shape, bytes)."""
    header, data = {}, b""
    for name, (dtype, shape, content) in sorted(tensors.items()):
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_tensors(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack_from("<Q", content)
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    header.pop("__metadata__", None)
    return {name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])]) for name, entry in header.items()}


def overwrite(path, name, begin, content):
    """Replaces bytes of one tensor from its byte `begin` on."""
    with open(path, "r+b") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        first, last = json.loads(file.read(length))[name]["data_offsets"]
        assert first + begin + len(content) <= last
        file.seek(8 + length + first + begin)
        file.write(content)


def rank_file(directory, rank):
    return f"{directory}/rank_{rank:05}.safetensors"
