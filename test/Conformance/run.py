#!/usr/bin/python3
"""Runs the conformance suite: each op of the language on each type and device, against answers that are computed here.

Usage: run.py FSM_RUN [--devices=A,B] [--jobs=N] [--only=TEXT] [--results=FILE] [--deal]

Each file ops/DIALECT/NAME.py says how the op DIALECT.NAME is tried. --results writes what passed, from which
tools/dev/conformance-table makes the table. With --deal each launch of a cell of the table is for one of the devices, by turns,
and a cell of fewer launches than devices has its first on all of them (test/Examples/dealing.py). What suite/pending.py lists may
fail, and must.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from suite import judge, loader  # pylint: disable=wrong-import-position
from suite.pending import PENDING  # pylint: disable=wrong-import-position


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fsm_run")
    parser.add_argument("--devices", default="interp,cpu,sim")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only the ops whose name contains this")
    parser.add_argument("--results", type=pathlib.Path, help="a file for what passed, as JSON")
    parser.add_argument("--ops", type=pathlib.Path, default=loader.OPS, help="the folder of the ops' files")
    parser.add_argument("--pending", default="", help="more ops, separated by commas, that are taken to be pending")
    parser.add_argument("--deal", action="store_true", help="each launch on one device only, where they are enough for all")
    parser.add_argument("--times", action="store_true", help="print the seconds of each op")
    return parser.parse_args()


def main():
    options = parse()
    names = [name for name in loader.names(options.ops) if options.only in name]
    devices, pending = options.devices.split(","), {*PENDING, *options.pending.split(",")}
    results, failures, checks, begin = {}, 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(judge.op, options.ops, name, options.fsm_run, devices, folder, pending, options.deal)
                 for name in names]
        for name, task in zip(names, tasks):
            report = task.result()
            results[name] = report.cells
            checks += report.checks
            failures += len(report.complaints)
            for complaint in report.complaints:
                print(f"FAIL {complaint}", flush=True)
            if options.times:
                print(f"{name}: {report.seconds:.1f} s, {report.checks} checks")
    if options.results:
        options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"{len(names)} ops, {time.monotonic() - begin:.0f} s")
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
