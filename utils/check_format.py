#!/usr/bin/env python3
"""Fails when a C++ file is not as clang-format-19 would write it."""

import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
formatter = shutil.which("clang-format-19")
if not formatter:
    sys.exit("clang-format-19 is missing; utils/install-packages installs it")
files = [
    str(path)
    for folder in ("include", "lib", "tools", "unittests", "benchmarks")
    for path in sorted((root / folder).rglob("*"))
    if path.suffix in (".h", ".cpp")
]
sys.exit(subprocess.run([formatter, "--dry-run", "-Werror", *files]).returncode)
