"""How large the runtime is, and how long a program takes that it starts with.

Call: small_and_quick.py LIBRARY PROGRAM FOLDER, PROGRAM being linked with it; two programs that do nothing are built in FOLDER. A
start is that of the program without arguments, which ends at once. What it takes beyond a program that does nothing is said in
what the standard library of C++ takes beyond one, which the runtime needs: 1.6 of it, 0.5 ms, on a machine that does nothing else.
Milliseconds would be the machine's: a start took 0.5 of them or 2.7. The three take turns, the quickest of 50 counts."""

import os
import pathlib
import subprocess
import sys
import time

library, program, folder = sys.argv[1:]
size = os.stat(library).st_size


def linked(name, *options):
    """A program that ends at once, linked with these options."""
    built = pathlib.Path(folder, name)
    subprocess.run(["cc", "-x", "c", "-", "-o", built, *options], input="int main(void) { return 0; }", text=True, check=True)
    return str(built)


def seconds(path):
    begin = time.perf_counter()
    subprocess.run([path], stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


pathlib.Path(folder).mkdir(exist_ok=True)
empty = linked("empty")
standard = linked("standard", "-Wl,--no-as-needed", "-l:libstdc++.so.6")
taken = [[seconds(path) for path in (empty, standard, program)] for _ in range(50)]
nothing, library_alone, runtime = map(min, zip(*taken))
times = (runtime - nothing) / (library_alone - nothing)
print(f"{size} bytes, {1000 * (runtime - nothing):.2f} ms more than a program that does nothing, {times:.2f} of what the "
      "standard library of C++ takes", file=sys.stderr)
print("less than 1 MiB" if size < 1 << 20 else "more than 1 MiB", end=", ")
print("starts within 3 standard libraries of C++" if times < 3 else "starts slower than 3 standard libraries of C++")
