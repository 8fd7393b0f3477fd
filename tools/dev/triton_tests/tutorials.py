"""Runs programs of Triton's tutorials as they are, by FSM or by Triton's own compiler, and writes down what they measure.

Call: tutorials.py --compiler=fsm|fsm-launched|triton --out=FILE [--points=N] [--most=X] [--plots=REGEX] [--lines=REGEX]
                   [--threads=N] [--seconds=S] [--device=gpu|cpu] [--calls=N] [--repeats=N] [--tune=MS] [--rep=MS]
                   [--compile-only] SCRIPT...

A program is a process; what it asserts of its results ends it. Of the plots and lines that it would draw and that the
expressions find, --points points up to --most each are measured (the last of them always), and written as lines of JSON at
once: program, plot, line, x, value. A program that takes longer than --seconds is ended; the points it had stay. What the
autotuner will try is compiled before, by --threads threads. fsm-launched launches by FSM's engine. Nothing here needs
pandas, matplotlib, or what shows profiles.

Of a program that measures nothing each kernel that it launches is measured as it is launched. --calls shortens what a program
counts itself (09), which it does --repeats times; --tune what the autotuner takes for a configuration, --rep what a point may take;
--compile-only fills the caches and measures nothing.
A script may be followed by its arguments: "09-persistent-matmul.py --prec=fp8" is one SCRIPT. all_tutorials.py runs all of
them by both compilers.
"""

