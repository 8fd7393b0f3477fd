"""The units of tests that are run for one mutant at a time: each a command, generic or written for some code."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .table import REPOSITORY

PYTHON = sys.executable
TEST = REPOSITORY / "test"
LIT = "/usr/lib/llvm-22/bin/lit"
FOLDERS = ("Device", "Fuzz", "Kernels", "Stages", "Simulator", "Analysis", "CAPI", "Conversion", "Errors", "Import", "IR", "Launcher",
           "Source", "Target", "Tools", "Transforms")
# Tests that run kernels on devices, and know nothing of the code in between, unless they look at it.
GENERIC_FOLDERS = ("Device", "Fuzz", "Kernels", "Import", "Launcher")
LOOKS_AT_CODE = re.compile(r"--emit(?!=(header|obj)\b)|%fsm_opt")
# What is about the tests themselves, and the tests that are cut into smaller units here.
LEFT_OUT = ("Fuzz/fuzz.test", "Fuzz/planted.test", "Conformance/", "Tools/npy/")
DEVICES = "interp,cpu,sim"


@dataclass(frozen=True)
class Unit:
    """A test that can be run by itself; `generic` if it compares results of whole kernels."""
    name: str
    command: tuple
    generic: bool
    site: Path = None  # lit's configuration of the build


def fuzz_units(build, seeds, size):
    for seed in range(0, seeds, size):
        yield Unit(f"fuzz {seed}", (PYTHON, str(REPOSITORY / "tools/dev/fuzz"), f"--fsm-run={build}/bin/fsm-run",
                                    "--save={folder}", f"--seed={seed}", f"--count={size}", "--jobs=1", "--first"), True)


def conformance_units(build):
    for path in sorted((TEST / "Conformance" / "ops").glob("*/*.py")):
        name = f"{path.parent.name}.{path.stem}"
        yield Unit(f"conformance {name}", (PYTHON, str(TEST / "Conformance/run.py"), f"{build}/bin/fsm-run",
                                           f"--devices={DEVICES}", f"--only={name}", "--jobs=1"), True)


def example_units(build):
    for path in sorted((REPOSITORY / "examples").glob("*.mlir")):
        if not "01" <= path.name[:2] <= "19":
            continue
        check = (PYTHON, str(TEST / "Examples/check.py"), f"--fsm-run={build}/bin/fsm-run", "--jobs=1")
        yield Unit(f"example {path.stem} warps", (*check, "--cases=basic,warps", "--devices=sim", str(path)), True)
        yield Unit(f"example {path.stem} matrix", (*check, "--cases=matrix", f"--devices={DEVICES}", str(path)), True)
        if path.name[:2] <= "15":
            yield Unit(f"example {path.stem} long", (*check, "--cases=clusters,pieces,long", "--devices=sim", str(path)), True)


def lit_units(build):
    for folder in FOLDERS:
        for path in sorted((TEST / folder).rglob("*")):
            name = path.relative_to(TEST).as_posix()
            if path.suffix not in (".mlir", ".test") or "Inputs" in path.parts or name.startswith(LEFT_OUT):
                continue
            if folder == "Errors" and path.suffix == ".mlir":
                continue
            text = path.read_text(encoding="utf-8")
            generic = folder in GENERIC_FOLDERS and not LOOKS_AT_CODE.search(text)
            yield Unit(f"lit {name}", (PYTHON, LIT, "-v", "-Dwhole=1", "--no-progress-bar", f"{{folder}}/{name}"), generic,
                       build / "test" / "lit.site.cfg.py")


def program_units(build):
    for path in sorted((build / "test" / "Unit").glob("*Tests")):
        # Threads of generated conversions run on the simulator there, but of this code alone.
        yield Unit(f"unit {path.name}", (str(path), "--gtest_brief=1"), False)


def all_units(build, seeds, size):
    units = [*fuzz_units(build, seeds, size), *conformance_units(build), *example_units(build),
             *lit_units(build), *program_units(build)]
    return {unit.name: unit for unit in units}


@dataclass(frozen=True)
class Outcome:
    """How a unit ended: `failed` with the last line of what it said, or a hang."""
    failed: bool
    seconds: float
    said: str


def _configure(unit, folder):
    """Lets lit write into the folder, so that two runs of a test do not meet."""
    if unit.site:
        text = unit.site.read_text(encoding="utf-8").replace(f'"{unit.site.parent}"', f'"{folder}"')
        (Path(folder) / unit.site.name).write_text(text, encoding="utf-8")


def _last_words(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    chosen = [line for line in lines if line.startswith(("kernel ", "FAIL ", "error", "# error", "# |"))]
    return (chosen or lines or [""])[0][:200]


def run(unit, limit, environment):
    """Runs a unit in a session of its own, so that at a hang all its processes end."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        _configure(unit, folder)
        command = [word.replace("{folder}", folder) for word in unit.command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   env={**os.environ, **environment}, cwd=folder, start_new_session=True)
        try:
            text, _ = process.communicate(timeout=limit)
            failed, said = process.returncode != 0, _last_words(text)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            failed, said = True, f"no end after {limit:.0f} s"
    return Outcome(failed, time.monotonic() - begin, said)


def reached(unit, limit):
    """Runs a unit with no mutant: its outcome and the mutants that it reaches."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(unit, limit, {"FSM_MUTANT": "", "FSM_MUTANT_REACH": folder})
        return outcome, sorted(path.name for path in Path(folder).iterdir())
