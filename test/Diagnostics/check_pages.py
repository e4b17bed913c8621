# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of docs/diagnostics: check_pages.py PAGES WORK [KIND...]

A page is called like its kind and begins with it as a title. It holds files
(fences ```LANGUAGE file=NAME) and at least one ```console fence: lines that
begin with `$ ` are run by the shell, in a folder with these files; what they
print, standard output and standard error together and without the folder's
name, must be what the fence shows, and the kind must be part of it. A page may say instead that no command reports its kind: then another check comes first.
Checks that every kind of
`aoac list diagnostics` has a page and that there is no page without a kind.
"""
import os
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\S+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


def run_console(text, folder):
    """Returns the text with the outputs as they are."""
    shown = ""
    for command in (line[2:] for line in text.splitlines() if line.startswith("$ ")):
        done = subprocess.run(
            command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        shown += "$ " + command + "\n" + done.stdout.replace(folder + "/", "")
    return shown


def check_page(path, kind, work):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    faults = []
    if not text.startswith(f"# {kind}\n"):
        faults.append("the first line is not its title")
    folder = os.path.join(work, kind)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    consoles = []
    for language, name, content in FENCE.findall(text):
        if name:
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        elif language == "console":
            consoles.append(content)
    if "\nNot reported by any command.\n" in text:
        return faults
    if not any(f"[{kind}]" in console for console in consoles):
        faults.append(f"no example shows [{kind}]")
    for console in consoles:
        found = run_console(console, folder)
        if found != console:
            faults.append(f"an example shows\n{console}but prints\n{found}")
    return faults


def main():
    pages, work, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    listed = subprocess.run(["aoac", "list", "diagnostics"], check=True, stdout=subprocess.PIPE, text=True).stdout
    kinds = {line.split()[0] for line in listed.splitlines()}
    written = {name[: -len(".md")] for name in os.listdir(pages) if name.endswith(".md")}
    faults = [f"{kind}: there is no page" for kind in sorted(kinds - written)]
    faults += [f"{kind}: there is no such kind" for kind in sorted(written - kinds)]
    if only:
        faults = []
    for kind in sorted(set(only) or kinds & written):
        faults += [f"{kind}: {fault}" for fault in check_page(os.path.join(pages, kind + ".md"), kind, work)]
    print("\n".join(faults) or f"{len(written)} pages")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
