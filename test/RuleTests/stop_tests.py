# SPDX-License-Identifier: Apache-2.0
"""stop_tests.py segfault|interrupt: runs the test that waits for ever and sends a signal to its command, or to aoac test.

Prints what aoac test prints, and its exit code. No process is left.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time


def child_of(pid):
    """Waits for the process that `pid` starts."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    while True:
        numbers = children.read_text().split()
        # Before it has become aoac, the child is a copy that shares memory with its parent.
        if numbers and b"never" in pathlib.Path(f"/proc/{numbers[0]}/cmdline").read_bytes():
            return int(numbers[0])
        time.sleep(0.01)


def main():
    # A sanitizer would make a report and an exit code of the signal.
    environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0"}
    command = ["aoac", "test", "rules/waits.aoa"]
    test = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    child = child_of(test.pid)
    if sys.argv[1] == "segfault":
        os.kill(child, signal.SIGSEGV)
    else:
        test.send_signal(signal.SIGINT)
    print(test.communicate()[0], end="")
    print("exit code", test.returncode)
    assert not pathlib.Path(f"/proc/{child}").exists(), "the command still runs"


main()
