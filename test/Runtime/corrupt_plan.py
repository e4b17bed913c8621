#!/usr/bin/env python3
"""Runs a plan with every byte changed in turn: corrupt_plan.py PLAN WORK. Each must be refused, without a crash."""

import os
import subprocess
import sys

plan, work = sys.argv[1:3]
with open(plan, "rb") as file:
    right = file.read()
changed = f"{work}/changed.plan"
for place in range(0, len(right), max(1, len(right) // 400)):
    with open(changed, "wb") as file:
        file.write(right[:place] + bytes([right[place] ^ 0x41]) + right[place + 1 :])
    done = subprocess.run(["aoac", "run", changed, "--output", f"{work}/out"], capture_output=True, text=True)
    if done.returncode != 1 or "error: " not in done.stderr or os.path.exists(f"{work}/out"):
        sys.exit(f"byte {place}: exit {done.returncode}\n{done.stderr}")
for length in range(0, len(right), max(1, len(right) // 100)):
    with open(changed, "wb") as file:
        file.write(right[:length])
    done = subprocess.run(["aoac", "run", changed, "--output", f"{work}/out"], capture_output=True, text=True)
    if done.returncode != 1:
        sys.exit(f"length {length}: exit {done.returncode}\n{done.stderr}")
print("all refused")
