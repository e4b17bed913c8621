import os
import subprocess

import lit.formats

config.name = "aoa"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".aoa", ".test", ".txt", ".py.test", ".aoir"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.aoa_binary_dir, "test")

bin_dir = os.path.join(config.aoa_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools_dir, os.environ["PATH"]])
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "AOA_TEST_CASES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# With --param round_trip=1 every IR that a pass leaves behind goes through its text: the tools are called by scripts that
# add the flag, so that tests in Python have it, too.
if lit_config.params.get("round_trip", "0") != "0":
    config.environment["AOA_BIN"] = bin_dir
    scripts = os.path.join(config.aoa_source_dir, "utils", "round-trip")
    config.environment["PATH"] = os.pathsep.join([scripts, config.environment["PATH"]])
    config.available_features.add("round-trip")

config.substitutions.append(("%check", "FileCheck --match-full-lines --strict-whitespace"))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
venv = os.path.join(config.aoa_source_dir, "build", "venv", "bin", "python")
config.python = venv if os.path.exists(venv) else config.python
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%utils", os.path.join(config.aoa_source_dir, "utils")))
config.substitutions.append(("%src", config.aoa_source_dir))

config.available_features.add("sanitizers" if config.sanitizers else "no-sanitizers")


def works(*command):
    """Whether a command can be run here: some containers forbid what others allow."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False


if works("unshare", "--mount", "true"):
    config.available_features.add("mount-namespaces")
if works("script", "-qec", "true", "/dev/null"):
    config.available_features.add("terminals")
for module in ("safetensors", "jsonschema"):
    if works(config.python, "-c", f"import {module}"):
        config.available_features.add(module)

# The tools that ours is compared with are big and seldom at hand: `lit --param peers=/path/to/python`, or AOA_PEERS_PYTHON,
# names a Python that has some of them. To import one takes seconds, so a module that a test needs is only looked for.
peers = lit_config.params.get("peers") or os.environ.get("AOA_PEERS_PYTHON") or config.python
if not works(peers, "-c", ""):
    lit_config.fatal(f"{peers} is no Python: --param peers and AOA_PEERS_PYTHON name one with the packages to compare with")
config.substitutions.append(("%peers", peers))
has_module = """
import importlib.util, os, sys
package, *inner = sys.argv[1].split("/")
spec = importlib.util.find_spec(package)
sys.exit(not spec or not spec.origin or bool(inner) and not os.path.exists(os.path.join(os.path.dirname(spec.origin), *inner)))
"""
for feature, module in (("torch", "torch"), ("paddle", "paddle"), ("deepspeed", "deepspeed/checkpoint/affine_transfer.py")):
    if works(peers, "-c", has_module, module):
        config.available_features.add(feature)
