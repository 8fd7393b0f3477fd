"""Breaks the PTX of softmax kernels in one place and shows what the simulator reports.

Call: broken_code.py FSM_RUN SOURCE_ROOT. Prints one line for each change; exit code 1 if the code as it is was reported, if
a change was not, or if the text to change was not found.
"""

import ctypes
import json
import multiprocessing
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

ROWS = 3
# By the number of warps: programs of one share a CTA while a row has less than 1.5 KB.
COLUMNS, BLOCKS = {4: 1000, 1: 300}, {4: 1024, 1: 320}


def driver_of(root, library):
    sys.path.insert(0, str(root / "tools" / "dev" / "bench"))
    from driver import Driver
    return Driver(str(library))


def emit(fsm_run, example, stage, warps):
    columns = COLUMNS[warps]
    line = [fsm_run, str(example), f"--emit={stage}", "--target=sm_90", f"--num-warps={warps}", f"-DBLOCK={BLOCKS[warps]}",
            f"--arg=f32[{ROWS}x{columns}]", f"--arg=f32[{ROWS}x{columns}]", f"--arg={columns}", f"--arg={columns}",
            f"--arg={columns}"]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def launched(root, library, ptx, contract, queue):
    """Launches in this process; puts what was reported and the largest error of a row's sum."""
    driver, columns = driver_of(root, library), COLUMNS[contract["num_warps"]]
    reports = driver.cuda.fsmSimulatorReports
    reports.restype = ctypes.c_char_p
    x = np.random.default_rng(1).standard_normal((ROWS, columns)).astype(np.float32)
    addresses = [driver.allocate(x.nbytes), driver.allocate(x.nbytes)]
    driver.copy_in(addresses[1], x)
    for address, name in zip(addresses, (b"%out", b"%in")):
        driver.cuda.fsmSimulatorNameArgument(address, ctypes.c_char_p(name))
    arguments = [*addresses, *(ctypes.c_int32(columns) for _ in range(3))]
    packed = contract["programs_per_cta"]
    together = packed * contract.get("batch", 1)
    if "program_count" in contract["hidden_arguments"]:
        arguments.append(ctypes.c_int32(ROWS))
    failure = ""
    try:
        function = driver.function(driver.load(ptx), contract["name"])
        driver.launch(function, (-(-ROWS // together), 1, 1), (32 * contract["num_warps"] * packed, 1, 1),
                      contract["shared_bytes"], arguments, overlaps=contract.get("overlaps_launches", False))
        driver.synchronize()
        driver.copy_out(x, addresses[0])
    except RuntimeError as error:
        failure = str(error)
    text = reports().decode()
    queue.put((text.splitlines(), failure, float(np.abs(x.sum(axis=1) - 1).max())))


def without(pattern, which=0):
    """The change that takes the match of that number away."""
    def change(text):
        matches = list(re.finditer(pattern, text, re.MULTILINE))
        if not matches:
            return text
        match = matches[which]
        return text[:match.start()] + text[match.end():]
    return change


def instead(pattern, replacement):
    return lambda text: re.sub(pattern, replacement, text, count=1, flags=re.MULTILINE)


BARRIER = r"^\s*bar\.sync\s+0;\n"
FOUR_WARPS = {
    "as compiled": None,
    "without its first barrier": without(BARRIER),
    "without its last barrier": without(BARRIER, -1),
    "one lane alone at a barrier": instead(r"^(\s*st\.shared\.b32.*\n)", r"\1\tbar.sync 0;\n"),
    "without its first store to shared memory": without(r"^\s*st\.shared\.b32.*\n"),
    "a load without its mask": without(r"@%p\d+ (?=ld\.global)", -1),
    "a store without its mask": lambda text: re.sub(r"(.*)@%p\d+ (?=st\.global)", r"\1", text, count=1,
                                                    flags=re.DOTALL),
    "a load 4 bytes further": instead(r"^(\s*@%p\d+ ld\.global\S+\s+\{.*\}, \[%rd\d+)\]", r"\1+4]"),
}
ONE_WARP = {
    "as compiled": None,
    "without the bound of its programs": without(r"^\s*@%p1 bra\s+\$\w+;\n"),
    "a load without its mask": without(r"@%p\d+ (?=ld\.global)", -1),
}


def main():
    fsm_run, root = sys.argv[1], Path(sys.argv[2])
    library = Path(fsm_run).resolve().parent.parent / "lib" / "libfsm-simulator.so"
    processes = multiprocessing.get_context("fork")
    wrong = 0
    for warps, changes in ((4, FOUR_WARPS), (1, ONE_WARP)):
        example = root / "examples" / "04-softmax.mlir"
        ptx, contract = emit(fsm_run, example, "ptx", warps), json.loads(emit(fsm_run, example, "contract", warps))
        for title, change in changes.items():
            text = change(ptx) if change else ptx
            # A context in which a launch failed is of no use any more: each change has its own process.
            queue = processes.Queue()
            process = processes.Process(target=launched, args=(root, library, text, contract, queue))
            process.start()
            lines, failure, error = queue.get(timeout=60)
            process.join()
            applied = not change or text != ptx
            right = applied and (bool(lines) if change else not lines and not failure and error < 1e-5)
            wrong += not right
            print(f"{warps} warp{'s' if warps > 1 else ''}, {title}: {'' if right else 'WRONG '}"
                  f"{lines[0] if lines else failure or 'no report'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
