"""Compiles for an H100 what programs of Triton's would launch, and launches nothing: no GPU is needed.

Call: compile_only.py --out=FILE [--save=FOLDER] [--text-only] SCRIPT [ARGUMENT...]

Every configuration that the autotuner would try is compiled, at the first point of each plot. A line of JSON for each kernel:
its name, options and constants, how long FSM takes, how often its threads spill, and what is said against it. --save keeps
the texts that FSM is given; --text-only makes these alone. What torch computes beside the kernels is left out, as are checks
of results.
"""

import argparse
import hashlib
import json
import os
import re
import runpy
import subprocess
import sys
import time
from pathlib import Path

import torch
import triton
import triton.profiler
from triton.runtime import driver as triton_driver

import fsm.triton
from fsm.triton import driver, errors, hook, tensors

PTXAS = os.environ.get("TRITON_PTXAS_PATH", "ptxas")
# What the programs ask of torch for the sake of comparisons alone.
_LEFT_OUT = ("matmul", "softmax", "layer_norm")


class Launcher:
    """Takes each launch for done."""

    def __init__(self, source, metadata):
        pass

    def __call__(self, *_):
        pass


class Utils(driver.Utils):
    """Loads nothing."""

    def load_binary(self, name, code, shared, device):
        return None, 1, driver.NOMINAL_REGISTERS, 0, driver.MOST_THREADS


class Driver(driver.FsmDriver):
    """A GPU on which nothing runs."""

    def __init__(self, session=None):
        super().__init__(session)
        self.utils, self.launcher_cls = Utils(session), Launcher

    def get_benchmarker(self):
        return lambda call, quantiles=None, **_: (call(), [1.0] * len(quantiles or "1"))[1]


class Writer:
    """Stands in for the stages behind `fsm`."""

    def __init__(self, options):
        self.options, self.seen = options, set()

    def ptx(self, stages, text, metadata):
        named = re.sub(r"loc\(.*", "", text)
        if named in self.seen:
            return ""
        self.seen.add(named)
        line = {"program": Path(self.options.script).stem, "kernel": metadata["name"], "warps": metadata["num_warps"],
                "stages": metadata["num_stages"], "text": hashlib.sha256(named.encode()).hexdigest()[:12]}
        begin = time.time()
        try:
            line.update(self.compiled(stages, text, metadata))
        except (errors.CompileError, errors.OutOfRoom, errors.Defect) as error:
            line["error"] = f"{type(error).__name__}: {error}"
            raise
        finally:
            line.setdefault("seconds", round(time.time() - begin, 2))
            with self.options.out.open("a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)
        return ""

    def compiled(self, stages, text, metadata):
        if self.options.save:
            name = f"{metadata['name']}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.ttir"
            (self.options.save / name).write_text(text, encoding="utf-8")
        if self.options.text_only:
            return {}
        begin = time.time()
        ptx = self.made(stages, text, metadata)
        seconds = round(time.time() - begin, 2)
        done = subprocess.run([PTXAS, "-v", "--gpu-name=sm_90a", "-", "-o", "/dev/null"], input=ptx, capture_output=True,
                              text=True, check=False)
        words = done.stdout + done.stderr
        spills, registers = re.search(r"(\d+) bytes spill stores", words), re.search(r"Used (\d+) registers", words)
        if done.returncode or not registers:
            return {"seconds": seconds, "error": f"ptxas: {words[:400]}"}
        return {"seconds": seconds, "ptxas": round(time.time() - begin - seconds, 2), "registers": int(registers[1]),
                "spilled": int(spills[1]), "shared": metadata["shared"], "mma": len(re.findall(r"wgmma\.mma_async", ptx))}

    def made(self, stages, text, metadata):
        return hook.Stages.ptx(stages, text, metadata)


def run_first(mark, **_):
    """Stands in for the part of Triton that measures: the first point of each line."""
    benchmarks = mark.benchmarks if isinstance(mark.benchmarks, list) else [mark.benchmarks]
    for benchmark in benchmarks:
        x = list(benchmark.x_vals)[0]
        values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
        for line in benchmark.line_vals:
            if not str(line).lower().startswith("triton"):
                continue
            arguments = {**dict(zip(benchmark.x_names, values)), benchmark.line_arg: line, **benchmark.args}
            try:
                mark.fn(**arguments)
            except Exception as error:  # noqa: BLE001: one point, not all
                print(f"{benchmark.plot_name} {x} {line}: {type(error).__name__}: {str(error)[:300]}", flush=True)


def replace():
    """Lets programs be quick about all but their kernels."""
    triton.testing.Mark.run = run_first
    triton.testing.do_bench = lambda call, quantiles=None, **_: (call(), [1.0] * len(quantiles) if quantiles else 1.0)[1]
    torch.allclose = lambda *_, **__: True
    torch.testing.assert_close = torch.testing.assert_allclose = lambda *_, **__: None
    torch.matmul = lambda a, b: torch.empty((*a.shape[:-1], b.shape[-1]), dtype=a.dtype)
    for name in ("start", "activate", "deactivate", "finalize"):
        setattr(triton.profiler, name, lambda *_, **__: None)
    torch.cuda.is_available = lambda: False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--text-only", action="store_true")
    parser.add_argument("script")
    options, others = parser.parse_known_args()
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    triton.knobs.compilation.always_compile = True
    writer = Writer(options)
    with fsm.triton.enable():
        triton_driver.set_active(Driver())
        put = triton.knobs.runtime.add_stages_inspection_hook

        def without_code(backend, stages, *arguments):
            put(backend, stages, *arguments)
            stages["ptx"] = lambda text, metadata, own=stages["ptx"]: writer.ptx(own.__self__, text, metadata)
            stages["cubin"] = lambda text, metadata: b""

        triton.knobs.runtime.add_stages_inspection_hook = without_code
        tensors.pretend()
        replace()
        sys.argv = [options.script, *others]
        with tensors.HostTensors(0):
            runpy.run_path(options.script, run_name="__main__")


main()
