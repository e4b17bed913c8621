# SPDX-License-Identifier: Apache-2.0
"""check_documents.py SOURCE_ROOT COMMAND...: runs a command of aoac with --diagnostics-format=json and =sarif.

Both documents must be valid by their schemas and say the same, diagnostic by diagnostic; what the ranges of fix-its hold
is looked up in the files. Prints one line a diagnostic.
"""
import json
import os
import subprocess
import sys
import urllib.parse

import jsonschema


def document(root, command, form):
    done = subprocess.run(command + [f"--diagnostics-format={form}"], stderr=subprocess.PIPE, text=True)
    parsed = json.loads(done.stderr)
    name = "docs/schemas/diagnostics.schema.json" if form == "json" else "test/Inputs/schemas/sarif-schema-2.1.0.json"
    with open(os.path.join(root, name), encoding="utf-8") as file:
        jsonschema.Draft7Validator(json.load(file)).validate(parsed)
    return parsed


def from_sarif(result):
    """The same facts that our own form has."""
    places = [
        (urllib.parse.unquote(location["physicalLocation"]["artifactLocation"]["uri"]), location["physicalLocation"]["region"])
        for location in result.get("locations", [])
    ]
    return (
        result["ruleId"],
        result["level"],
        [(file, region["startLine"], region["byteOffset"], region["byteOffset"] + region["byteLength"]) for file, region in places],
        len(result.get("relatedLocations", [])),
        [
            (replacement["deletedRegion"]["byteOffset"], replacement["insertedContent"]["text"])
            for fix in result.get("fixes", [])
            for change in fix["artifactChanges"]
            for replacement in change["replacements"]
        ],
        result.get("occurrenceCount", 1),
        result.get("properties", {}).get("instances", 1),
    )


def from_json(diagnostic):
    at = diagnostic.get("range")
    return (
        diagnostic["kind"],
        diagnostic["severity"],
        [(diagnostic["file"], at["line"], at["begin"], at["end"])] if at else [],
        len(diagnostic.get("notes", [])),
        [(fix["range"]["begin"], fix["replacement"]) for fix in diagnostic.get("fixIts", [])],
        diagnostic.get("count", 1),
        diagnostic.get("instances", 1),
    )


def main():
    root, command = sys.argv[1], sys.argv[2:]
    ours = document(root, command, "json")["diagnostics"]
    run = document(root, command, "sarif")["runs"][0]
    theirs = run["results"]
    assert [from_json(each) for each in ours] == [from_sarif(each) for each in theirs], (ours, theirs)
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {each["kind"] for each in ours}, rules
    for each in ours:
        print(f"{each['severity']} {each['kind']}: {each['message']}")
        for fix in each.get("fixIts", []):
            with open(fix["file"], "rb") as file:
                old = file.read()[fix["range"]["begin"] : fix["range"]["end"]].decode()
            print(f"  `{old}` -> `{fix['replacement']}`")


if __name__ == "__main__":
    main()
