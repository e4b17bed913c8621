#!/usr/bin/env python3
"""Interrupts a conversion in the middle: interrupt.py WORK SIGNAL... Nothing may be left."""

import os
import signal
import struct
import subprocess
import sys
import time

work, *names = sys.argv[1:]
os.makedirs(f"{work}/src")
size = 8 << 30  # sparse: takes no room, and far longer to copy than the signal takes to arrive
header = b'{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (size, size)
with open(f"{work}/src/model.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header)
    file.truncate(8 + len(header) + size)
process = subprocess.Popen(["aoac", "convert", "--source", f"{work}/src", "--output", f"{work}/out"],
                           stderr=subprocess.PIPE, text=True)
for _ in range(2000):
    if os.path.exists(f"{work}/.out.aoac-partial/model.safetensors"):
        break
    time.sleep(0.005)
for name in names:
    process.send_signal(getattr(signal, name))
_, text = process.communicate()
print(f"exit {process.returncode}, left: {sorted(os.listdir(work))}")
print(text)
