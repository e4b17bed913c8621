"""Changes one line of a sound IR text at a time and prints the first error of aoac-opt: errors.py TEXT CHANGES.

A change is `LINE: text`, LINE from 1, or `LINE+ text` for a line added behind it; an empty text takes the line away.
Lines of CHANGES that begin with blanks are what errors.py printed before.
"""

import re
import subprocess
import sys

with open(sys.argv[1]) as file:
    lines = file.read().split("\n")
with open(sys.argv[2], encoding="utf-8") as file:
    changes = [line for line in file.read().splitlines() if not line.startswith(" ")]
for change in changes:
    number, mark, text = re.match(r"(\d+)([:+]) ?(.*)", change).groups()
    at = int(number)
    changed = lines[: at - 1] + [text] * bool(text) + lines[at:] if mark == ":" else lines[:at] + [text] + lines[at:]
    done = subprocess.run(["aoac-opt", "-"], input="\n".join(changed).encode(), capture_output=True)
    error = done.stderr.decode().split("\n", 1)[0] if done.returncode == 1 else f"exit code {done.returncode}"
    print(f"{change}\n  {error}")
