#!/usr/bin/env python3
"""check-malformed.py NPY_DUMP: every malformed file is refused with the golden sentence.

With --update the golden file is rewritten; review each changed sentence: is it located at the byte
that is wrong, and does it say what would be right?
"""
import importlib.util
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "malformed.golden")


def load_generator():
    path = os.path.join(HERE, "make-malformed.py")
    spec = importlib.util.spec_from_file_location("make_malformed", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def dump_all(npy_dump):
    with tempfile.TemporaryDirectory() as directory:
        names = load_generator().write_all(directory)
        command = [os.path.abspath(npy_dump)] + [name + ".npy" for name in names]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"npy-dump failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return names, [line.replace(".npy: ", ": ", 1) for line in done.stdout.splitlines()]


def main():
    names, lines = dump_all(sys.argv[-1])
    if "--update" in sys.argv:
        with open(GOLDEN, "w") as file:
            file.write("\n".join(lines) + "\n")
        return 0
    with open(GOLDEN) as file:
        golden = file.read().splitlines()
    failures = [line for line in lines if ": byte " not in line]
    failures += [f"expected {want}\n     got {got}" for want, got in zip(golden, lines) if want != got]
    if len(names) < 110 or len(golden) != len(names) or len(lines) != len(names):
        failures.append(f"{len(names)} files, {len(golden)} golden sentences, {len(lines)} lines")
    print("\n".join(failures) or f"{len(names)} malformed files refused as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
