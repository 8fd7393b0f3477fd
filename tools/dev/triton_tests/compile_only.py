"""Compiles for an H100 what programs of Triton's would launch, and launches nothing: no GPU is needed.

Call: compile_only.py --out=FILE [--save=FOLDER] [--text-only] [--by=fsm|engine|triton] [--every=N] SCRIPT [ARGUMENT...]

Every configuration that the autotuner would try is compiled, at the first point of each plot. A line of JSON for each kernel:
its name, options and constants, how long FSM takes (and how long ptxas), how often its threads spill, and what is said against
it. --save keeps the texts that FSM is given; --text-only makes these alone. With --by=engine kernels are compiled at their launch, for what
FSM's engine knows of the arguments, as with `launcher="fsm"`; with --by=triton all is compiled by Triton. Of --every=N each Nth
kernel of a program is compiled. What torch computes beside the kernels is left out, as are checks of results.

Seconds are the processor's, so that what else a machine does is not counted.
"""

import argparse
import hashlib
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import torch
import triton
import triton.profiler
from triton.runtime import driver as triton_driver

import fsm.triton
from fsm._library import Failure
from fsm.triton import driver, errors, hook, tensors
from fsm.triton.device import NAME

PTXAS = os.environ.get("TRITON_PTXAS_PATH", "ptxas")
# What the programs ask of torch for the sake of comparisons alone.
_LEFT_OUT = ("matmul", "softmax", "layer_norm")


class Launcher:
    """Takes each launch for done, or compiles what FSM's engine would for it."""

    writer = None

    def __init__(self, source, metadata):
        self.kinds, self.metadata = list(source.signature.values()), metadata

    def __call__(self, x, y, z, stream, function, packed, launch_metadata, enter, leave, *arguments):
        if self.writer:
            self.writer.launch(self.metadata, list(driver.flattened(self.kinds, arguments)))


def facts_of(arguments):
    """What the engine knows of tensors that do not overlap and of numbers, in the words of the option `arguments`."""
    words = []
    for kind, value in arguments:
        if kind.startswith("*"):
            words.append("64+noalias")
        elif kind.startswith("i"):
            number = driver.number_of(kind, value)
            words.append("16" if number % 16 == 0 else "4" if number % 4 == 0 else "one" if number == 1 else "")
        else:
            words.append("")
    return words


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
        # Triton's module does not say what FSM's text does of its options.
        named = f"{metadata['num_warps']} {metadata['num_stages']} " + re.sub(r"loc\(.*", "", str(text))
        if named in self.seen:
            return ""
        self.seen.add(named)
        if len(self.seen) % self.options.every:
            return ""
        line = {"number": len(self.seen), "program": Path(self.options.script).stem, "kernel": metadata["name"],
                "warps": metadata["num_warps"],
                "stages": metadata["num_stages"], "text": hashlib.sha256(named.encode()).hexdigest()[:12]}
        begin = cpu()
        try:
            line.update(self.compiled(stages, text, metadata))
        except (errors.CompileError, errors.OutOfRoom, errors.Defect) as error:
            line["error"] = f"{type(error).__name__}: {error}"
            raise
        finally:
            line.setdefault("seconds", round(cpu() - begin, 2))
            with self.options.out.open("a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)
        return ""

    def compiled(self, stages, text, metadata):
        if self.options.save:
            name = f"{metadata['name']}-{hashlib.sha256(str(text).encode()).hexdigest()[:12]}.ttir"
            (self.options.save / name).write_text(str(text), encoding="utf-8")
        if self.options.text_only:
            return {}
        begin = cpu()
        ptx = self.made(stages, text, metadata)
        seconds = round(cpu() - begin, 2)
        done = subprocess.run([PTXAS, "-v", "--gpu-name=sm_90a", "-", "-o", "/dev/null"], input=ptx, capture_output=True,
                              text=True, check=False)
        words = done.stdout + done.stderr
        spills, registers = re.search(r"(\d+) bytes spill stores", words), re.search(r"Used (\d+) registers", words)
        if done.returncode or not registers:
            return {"seconds": seconds, "error": f"ptxas: {words[:400]}"}
        return {"seconds": seconds, "ptxas": round(cpu() - begin - seconds, 2), "registers": int(registers[1]),
                "spilled": int(spills[1]), "shared": metadata["shared"], "mma": len(re.findall(r"wgmma\.mma_async", ptx))}

    def made(self, stages, text, metadata):
        return hook.Stages.ptx(stages, text, metadata)


class EngineWriter(Writer):
    """Compiles where a kernel is launched."""

    def __init__(self, options, library):
        super().__init__(options)
        self.library, self.facts = library, []

    def launch(self, metadata, arguments):
        self.facts = facts_of(arguments)
        options = {"name": metadata.name, "num_warps": metadata.num_warps, "num_stages": metadata.num_stages}
        super().ptx(None, metadata.fsm_text + "".join(f"\n// {fact}" for fact in self.facts), options)

    def ptx(self, stages, text, metadata):
        return ""

    def made(self, stages, text, metadata):
        try:
            launch = json.loads(self.library.emit(text, NAME, "launch", target=hook.target_of(90), arguments=",".join(self.facts)))
        except Failure as failure:
            raise errors.translated(failure) from None
        metadata["shared"] = launch["shared_bytes"]
        return launch["ptx"]


class TritonWriter(Writer):
    """Stands in for Triton's stages behind its first."""

    def made(self, stages, text, metadata):
        for name in ("ttgir", "llir", "ptx"):
            text = stages[name](text, metadata)
        return text


def cpu():
    """Seconds of the processor that this process and those that it has waited for have taken."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def put_writer(writer, by):
    """Puts the writer in place of what compiles a kernel."""
    put = triton.knobs.runtime.add_stages_inspection_hook

    def without_code(backend, stages, *arguments):
        if by != "triton":
            put(backend, stages, *arguments)
            stages["ptx"] = lambda text, metadata, own=stages["ptx"]: writer.ptx(own.__self__, text, metadata)
        else:
            theirs = {name: stages.pop(name) for name in list(stages) if name != "ttir"}
            stages["ptx"] = lambda text, metadata: writer.ptx(theirs, text, named(metadata, text))
        stages["cubin"] = lambda text, metadata: b""

    triton.knobs.runtime.add_stages_inspection_hook = without_code


def named(metadata, module):
    """With what a launch asks of a kernel, where stages behind the first may be left out."""
    metadata.update(name=module.get_entry_func_name(), shared=1024, tmem_size=0, global_scratch_size=0, global_scratch_align=1,
                    profile_scratch_size=0, profile_scratch_align=1, tensordesc_meta=[])
    return metadata


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
    parser.add_argument("--by", choices=("fsm", "engine", "triton"), default="fsm")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("script")
    options, others = parser.parse_known_args()
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    triton.knobs.compilation.always_compile = True
    with fsm.triton.enable() as session:
        if options.by == "engine":
            writer = Launcher.writer = EngineWriter(options, session.library)
        else:
            writer = (Writer if options.by == "fsm" else TritonWriter)(options)
        triton_driver.set_active(Driver())
        put_writer(writer, options.by)
        tensors.pretend()
        replace()
        sys.argv = [options.script, *others]
        with tensors.HostTensors(0):
            runpy.run_path(options.script, run_name="__main__")


main()
