"""Leaves out of the examples' PTX each barrier, wait, commit, arrival, fence and condition of an access, one at a time,
and looks whether the simulator reports it.

Call: omissions_examples.py [--full] [--only=TEXT[,TEXT]] [--targets=sm_80,sm_90a] [--schedules=N] [--verbose]
                            [--no-exceptions] FSM_RUN SOURCE_ROOT

Each code of omissions_table.py is compiled and run on its launches, which together need all that is in it: masks that
cut off, loops of no, one, some and many iterations, programs that are not there, and pointers that overlap where no
fact forbids it. Races of a block's threads in global memory are looked for, too. An omission is found if a report
comes on any launch and schedule, or only the bits left behind are others, which is then said. Prints what was not
found and a line for each code; exit code 1 if EXCEPTIONS does not allow that, or if one of these is not needed. A
target whose code is another's is not run again; codes that take long run with --full.
"""

import argparse
import ctypes
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Examples"))
import batch
from omissions_table import CODES, EXCEPTIONS, STORAGE, Array, Within
from schedules import schedules

# What it may take to compile a kernel.
SECONDS = 60
# Warp instructions of a block, for what never ends.
STEPS = 1 << 18
SCALARS = {"f32": ctypes.c_float, "i32": ctypes.c_int32, "i64": ctypes.c_int64}


@dataclass
class Unit:
    """A kernel as fsm-run would launch it."""

    ptx: str
    contract: dict

    def body(self):
        return [line for line in self.ptx.splitlines() if not line.startswith((".target", ".version"))]


