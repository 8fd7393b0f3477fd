#!/usr/bin/python3
"""Runs an example with fsm-run on many shapes, element types and devices and compares with NumPy in float64.

Call: check.py --fsm-run=PROGRAM [--cases=basic|matrix] [--only=TEXT] [--verbose] FILE.mlir...

The file's name says which example it is. Exit code 1 if a launch failed or an element is wrong.
"""

import argparse
import re
import shlex
import sys
import tempfile
import time
from pathlib import Path

from cases import EXAMPLES
from launches import faults, run


def declared_parameters(file):
    return set(re.findall(r"^\s*//\s*param\s+(\w+)\s*=", Path(file).read_text(), re.MULTILINE))


def complaint(command, file, launch, folder):
    """Runs one launch. What went wrong ("" when nothing did), and whether it ran at all."""
    results, failure = run(command, file, launch, folder)
    if results is None:
        return failure, False
    for index, output in launch.outputs.items():
        fault = faults(output, results[index])
        if fault:
            return f"argument {index}: {fault}", True
    return "", True


def check(command, file, which, only="", verbose=False):
    """Runs all launches of one example; the number of those that failed."""
    example = EXAMPLES[Path(file).stem]
    launches = example.launches(getattr(example, which), declared_parameters(file))
    launches = [launch for launch in launches if only in f"{launch.kernel} {launch.title}"]
    failed = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for launch in launches:
            wrong, _ = complaint(command, file, launch, folder)
            failed += bool(wrong)
            if wrong or verbose:
                print(f"{'FAIL' if wrong else 'ok  '} {example.name} {launch.kernel} {launch.title} {wrong}")
    seconds = time.monotonic() - start
    print(f"{example.name}: {len(launches) - failed} of {len(launches)} {which} cases right, {seconds:.1f} s")
    return failed if launches else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-run", default="fsm-run")
    parser.add_argument("--cases", choices=["basic", "matrix"], default="basic")
    parser.add_argument("--only", default="", help="run only the cases whose title contains this")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    command = shlex.split(options.fsm_run)
    failed = [check(command, file, options.cases, options.only, options.verbose) for file in options.files]
    sys.exit(1 if any(failed) else 0)


if __name__ == "__main__":
    main()
