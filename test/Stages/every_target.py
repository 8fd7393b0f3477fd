"""Compiles every example for every GPU and lets ptxas judge.

Call: every_target.py --fsm-run=PROGRAM --examples=FOLDER [--ptxas=PROGRAM] [--jobs=2] [--deal]

The targets are those fsm-run names when it refuses another. Exit code 1 if one does not compile, calls a function that
is not there, is refused by ptxas, or if one of IN_REGISTERS spills. With --deal only these are compiled for every GPU; each other kernel
is for one GPU of each family, by turns.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Examples"))
import batch

# What one kernel may take to compile.
SECONDS = 60
# What ptxas must keep in registers, also when nothing is known of the arguments. It may give a kernel fewer registers than
# it needs so that more of them run at once.
IN_REGISTERS = ("04-softmax", "05-softmax-persistent", "07-softmax-backward")


def targets_of(fsm_run, example):
    refused = subprocess.run([fsm_run, example, "--emit=ptx", "--target=sm_1"], capture_output=True, text=True,
                             check=False)
    names = re.findall(r"sm_\d+a?", refused.stderr)
    names.remove("sm_1")
    return names


def dealt(targets, turn):
    """One target of each family; those of the ninth differ in what they can."""
    families = {}
    for target in targets:
        number, suffix = re.fullmatch(r"sm_(\d+)(a?)", target).groups()
        families.setdefault((int(number) // 10, suffix), []).append(target)
    return [family[turn % len(family)] for family in families.values()]


def kernels_of(fsm_run, example):
    listed = subprocess.run([fsm_run, example, "--list"], capture_output=True, text=True, check=True)
    return re.findall(r"^@(\w+)\(", listed.stdout, re.MULTILINE)


def fault(options, example, kernel, target):
    """What is wrong with one kernel for one target, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = Path(folder) / "kernel.ptx"
        compiled = batch.run([options.fsm_run], [example, f"--kernel={kernel}", "--emit=ptx", f"--target={target}",
                                                 "-o", ptx], SECONDS)
        if compiled.returncode:
            return compiled.stderr.strip()
        text = ptx.read_text(encoding="utf-8")
        if not re.search(rf"^\.target {target}$", text, re.MULTILINE):
            return "expected the target in the PTX"
        if not re.search(r"^\s*\.loc\s", text, re.MULTILINE) or re.search(r"\.extern\s+\.func", text):
            return "expected line numbers and no external function"
        if not options.ptxas:
            return ""
        judged = subprocess.run([options.ptxas, "-v", f"-arch={target}", ptx, "-o", Path(folder) / "kernel.cubin"],
                                capture_output=True, text=True, check=False)
        if judged.returncode:
            return judged.stderr.strip() or f"ptxas ended with exit code {judged.returncode}"
        fits = re.search(r"\b0 bytes spill stores, 0 bytes spill loads", judged.stderr)
        return "" if fits or Path(example).stem not in IN_REGISTERS else f"registers spilled: {judged.stderr.strip()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-run", required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--ptxas")
    parser.add_argument("--deal", action="store_true", help="one GPU of each family")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    examples = sorted(map(str, options.examples.glob("[0-9]*.mlir")))
    targets = targets_of(options.fsm_run, examples[0])
    kernels = [(example, kernel) for example in examples for kernel in kernels_of(options.fsm_run, example)]
    tasks = [(example, kernel, target) for turn, (example, kernel) in enumerate(kernels)
             for target in (dealt(targets, turn) if options.deal and Path(example).stem not in IN_REGISTERS else targets)]
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for (example, kernel, target), wrong in zip(tasks, pool.map(lambda task: fault(options, *task), tasks)):
            if wrong:
                failed += 1
                print(f"{Path(example).name} {kernel} {target}: {wrong}")
    print(f"{len(examples)} examples, targets {', '.join(target for target in targets if target in {task[2] for task in tasks})}: {len(tasks)} compiled, {failed} failed")
    complaints = batch.finish()
    print("\n".join(complaints))
    return 1 if failed or complaints or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
