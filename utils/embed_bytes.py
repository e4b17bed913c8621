#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bytes of a file as the initializer of a C++ array: embed_bytes.py OUTPUT INPUT"""
import sys


def main():
    output, source = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    lines = [data[i : i + 24] for i in range(0, len(data), 24)]
    with open(output, "w", encoding="utf-8") as file:
        for line in lines:
            file.write("".join(f"{byte}," for byte in line) + "\n")


if __name__ == "__main__":
    main()
