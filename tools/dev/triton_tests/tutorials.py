"""Runs programs of Triton's tutorials as they are, by FSM or by Triton's own compiler, and writes down what they measure.

Call: tutorials.py --compiler=fsm|fsm-launched|triton --out=FILE [--points=N] [--most=X] [--plots=REGEX] [--lines=REGEX]
                   [--threads=N] [--seconds=S] [--device=gpu|cpu] SCRIPT...

A program is a process; what it asserts of its results ends it. Of the plots and lines that it would draw and that the
expressions find, --points points up to --most each are measured (the last of them always), and written as lines of JSON at
once: program, plot, line, x, value. A program that takes longer than --seconds is ended; the points it had stay. What the
autotuner will try is compiled before, by --threads threads. fsm-launched launches by FSM's engine. Nothing here needs
pandas, matplotlib, or what shows profiles.
"""

import argparse
import json
import os
import re
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


def measure(mark, options, write):
    """Stands in for the part of Triton that measures and plots, which keeps every point to the end."""
    benchmarks = mark.benchmarks if isinstance(mark.benchmarks, list) else [mark.benchmarks]
    for benchmark in benchmarks:
        if not re.search(options.plots, benchmark.plot_name):
            continue
        for x in spread([x for x in benchmark.x_vals if not isinstance(x, (int, float)) or x <= options.most], options.points):
            values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
            for line in benchmark.line_vals:
                if not re.search(options.lines, str(line)):
                    continue
                arguments = {**dict(zip(benchmark.x_names, values)), benchmark.line_arg: line, **benchmark.args}
                try:
                    write(plot=benchmark.plot_name, x=x, line=line, value=value_of(mark.fn(**arguments)))
                except Exception as error:  # noqa: BLE001: one point, not all
                    write(plot=benchmark.plot_name, x=x, line=line, error=f"{type(error).__name__}: {error}"[:300])


def compile_ahead(threads):
    """Lets Triton's autotuner compile all that it will try at once, before it tries it, by either compiler."""
    from concurrent.futures import ThreadPoolExecutor

    from triton.runtime import _async_compile, autotuner

    pool = ThreadPoolExecutor(threads)
    prune = autotuner.Autotuner.prune_configs

    def launched(tuner, configs, arguments, warmup):
        for config in configs:
            named = {**tuner.nargs, **arguments, **config.all_kwargs(), "warmup": warmup}
            if config.pre_hook:
                config.pre_hook(named)
            try:
                tuner.fn.run(**named)
            except Exception:  # noqa: BLE001: who tries it will say so
                pass

    def prune_and_compile(tuner, arguments):
        configs = prune(tuner, arguments)
        with _async_compile.AsyncCompileMode(pool, ignore_errors=True):
            launched(tuner, configs, arguments, True)
        if generated_late(tuner.nargs.values()):
            for future in [pool.submit(*call) for call in late_calls(lambda: launched(tuner, configs, arguments, False))]:
                future.exception()
        return configs

    autotuner.Autotuner.prune_configs = prune_and_compile


def generated_late(values):
    """Whether FSM's own engine launches a kernel of these arguments: its launches generate the code."""
    session = sys.modules.get("fsm.triton.session")
    if not session or not session._active:
        return False
    return session._active[-1].launcher == "fsm" or any(type(value).__name__ == "TensorDescriptor" for value in values)


def late_calls(launch_all):
    """What generates the code of launches that `launch_all` makes, none of which happens."""
    from fsm import _library
    calls, launch = [], _library.Prepared.launch
    _library.Prepared.launch = lambda prepared, grid, bits, stream: calls.append((prepared.warm_up, list(bits)))
    try:
        launch_all()
    finally:
        _library.Prepared.launch = launch
    return calls


class Profiler:
    """Stands in for Triton's profiler: calls a second between `activate` and `deactivate`, by the label printed last."""

    CALLS = 10000

    def __init__(self, write):
        self.write, self.label = write, ""

    def install(self):
        import builtins
        import contextlib
        import types

        import triton.profiler as profiler

        printed = print

        def listening(*values, **options):
            text = " ".join(str(value) for value in values)
            if text.startswith("Benchmarking "):
                self.label = text.removeprefix("Benchmarking ").partition(":")[0]
            printed(*values, **options)

        builtins.print = listening
        profiler.start = profiler.finalize = lambda *_, **__: None
        profiler.scope = lambda *_, **__: contextlib.nullcontext()
        profiler.activate, profiler.deactivate = self.activate, self.deactivate
        # A viewer needs packages that nothing here needs.
        viewer = types.ModuleType("triton.profiler.viewer")
        viewer.parse, viewer.print_tree = lambda *_: (None, None), lambda *_: None
        sys.modules["triton.profiler.viewer"] = profiler.viewer = viewer

    def activate(self, *_):
        import torch
        torch.cuda.synchronize()
        self.begin = time.perf_counter()

    def deactivate(self, *_):
        import torch
        torch.cuda.synchronize()
        if self.label:
            self.write(plot="calls a second", x=0, line=f"triton {self.label}",
                       value=self.CALLS / (time.perf_counter() - self.begin))
            self.label = ""


def inside(options, script):
    """The process of one program."""
    import runpy

    import triton

    def write(**line):
        with open(options.out, "a", encoding="utf-8") as file:
            print(json.dumps({"program": Path(script).stem, "compiler": options.compiler, **line}), file=file)

    triton.testing.Mark.run = lambda self, *_, **__: measure(self, options, write)
    if options.device == "gpu":
        Profiler(write).install()
        compile_ahead(options.threads)
    if options.compiler != "triton":
        launcher = ["--launcher=fsm"] if options.compiler == "fsm-launched" else []
        sys.argv = ["fsm.triton", f"--device={options.device}", *launcher, script]
        runpy.run_module("fsm.triton", run_name="__main__")
    else:
        sys.argv = [script]
        sys.path.insert(0, str(Path(script).parent))
        runpy.run_path(script, run_name="__main__")


def outside(options, script):
    """Runs a program and says what became of it."""
    begin = time.time()
    command = [sys.executable, __file__, f"--compiler={options.compiler}", f"--out={options.out}", f"--points={options.points}",
               f"--device={options.device}", f"--plots={options.plots}", f"--lines={options.lines}", f"--most={options.most}",
               f"--threads={options.threads}", "--inside", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        printed, _ = process.communicate(timeout=options.seconds)
        ending = "ended well" if process.returncode == 0 else f"ended with {process.returncode}"
        if "\N{CROSS MARK}" in printed:
            ending += ", a wrong result"
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
    parser.add_argument("--compiler", choices=("fsm", "fsm-launched", "triton"), required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--plots", default="")
    parser.add_argument("--lines", default="")
    parser.add_argument("--most", type=float, default=1e9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("scripts", nargs="+")
    options = parser.parse_args()
    for script in options.scripts:
        (inside if options.inside else outside)(options, str(Path(script).resolve()))


if __name__ == "__main__":
    main()
