#!/usr/bin/python3
"""Runs an example with fsm-run on many shapes, element types and devices and compares with NumPy in float64.

Call: check.py --fsm-run=PROGRAM [--cases=basic,matrix,large,warps,clusters,pieces,long] [--devices=cpu,interp,cuda,sim] [--jobs=N]
               [--only=TEXT] [--verbose] [--deal] FILE.mlir...

The file's name says which example it is. With --deal not each case runs on each device, and of the lists with numbers of warps,
CTAs and elements of a piece every other case runs (dealing.py). Without --devices they are those of FSM_TEST_DEVICES, or cpu and interp. Exit
code 1 if a launch failed or an element is wrong.
"""

import argparse
import re
import shlex
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import batch
from cases import EXAMPLES
from dealing import Dealer
from devices import devices_of, on_devices
from launches import faults, run


def declared_parameters(file):
    return set(re.findall(r"^\s*//\s*param\s+(\w+)\s*=", Path(file).read_text(), re.MULTILINE))


def complaint(command, file, launch, folder, alone=False):
    """Runs one launch. What went wrong ("" when nothing did), and whether it ran at all."""
    results, failure = run(command, file, launch, folder, alone)
    if results is None:
        return failure, False
    for index, output in launch.outputs.items():
        fault = faults(output, results[index])
        if fault:
            return f"argument {index}: {fault}", True
    return "", True


# Lists whose cases differ in what only a GPU has.
OF_A_GPU = ("warps", "clusters", "pieces", "long")


def every_other(cases, name):
    """Half of the cases, which hold each number of warps; of another example the other half."""
    return cases[zlib.crc32(name.encode()) % 2::2] or cases


def pick(example, lists, devices, only, dealing):
    """Pairs of a case and a kernel."""
    cases = []
    for name in lists:
        listed = getattr(example, name)
        cases += every_other(listed, example.name) if dealing and name in OF_A_GPU else listed
    cases = on_devices(cases, devices, Dealer(example.name) if dealing else None)
    return [(case, kernel) for case in cases for kernel in example.kernels if only in f"{kernel} {case.title}"]


def check(command, file, options):
    """Runs all launches of one example; the number of those that failed."""
    example, declared = EXAMPLES[Path(file).stem], declared_parameters(file)
    chosen = pick(example, options.cases, options.devices, options.only, options.deal)
    start = time.monotonic()

    def judge(pair):
        with tempfile.TemporaryDirectory() as folder:
            return complaint(command, file, example.prepared(*pair, declared), folder)[0]

    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for (case, kernel), wrong in zip(chosen, pool.map(judge, chosen)):
            failed += bool(wrong)
            if wrong or options.verbose:
                print(f"{'FAIL' if wrong else 'ok  '} {example.name} {kernel} {case.title} {wrong}", flush=True)
    seconds, lists = time.monotonic() - start, ", ".join(options.cases)
    print(f"{example.name}: {len(chosen) - failed} of {len(chosen)} {lists} cases right, {seconds:.1f} s")
    # An example that has no such cases is not wrong; one of which a filter leaves none is not tested.
    return failed if chosen or not any(getattr(example, name) for name in options.cases) else 1


def case_lists(text):
    names = text.split(",")
    for name in names:
        if name not in ("basic", "matrix", "large", "warps", "clusters", "pieces", "long"):
            raise argparse.ArgumentTypeError(
                f"expected basic, matrix, large, warps, clusters, pieces or long, got '{name}'")
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-run", default="fsm-run")
    parser.add_argument("--cases", type=case_lists, default="basic")
    parser.add_argument("--devices", type=devices_of, default=devices_of())
    parser.add_argument("--jobs", type=int, default=1, help="how many launches at a time, each in a process of its own")
    parser.add_argument("--only", default="", help="run only the cases whose title contains this")
    parser.add_argument("--deal", action="store_true", help="on each device a part of the cases")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    command = shlex.split(options.fsm_run)
    failed = [check(command, file, options) for file in options.files]
    complaints = batch.finish()
    for text in complaints:
        print(f"FAIL {text}")
    sys.exit(1 if any(failed) or complaints else 0)


if __name__ == "__main__":
    main()
