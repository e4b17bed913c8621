# SPDX-License-Identifier: Apache-2.0
"""Checks the conformance cases against the slow reference, without the compiler.

If our reading of `expect` and the evaluation of whole arrays agree on every
case, a plan that differs from `expect` is a fault of the compiler.
"""

import json
import sys

import element_relation
from paddle_reference import Expander, Statement, parse


def mapping_fault(case):
    expected = element_relation.of_expectation(case["expect"])
    return element_relation.difference(element_relation.of_program(case), expected)


def expansion_fault(case):
    expander = Expander(case["left_state_shards"], case["right_state_shards"], case.get("aoa_config_reverse", False))
    found = expander.expand(parse(case["statements"]), case.get("passes"))
    if "expect_text" in case:
        expected = parse(case["expect_text"])
    else:
        expected = [Statement(**statement) for statement in case["expect_expansion"]]
    return None if found == expected else f"found {found}, expected {expected}"


def main(path):
    with open(path) as file:
        cases = json.load(file)["cases"]
    faults = 0
    for kind, fault_of in (("mapping", mapping_fault), ("expand", expansion_fault)):
        checked = [case for case in cases if case["kind"] == kind]
        for case in checked:
            fault = fault_of(case)
            if fault:
                faults += 1
                print(f"{kind} {case['name']}: {fault}")
        print(f"{kind}: {len(checked)} cases")
    print(f"{faults} differ from the reference")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
