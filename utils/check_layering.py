#!/usr/bin/env python3
"""Enforces the include policy of lib/CMakeLists.txt, a line for each layer in the order of the pipeline.

check_layering.py                  every include of every layer is one that its line allows, and a line names layers above it
check_layering.py --archives DIR   the archives of the execution half refer to no symbol of LLVM or ANTLR

The execution half is what may not use LLVM: its layers and everything they may use have no aoa_llvm or aoa_antlr.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXECUTION_HALF = ["Support", "Catalog", "Formats", "Plan", "Transport", "Runtime"]
# Headers of outside libraries by the target that gives them.
EXTERNAL = {
    "llvm/FileCheck/": "aoa_filecheck",
    "llvm/": "aoa_llvm",
    "antlr4-runtime.h": "aoa_antlr",
    "AoaLexer.h": "aoa_antlr",
    "AoaParser.h": "aoa_antlr",
    "AoirLexer.h": "aoa_antlr",
    "AoirParser.h": "aoa_antlr",
    "nlohmann/": "aoa_json",
    "xxhash.h": "aoa_xxhash",
    "fmt/": "fmt::fmt",
}
# Headers that the build makes.
GENERATED = {"AoaLexer.h", "AoaParser.h", "AoirLexer.h", "AoirParser.h", "Options.inc", "DiagnosticPages.inc",
             "Prelude.inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
LAYER = re.compile(r"^aoa_layer\((\w+)([^)]*)\)", re.M)


def read_policy():
    """Returns layer → (layers it may use, external targets it uses)."""
    policy = {}
    for name, rest in LAYER.findall((ROOT / "lib/CMakeLists.txt").read_text()):
        words, lists, current = rest.split(), {"MAY_USE": [], "USES": []}, None
        for word in words:
            if word in lists:
                current = word
            else:
                lists[current].append(word)
        policy[name] = (set(lists["MAY_USE"]), set(lists["USES"]))
    return policy


def files_of(layer):
    for folder in (ROOT / "lib" / layer, ROOT / "include/aoa" / layer):
        yield from sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp", ".def"))


def check_file(path, layer, may_use, uses):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header, where = match.group(2), f"{path.relative_to(ROOT)}:{number}"
        if header.startswith("aoa/"):
            other = header.split("/")[1]
            if other != layer and other not in may_use:
                yield f"{where}: {layer} may not include {header}"
        external = next((EXTERNAL[prefix] for prefix in EXTERNAL if header.startswith(prefix)), None)
        if external and external not in uses:
            yield f"{where}: {layer} does not use {external}, which gives {header}"
        elsewhere = header.startswith("aoa/") or external or header in GENERATED
        is_own = ".." not in header and (ROOT / "lib" / layer / header).is_file()
        if match.group(1) == '"' and not elsewhere and not is_own:
            yield f"{where}: {header} is no file of lib/{layer}"


def check_includes():
    policy, errors = read_policy(), []
    for layer in EXECUTION_HALF:
        may_use, uses = policy.get(layer, (set(), set()))
        for other in may_use - set(EXECUTION_HALF):
            errors.append(f"lib/CMakeLists.txt: {layer} is of the execution half and may not use {other}")
        for target in uses & {"aoa_llvm", "aoa_antlr"}:
            errors.append(f"lib/CMakeLists.txt: {layer} is of the execution half and may not use {target}")
    above = set()
    for layer, (may_use, uses) in policy.items():
        for other in may_use - above:
            errors.append(f"lib/CMakeLists.txt: {layer} names {other}, which is no layer above it")
        above.add(layer)
        for path in files_of(layer):
            errors.extend(check_file(path, layer, may_use, uses))
    known = set(policy)
    for folder in sorted((ROOT / "lib").iterdir()):
        if folder.is_dir() and folder.name not in known:
            errors.append(f"lib/{folder.name}: no aoa_layer line in lib/CMakeLists.txt")
    return errors


def check_archives(folder):
    errors = []
    for layer in EXECUTION_HALF:
        archive = pathlib.Path(folder) / f"libaoa{layer}.a"
        if not archive.exists():
            if any((ROOT / "lib" / layer).rglob("*.cpp")):
                errors.append(f"{archive} is missing")
            continue
        symbols = subprocess.run(["nm", "-C", str(archive)], capture_output=True, text=True).stdout
        foreign = re.search(r"\b(llvm|antlr4\w*)::.*", symbols)
        if foreign:
            errors.append(f"{archive.name}: refers to {foreign.group(0)}")
    return errors


def main():
    errors = check_archives(sys.argv[2]) if sys.argv[1:2] == ["--archives"] else check_includes()
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


sys.exit(main())
