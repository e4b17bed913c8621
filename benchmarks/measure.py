"""What the benchmarks share: running a program while its anonymous memory is sampled, and readying the machine."""

import mmap
import subprocess
import time


def rss_anon(pid):
    """Returns the anonymous memory of a process in bytes, 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def timed(command):
    """Runs `command` and returns (seconds, peak RssAnon in bytes). Memory is sampled every 10 ms."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        peak = max(peak, rss_anon(process.pid))
        time.sleep(0.01)
    seconds = time.perf_counter() - begin
    if process.returncode != 0:
        raise SystemExit(f"{command} failed:\n{process.stderr.read().decode()}")
    return seconds, peak


def touch_free_memory(size):
    """Touches `size` bytes of huge pages and gives them back. A virtual machine hands free memory to its host, and the
    first touch afterwards is many times slower: whatever runs first would pay for it."""
    with mmap.mmap(-1, size) as block:
        block.madvise(mmap.MADV_HUGEPAGE)
        for offset in range(0, size, 4096):
            block[offset] = 1
