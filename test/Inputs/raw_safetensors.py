#!/usr/bin/env python3
"""Writes a safetensors file from a header as it is given, right or wrong: raw_safetensors.py OUT HEADER DATA_BYTES [LENGTH].

HEADER is JSON text or @FILE; LENGTH replaces its true length in the first 8 bytes.
"""

import struct
import sys

out, header, data_bytes = sys.argv[1:4]
if header.startswith("@"):
    with open(header[1:], "rb") as file:
        text = file.read()
else:
    text = header.encode()
length = int(sys.argv[4]) if len(sys.argv) > 4 else len(text)
with open(out, "wb") as file:
    file.write(struct.pack("<Q", length) + text + bytes(range(256)) * (int(data_bytes) // 256 + 1))
    file.truncate(8 + len(text) + int(data_bytes))