import argparse
import functools
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def spread(values, count):
    """So many of the values, evenly, with the last one."""
    values = list(values)
    count = min(count, len(values))
    return [values[len(values) - 1 - i * len(values) // count] for i in reversed(range(count))]


def value_of(result):
    return result[0] if isinstance(result, tuple) else result


class Turns:
    """Between programs that take turns, by a pipe to who started them: nothing is measured while another one measures."""

    def __init__(self, pipe):
        self.pipe = pipe

    def wait(self):
        if self.pipe >= 0:
            os.write(self.pipe, b".")
            sys.stdin.readline()

    def rounds(self, count):
        """So many turns, one after the other."""
        for number in range(count):
            self.wait()
            yield number


def measure(mark, options, write, turns):
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
                for _ in turns.rounds(options.repeats):
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


def tune_for(milliseconds):
    """Lets the autotuner measure each configuration for so long, by either compiler; 100 ms are Triton's."""
    import triton
    from triton.runtime import autotuner

    def measure_shortly(call, quantiles=None, **_):
        return triton.testing.do_bench(call, warmup=milliseconds / 4, rep=milliseconds, quantiles=quantiles)

    autotuner.Autotuner.do_bench = property(lambda _: measure_shortly)


def measure_for(milliseconds):
    """Lets each point be measured for so long at the most, by either compiler."""
    import triton
    measured = triton.testing.do_bench

    def measure_shortly(call, warmup=25, rep=100, **others):
        return measured(call, warmup=warmup, rep=min(rep, milliseconds), **others)

    triton.testing.do_bench = measure_shortly


def launch_nothing():
    """Kernels are compiled, and launched where FSM's engine compiles at a launch; nothing runs, and results are not looked at."""
    import torch
    import triton
    from triton.backends.nvidia.driver import CudaLauncher

    from fsm import _library

    triton.testing.do_bench = lambda call, quantiles=None, **_: (call(), [1.0] * len(quantiles) if quantiles else 1.0)[1]
    CudaLauncher.__call__ = lambda *_: None
    _library.Prepared.launch = lambda prepared, grid, bits, stream: prepared.warm_up(list(bits))
    torch.allclose = lambda *_, **__: True
    torch.testing.assert_close = lambda *_, **__: None


class Launches:
    """Measures each launch of a program that measures nothing itself. These take a few microseconds, of which the least is told:
    others differ by what the processor does."""

    MILLISECONDS = 150

    def __init__(self, write, turns, repeats):
        self.write, self.turns, self.repeats, self.seen, self.busy = write, turns, repeats, {}, False

    def install(self):
        from triton.runtime import jit
        run = jit.JITFunction.run

        def measured(function, *arguments, grid, warmup, **options):
            kernel = run(function, *arguments, grid=grid, warmup=warmup, **options)
            if not warmup and not self.busy:
                self.measure(function.__name__, lambda: run(function, *arguments, grid=grid, warmup=False, **options))
            return kernel

        jit.JITFunction.run = measured

    def measure(self, name, launch):
        import triton
        self.busy = True
        try:
            number = self.seen[name] = self.seen.get(name, 0) + 1
            for _ in self.turns.rounds(self.repeats):
                taken = triton.testing.do_bench(launch, rep=self.MILLISECONDS, return_mode="min")
                self.write(plot="launches a second", x=number, line=f"triton {name}", value=1000 / taken)
        finally:
            self.busy = False


class Profiler:
    """Stands in for Triton's profiler: calls a second between `activate` and `deactivate`, by the label printed last."""

    CALLS = 10000

    def __init__(self, write, calls, turns, repeats):
        self.write, self.label, self.calls, self.turns, self.repeats = write, "", calls, turns, repeats

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
        profiler.start, profiler.finalize = self.start, lambda *_, **__: None
        profiler.scope = lambda *_, **__: contextlib.nullcontext()
        profiler.activate, profiler.deactivate = self.activate, self.deactivate
        # A viewer needs packages that nothing here needs.
        viewer = types.ModuleType("triton.profiler.viewer")
        viewer.parse, viewer.print_tree = lambda *_: (None, None), lambda *_: None
        sys.modules["triton.profiler.viewer"] = profiler.viewer = viewer

    def start(self, *_, **__):
        """Shortens what the program, which calls this, counts, and lets it count several times: its functions have the numbers of
        calls as defaults."""
        named = sys._getframe(1).f_globals
        for name, function in list(named.items()):
            defaults = getattr(function, "__defaults__", None)
            if defaults and self.CALLS in defaults:
                function.__defaults__ = tuple(self.calls if value == self.CALLS else value for value in defaults)
                named[name] = functools.partial(self.repeat, function)

    def repeat(self, function, *arguments, **others):
        for _ in self.turns.rounds(self.repeats):
            function(*arguments, **others)

    def activate(self, *_):
        import torch
        torch.cuda.synchronize()
        self.begin = time.perf_counter()

    def deactivate(self, *_):
        import torch
        torch.cuda.synchronize()
        if self.label:
            self.write(plot="calls a second", x=0, line=f"triton {self.label}",
                       value=self.calls / (time.perf_counter() - self.begin))
            self.label = ""


def inside(options, script):
    """The process of one program, which begins when it is told to."""
    import runpy
    import shlex

    import torch
    import triton

    program = program_of(script)
    script, *arguments = shlex.split(script)
    script = str(Path(script).resolve())

    def write(**line):
        if options.compile_only:
            return
        with open(options.out, "a", encoding="utf-8") as file:
            print(json.dumps({"program": program, "compiler": options.compiler, **line}), file=file)

    turns = Turns(options.turns)
    triton.testing.Mark.run = lambda self, *_, **__: measure(self, options, write, turns)
    if options.compile_only:
        options.repeats = options.calls = 1
        launch_nothing()
    else:
        if options.tune:
            tune_for(options.tune)
        if options.rep:
            measure_for(options.rep)
    if options.device == "gpu":
        torch.cuda.init()
        Profiler(write, options.calls, turns, options.repeats).install()
        compile_ahead(options.threads)
        if not measures_itself(Path(script).read_text(encoding="utf-8")):
            Launches(write, turns, options.repeats).install()
    turns.wait()
    if options.compiler != "triton":
        launcher = ["--launcher=fsm"] if options.compiler == "fsm-launched" else []
        sys.argv = ["fsm.triton", f"--device={options.device}", *launcher, script, *arguments]
        runpy.run_module("fsm.triton", run_name="__main__")
    else:
        sys.argv = [script, *arguments]
        sys.path.insert(0, str(Path(script).parent))
        runpy.run_path(script, run_name="__main__")


def measures_itself(text):
    return "do_bench" in text or "profiler" in text


def program_of(script):
    """The name of a program with its arguments."""
    path, *arguments = script.split()
    return " ".join([Path(path).stem, *arguments])


class Run:
    """A process of one program. With `gate` it has what it needs in memory, and waits for its turn."""

    def __init__(self, options, script, gate=False):
        self.options, self.script, self.gate = options, script, gate
        self.seconds = 0.0
        self.waiting, told = os.pipe()
        command = [sys.executable, __file__, f"--compiler={options.compiler}", f"--out={options.out}", f"--points={options.points}",
                   f"--device={options.device}", f"--plots={options.plots}", f"--lines={options.lines}", f"--most={options.most}",
                   f"--threads={options.threads}", f"--calls={options.calls}", f"--repeats={options.repeats}",
                   f"--tune={options.tune}", f"--rep={options.rep}", "--inside", f"--turns={told if gate else -1}",
                   *["--compile-only"] * options.compile_only, script]
        self.printed = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=self.printed, stderr=subprocess.STDOUT, text=True,
                                        start_new_session=True, pass_fds=[told])
        os.close(told)
        self.begin = time.time()

    def wait(self):
        """Until it waits, or has ended; whether it waits."""
        ready, _, _ = select.select([self.waiting], [], [], self.options.seconds)
        return bool(ready and os.read(self.waiting, 1))

    def turn(self):
        """One turn of a process that waits; whether it waits again."""
        begin = time.time()
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        waits = self.wait()
        self.seconds += time.time() - begin
        return waits

    def finish(self):
        """Says what became of a process that waits no longer."""
        try:
            self.process.communicate(timeout=self.options.seconds)
            ending = "ended well" if self.process.returncode == 0 else f"ended with {self.process.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            ending = f"took longer than {self.options.seconds} seconds"
        self.printed.seek(0)
        printed = self.printed.read()
        if "\N{CROSS MARK}" in printed:
            ending += ", a wrong result"
        os.close(self.waiting)
        taken, program = round(self.seconds if self.gate else time.time() - self.begin, 1), program_of(self.script)
        what = " compiled" if self.options.compile_only else ""
        print(f"{program} by {self.options.compiler}{what}: {ending}, {taken} seconds", flush=True)
        with open(self.options.out, "a", encoding="utf-8") as file:
            print(json.dumps({"program": program, "compiler": self.options.compiler, "compiled": self.options.compile_only,
                              "ending": ending, "seconds": taken, "printed": printed[-3000:]}), file=file)
        return ending == "ended well"


def parser_of(description):
    """What programs are run with."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", required=True)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--plots", default="")
    parser.add_argument("--lines", default="")
    parser.add_argument("--most", type=float, default=1e9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--calls", type=int, default=Profiler.CALLS)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--tune", type=float, default=0)
    parser.add_argument("--rep", type=float, default=0)
    return parser


def main():
    parser = parser_of(__doc__.splitlines()[0])
    parser.add_argument("--compiler", choices=("fsm", "fsm-launched", "triton"), required=True)
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("--turns", type=int, default=-1)
    parser.add_argument("scripts", nargs="+")
    options = parser.parse_args()
    for script in options.scripts:
        if options.inside:
            inside(options, script)
        else:
            Run(options, script).finish()


if __name__ == "__main__":
    main()
