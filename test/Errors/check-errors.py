#!/usr/bin/python3
"""Runs fsm-opt over a folder of malformed kernels and compares the first line it prints for each with a golden file.

Call: check-errors.py --fsm-opt=FSM-OPT [--update] FOLDER

FOLDER holds the kernels; FOLDER.golden one line per kernel, `NAME.mlir:LINE:COLUMN: error: SENTENCE`, sorted by name.
fsm-opt must exit with code 1, print at least that line, and neither crash nor take longer than 10 seconds. The first
lines of a kernel are comments: what is wrong, then perhaps `// options: ...` with what fsm-opt is given besides:
`-DNAME=VALUE`, `--pass-pipeline=...`, or `--kernel=...` and `--arguments=...` of fsm-specialize. What no text file can
hold, generated.py beside the kernels makes. --update writes the golden file anew; read it before you commit it.
"""

import argparse
import difflib
import os
import runpy
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PIPELINE = "builtin.module(fsm-specialize{%s},inline,fsm-check-kernels)"
OPTIONS = b"// options: "
SECONDS = 10


def read_options(source):
    """What a kernel's comment wants fsm-opt to be given."""
    lines = [line for line in source.split(b"\n", 3)[:3] if line.startswith(OPTIONS)]
    words = lines[0][len(OPTIONS) :].decode().split() if lines else []
    facts = [word[2:] for word in words if word.startswith(("--kernel=", "--arguments="))]
    rest = [word for word in words if word[2:] not in facts]
    if not any(word.startswith("--pass-pipeline=") for word in rest):
        rest.append("--pass-pipeline=" + PIPELINE % " ".join(facts))
    return rest


def first_line(fsm_opt, folder, name):
    """What fsm-opt says about a kernel: its first line, or how it misbehaved."""
    options = read_options((folder / name).read_bytes())
    try:
        run = subprocess.run([fsm_opt, name, *options], cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"{name}: took more than {SECONDS} seconds"
    if run.returncode != 1:
        return f"{name}: ended with code {run.returncode}"
    said = run.stderr.decode(errors="backslashreplace").splitlines()
    return said[0] if said else f"{name}: said nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fsm-opt", required=True, type=os.path.abspath)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    golden = options.folder.with_suffix(".golden")

    with tempfile.TemporaryDirectory() as place:
        kernels = Path(place)
        for path in options.folder.glob("*.mlir"):
            (kernels / path.name).write_bytes(path.read_bytes())
        generator = options.folder / "generated.py"
        if generator.exists():
            runpy.run_path(str(generator))["generate"](kernels)
        names = sorted(path.name for path in kernels.glob("*.mlir"))
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda name: first_line(options.fsm_opt, kernels, name), names))

    if options.update:
        golden.write_text("".join(line + "\n" for line in found), encoding="utf-8")
    expected = golden.read_text(encoding="utf-8").splitlines()
    differences = list(difflib.unified_diff(expected, found, golden.name, "found", lineterm="", n=0))
    print("\n".join(differences) if differences else f"{len(found)} kernels are refused as {golden.name} says")
    return 1 if differences or not found else 0


if __name__ == "__main__":
    sys.exit(main())
