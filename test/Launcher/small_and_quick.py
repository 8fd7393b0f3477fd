"""How large the runtime is, and how long a program takes that it starts with.

Call: small_and_quick.py LIBRARY PROGRAM, PROGRAM being linked with it. A start is that of the program without arguments, which
ends at once; the quickest of 50 is what it takes where nothing else runs."""

import os
import subprocess
import sys
import time

library, program = sys.argv[1:]
size = os.stat(library).st_size


def seconds():
    begin = time.perf_counter()
    subprocess.run([program], stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def empty():
    begin = time.perf_counter()
    subprocess.run(["/bin/true"])
    return time.perf_counter() - begin


start = min(seconds() for _ in range(50)) - min(empty() for _ in range(50))
print(f"{size} bytes, {1000 * start:.2f} ms more than a program that does nothing", file=sys.stderr)
print("less than 1 MiB" if size < 1 << 20 else "more than 1 MiB", end=", ")
print("starts in less than 2 ms" if start < 2e-3 else "starts in more than 2 ms")
