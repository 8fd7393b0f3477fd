"""Runs programs of Triton's tutorials as they are, by FSM or by Triton's own compiler, and writes down what they measure.

Call: tutorials.py --compiler=fsm|triton --out=FILE [--points=N] [--seconds=S] [--device=gpu|cpu] SCRIPT...

A program is a process; what it asserts of its results ends it. Of the lines that it would plot, --points points each are
measured (the last one always), and written as lines of JSON at once: program, plot, line, x, value. A program that takes
longer than --seconds is ended; the points it had stay. Nothing here needs pandas or matplotlib.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def spread(values, count):
    """So many of the values, evenly, with the last one."""
    values = list(values)
    count = min(count, len(values))
    return [values[len(values) - 1 - i * len(values) // count] for i in reversed(range(count))]


def value_of(result):
    return result[0] if isinstance(result, tuple) else result


def measure(mark, points, write):
    """Stands in for the part of Triton that measures and plots, which keeps every point to the end."""
    benchmarks = mark.benchmarks if isinstance(mark.benchmarks, list) else [mark.benchmarks]
    for benchmark in benchmarks:
        for x in spread(benchmark.x_vals, points):
            values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
            for line in benchmark.line_vals:
                arguments = {**dict(zip(benchmark.x_names, values)), benchmark.line_arg: line, **benchmark.args}
                try:
                    write(plot=benchmark.plot_name, x=x, line=line, value=value_of(mark.fn(**arguments)))
                except Exception as error:  # noqa: BLE001: one point, not all
                    write(plot=benchmark.plot_name, x=x, line=line, error=f"{type(error).__name__}: {error}"[:300])


def inside(options, script):
    """The process of one program."""
    import runpy

    import triton

    def write(**line):
        with open(options.out, "a", encoding="utf-8") as file:
            print(json.dumps({"program": Path(script).stem, "compiler": options.compiler, **line}), file=file)

    triton.testing.Mark.run = lambda self, *_, **__: measure(self, options.points, write)
    if options.compiler == "fsm":
        sys.argv = ["fsm.triton", f"--device={options.device}", script]
        runpy.run_module("fsm.triton", run_name="__main__")
    else:
        sys.argv = [script]
        sys.path.insert(0, str(Path(script).parent))
        runpy.run_path(script, run_name="__main__")


def outside(options, script):
    """Runs a program and says what became of it."""
    begin = time.time()
    command = [sys.executable, __file__, f"--compiler={options.compiler}", f"--out={options.out}", f"--points={options.points}",
               f"--device={options.device}", "--inside", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        printed, _ = process.communicate(timeout=options.seconds)
        ending = "ended well" if process.returncode == 0 else f"ended with {process.returncode}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        printed, _ = process.communicate()
        ending = f"took longer than {options.seconds} seconds"
    taken = round(time.time() - begin, 1)
    print(f"{Path(script).stem} by {options.compiler}: {ending}, {taken} seconds", flush=True)
    with open(options.out, "a", encoding="utf-8") as file:
        print(json.dumps({"program": Path(script).stem, "compiler": options.compiler, "ending": ending, "seconds": taken,
                          "printed": printed[-3000:]}), file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", choices=("fsm", "triton"), required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("scripts", nargs="+")
    options = parser.parse_args()
    for script in options.scripts:
        (inside if options.inside else outside)(options, str(Path(script).resolve()))


if __name__ == "__main__":
    main()