class Simulator:
    """The simulator as a CUDA driver."""

    def __init__(self, root, fsm_run):
        sys.path.insert(0, str(root / "tools" / "dev" / "bench"))
        from driver import Driver
        from tensor_maps import encode
        self.encode = encode
        self.driver = Driver(str(Path(fsm_run).parent.parent / "lib" / "libfsm-simulator.so"))
        self.driver.cuda.fsmSimulatorReports.restype = ctypes.c_char_p
        self.configure({"global_races": 2, "threads": 1, "max_steps": STEPS})

    def configure(self, settings):
        for key, value in settings.items():
            if self.driver.cuda.fsmSimulatorConfigure(key.encode(), ctypes.c_long(value)):
                raise ValueError(f"{key}={value}")

    def reports(self):
        return self.driver.cuda.fsmSimulatorReports().decode()

    def renew(self):
        """A failure stays until the context ends."""
        self.driver("cuDevicePrimaryCtxReset_v2", self.driver.device)
        self.driver("cuDevicePrimaryCtxRetain", ctypes.byref(self.driver.context), self.driver.device)
        self.driver("cuCtxSetCurrent", self.driver.context)

    def place(self, unit, arguments):
        """The arguments' buffers by index, and their values."""
        random = np.random.default_rng(1)
        buffers = {index: argument.contents(random) for index, argument in enumerate(arguments)
                   if isinstance(argument, Array)}
        places = {index: self.driver.allocate(buffer.nbytes) for index, buffer in buffers.items()}
        for index, place in places.items():
            self.driver.copy_in(place, buffers[index])

        def value(index, argument, formal):
            if isinstance(argument, Within):
                size = np.dtype(STORAGE[argument.kind]).itemsize
                return ctypes.c_uint64(places[argument.argument].value + argument.offset * size)
            return places[index] if index in places else SCALARS[formal["type"]](argument)
        formals = unit.contract["arguments"]
        return buffers, places, [value(index, *pair) for index, pair in enumerate(zip(arguments, formals, strict=True))]

    def hidden(self, contract, grid, numbers):
        """What a launch passes behind the arguments."""
        maps = iter(contract.get("tensor_maps", ()))
        made = {"program_count": lambda: ctypes.c_int32(grid),
                "scratch": lambda: self.driver.allocate(grid * contract["scratch_bytes"]),
                "tensor_map": lambda: self.encode(self.driver, next(maps), numbers)}
        return [made[name]() for name in contract["hidden_arguments"]]

    def launch(self, unit, grid, arguments):
        """What is reported, and what the buffers hold afterwards."""
        driver, contract = self.driver, unit.contract
        packed = contract["programs_per_cta"]
        together = packed * contract.get("batch", 1)
        self.renew()
        buffers, places, values = self.place(unit, arguments)
        values += self.hidden(contract, grid, [value.value for value in values])
        try:
            function = driver.function(driver.load(unit.ptx), contract["name"], contract["shared_bytes"])
            driver.launch(function, (-(-grid // together), 1, 1), (32 * contract["num_warps"] * packed, 1, 1),
                          contract["shared_bytes"], values, overlaps=contract.get("overlaps_launches", False))
            driver.synchronize()
            for index, place in places.items():
                driver.copy_out(buffers[index], place)
        except RuntimeError as error:
            return self.reports() or str(error), None
        return self.reports(), [buffer.tobytes() for buffer in buffers.values()]


def emitted(fsm_run, root, code, target, launch, stage):
    grid, arguments = launch
    words = [f"--arg={a.kind}[{a.count}]" if isinstance(a, Array) else f"--arg={a}" for a in arguments]
    line = [fsm_run, str(root / "examples" / f"{code.example}.mlir"), "--device=sim", f"--target={target}",
            f"--emit={stage}", f"--grid={grid}", *code.options, *words]
    done = batch.run(line[:1], line[1:], SECONDS)
    if done.returncode:
        sys.exit(f"{code.name}: {done.stderr}")
    return done.stdout


def compiled(fsm_run, root, code, target):
    """The unit of a code's launches, which must be the same for all of them."""
    texts = [emitted(fsm_run, root, code, target, launch, "ptx") for launch in code.launches]
    if any(text != texts[0] for text in texts):
        sys.exit(f"{code.name}: the launches are of different code")
    return Unit(texts[0], json.loads(emitted(fsm_run, root, code, target, code.launches[0], "contract")))


class Examination:
    """One unit and its launches."""

    def __init__(self, simulator, code, unit, count):
        self.simulator, self.code, self.unit = simulator, code, unit
        self.launches = code.launches + code.overlaps
        self.schedules = [{key: int(value) for key, value in (pair.split("=") for pair in text.split(","))}
                          for text in schedules(count)]
        self.right = [self.bits_of(launch) for launch in self.launches]

    def bits_of(self, launch):
        """What a launch of the code as it is leaves behind, the same on all schedules."""
        bits = None
        for settings in self.schedules:
            self.simulator.configure({"leave_out": 0, **settings})
            reports, found = self.simulator.launch(self.unit, *launch)
            if reports or bits not in (None, found):
                sys.exit(f"{self.code.name} as it is: {reports or 'other bits on another schedule'}")
            bits = found
        return bits

    def names(self):
        self.simulator.configure({"list_omissions": 1, "leave_out": 0})
        text = self.simulator.launch(self.unit, *self.launches[0])[0]
        self.simulator.configure({"list_omissions": 0})
        return [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("omission ")]

    def find(self, number):
        """What is reported first without it, else whether other bits are left behind, or nothing."""
        wrong = ""
        for settings in self.schedules:
            self.simulator.configure({"leave_out": number, **settings})
            for launch, right in zip(self.launches, self.right):
                reports, bits = self.simulator.launch(self.unit, *launch)
                if reports:
                    return next((line for line in reports.splitlines() if "PTX line" in line), reports)
                if bits != right:
                    wrong = "other bits"
        return wrong


def examine(simulator, code, unit, options, used):
    """Prints what of one unit is not found; how many of that no exception names."""
    start = time.monotonic()
    examination = Examination(simulator, code, unit, options.schedules)
    names = examination.names()
    counts = Counter()
    left = Counter() if options.no_exceptions else Counter({a.text: a.codes.get(code.name, 0) for a in EXCEPTIONS})
    for number, name in enumerate(names, 1):
        report = examination.find(number)
        exception = None if report else next((text for text, count in left.items() if count and text in name), None)
        if exception:
            left[exception] -= 1
            used.add(exception)
        how = "exception" if exception else "missed" if not report else "bits" if report == "other bits" else "reported"
        counts[how] += 1
        if how != "reported" or options.verbose:
            print(f"  {code.name}: without {name}: {report or (exception and 'an exception') or 'NOT FOUND'}")
    seconds = time.monotonic() - start
    print(f"{code.name}: {len(names)} omissions, {counts['reported']} reported, {counts['bits']} by other bits only, "
          f"{counts['exception']} exceptions, {counts['missed']} not found, {seconds:.1f} s", flush=True)
    return counts["missed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--targets", default="sm_80,sm_90a")
    parser.add_argument("--schedules", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--no-exceptions", action="store_true")
    parser.add_argument("fsm_run")
    parser.add_argument("root", type=Path)
    options = parser.parse_args()
    simulator, used, missed = Simulator(options.root, options.fsm_run), set(), 0
    chosen = [code for code in CODES if (options.full or not code.is_slow)
              and any(text in code.name for text in options.only.split(","))]
    for code in chosen:
        bodies = []
        for target in options.targets.split(","):
            if code.targets and target not in code.targets:
                continue
            unit = compiled(options.fsm_run, options.root, code, target)
            if unit.body() not in bodies:
                missed += examine(simulator, code, unit, options, used)
            bodies.append(unit.body())
    # Of slow codes nothing is known where they are left out.
    names = {code.name for code in chosen}
    unneeded = [] if options.only or options.no_exceptions else [
        a for a in EXCEPTIONS if a.text not in used and names.intersection(a.codes)]
    for allowance in unneeded:
        print(f"not needed any more, and to be taken out of the table and the docs: {allowance.text}")
    print(f"{missed} not found, {len(unneeded)} exceptions not needed")
    complaints = batch.finish()
    print("\n".join(complaints))
    return 1 if missed or unneeded or complaints or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
