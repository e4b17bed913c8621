#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of docs/diagnostics as rows of a C++ table: embed_pages.py OUTPUT PAGE..."""
import os
import sys


def literal(text):
    """C++ string literals, one a line: a compiler need not take long ones."""
    lines = text.splitlines(keepends=True) or [""]
    return "\n    ".join('R"page(' + line.rstrip("\n") + ')page"' + (' "\\n"' if line.endswith("\n") else "") for line in lines)


def main():
    output, pages = sys.argv[1], sys.argv[2:]
    rows = []
    for page in sorted(pages):
        with open(page, encoding="utf-8") as file:
            kind = os.path.splitext(os.path.basename(page))[0]
            rows.append(f'{{"{kind}",\n    {literal(file.read())}}},\n')
    with open(output, "w", encoding="utf-8") as file:
        file.writelines(rows or ['{"", ""},\n'])


if __name__ == "__main__":
    main()
