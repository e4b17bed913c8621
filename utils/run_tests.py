#!/usr/bin/env python3
"""Runs the tests of a build folder with lit and ends with one line that counts them: run_tests.py BUILD [lit arguments]."""

import json
import os
import subprocess
import sys
import tempfile


def find_lit(build):
    """Returns the lit that CMake found for this build."""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        for line in cache:
            if line.startswith("AOA_LIT:"):
                return line.rstrip("\n").split("=", 1)[1]
    sys.exit(f"{build}: no lit in CMakeCache.txt; configure first")


def main():
    build, extra = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        suites = [os.path.join(build, "test", "Unit"), os.path.join(build, "test")]
        command = [sys.executable, find_lit(build), "-sv", "-o", results, *extra, *suites]
        code = subprocess.run(command).returncode
        try:
            with open(results) as file:
                codes = [test["code"] for test in json.load(file)["tests"]]
        except OSError:
            return code or 1
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    skipped = sum(code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for code in codes)
    print(f"{passed} passed, {len(codes) - passed - skipped} failed, {skipped} skipped")
    return code


sys.exit(main())
