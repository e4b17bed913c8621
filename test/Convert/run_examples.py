# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts of docs/examples on small models: run_examples.py SOURCE_ROOT WORK [NAME...]

Each script is compiled with all warnings as errors, run, and its result compared with the oracle element by element.
Where an example has a way back, that must give the source's files again, byte for byte; so must the one that
`aoac invert` makes, unless the script loses something.
"""

import filecmp
import os
import shutil
import subprocess
import sys


class Example:
    """`script` on a model of `family`; `layout` is the target's, and the source's of `back`."""

    def __init__(self, family, script, layout=None, back=None, options=(), back_options=(), before=None, loses=False):
        self.family, self.script, self.layout, self.back = family, script, layout, back
        self.options, self.back_options, self.before, self.loses = options, back_options, before, loses


LLAMA = ("-D", "vocab=1000", "-D", "hidden=64")
EXAMPLES = [
    Example(
        "llama",
        "llama-megatron/train.aoa",
        "llama-megatron/tp8-pp4.json",
        "llama-megatron/export.aoa",
        LLAMA,
        (*LLAMA, "-D", "heads=16", "-D", "groups=8"),
    ),
    Example("qwen3-moe", "qwen3-moe/train.aoa", "qwen3-moe/ep8-tp4.json"),
    Example("mixtral", "mixtral/stack.aoa"),
    Example("deepseek-v3", "deepseek-v3/serve.aoa", loses=True),
    Example("gpt-oss", "gpt-oss/megatron.aoa"),
    Example("qwen2-vl", "qwen2-vl/rename.aoa"),
    Example("bloom", "fused-orders/bloom.aoa"),
    Example("neox", "fused-orders/neox.aoa"),
    Example("falcon", "fused-orders/falcon.aoa"),
    Example("gpt2", "gpt2/llama-names.aoa"),
    Example("mamba2", "mamba2/split.aoa", "mamba2/tp2.json"),
    Example("qwen3-next", "qwen3-next/split.aoa"),
    Example(
        "meta-llama", "meta-llama/to-hf.aoa", None, "meta-llama/from-hf.aoa", (), ("-D", "heads=8", "-D", "groups=4")
    ),
    Example("t5", "t5/tie.aoa", None, "t5/untie.aoa", before="t5/untie.aoa"),
    Example(
        "llama",
        "grow-vocabulary/grow.aoa",
        None,
        "grow-vocabulary/trim.aoa",
        ("-D", "new_words=24"),
        ("-D", "vocabulary=1000"),
    ),
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def convert(examples, script, source, result, options):
    plan = result + ".plan"
    run("aoac", "compile", os.path.join(examples, script), "--source", source, *options, "-o", plan, "-Werror", "--strict")
    run("aoac", "run", plan, "--output", result)
    run("aoac", "verify", plan, "--output", result, "--exhaustive")


def expect_same(left, right):
    compared = filecmp.dircmp(left, right)
    names = compared.left_only + compared.right_only
    _, different, failed = filecmp.cmpfiles(left, right, compared.common_files, shallow=False)
    if names + different + failed:
        sys.exit(f"{left} and {right} differ: {names + different + failed}")


def invert(example, examples, layout, source, there, work):
    script, made = os.path.join(examples, example.script), os.path.join(work, "made.aoa")
    target = ["--target", layout] if layout else []
    command = ["aoac", "invert", script, "--source", source, *example.options, *target, "-o", made]
    if example.loses:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 1 or "[not-invertible]" not in done.stderr:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return
    run(*command)
    with open(made) as text, open(script) as written:
        if text.read().count("->") > written.read().count("->"):
            sys.exit(f"the way back of {example.script} has more statements")
    back = os.path.join(work, "made")
    # Of the parts of a cut some may be cut further and others not.
    convert(work, "made.aoa", there, back, ["-Wno-unused-part", *example.options, *(["--source-layout", layout] if layout else [])])
    expect_same(source, back)
    run("aoac", "fmt", "--check", made)


def check(example, root, work):
    examples = os.path.join(root, "docs", "examples")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    small, source = os.path.join(work, "small"), os.path.join(work, "source")
    run(sys.executable, os.path.join(examples, "small_models.py"), example.family, small)
    run("aoac-mkckpt", os.path.join(small, "catalog.json"), "--output", source)
    shutil.copy(os.path.join(small, "config.json"), source)
    if example.before:
        before, source = source, os.path.join(work, "before")
        convert(examples, example.before, before, source, [])
    layout = os.path.join(examples, example.layout) if example.layout else None
    there = os.path.join(work, "there")
    convert(examples, example.script, source, there, [*example.options, *(["--target", layout] if layout else [])])
    if example.back:
        back = os.path.join(work, "back")
        options = [*example.back_options, *(["--source-layout", layout] if layout else [])]
        convert(examples, example.back, there, back, options)
        expect_same(source, back)
    invert(example, examples, layout, source, there, work)
    for script in filter(None, (example.script, example.back, example.before)):
        run("aoac", "fmt", "--check", os.path.join(examples, script))
    shutil.rmtree(work)


def main():
    root, work, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    chosen = [each for each in EXAMPLES if not names or each.script in names]
    for number, example in enumerate(chosen):
        check(example, root, os.path.join(work, str(number)))
    print(f"{len(chosen)} examples, all elements where the scripts say")


if __name__ == "__main__":
    main()
