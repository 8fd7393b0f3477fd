"""Asks fsm-run for devices that no machine has: exit code 3, and a sentence that says what was not found.

Call: devices.py FSM_RUN FILE.mlir
"""

import subprocess
import sys

CASES = [
    # A machine has no libcuda.so.1, or fewer devices.
    (["--device=cuda:1000", "--grid=1"], 3, ["libcuda.so.1", "there is no device 1000"]),
    (["--device=cuda:1000", "--emit=ptx"], 3, ["--emit needs no device beside --target=sm_90a"]),
    (["--device=sim", "--target=cpu", "--grid=1"], 2, ["expected sm_90a or another GPU on the device sim, got 'cpu'"]),
    (["--device=cpu", "--target=sm_90", "--grid=1"], 2, ["expected the target 'cpu' on the device 'cpu', got 'sm_90'"]),
]


def main():
    program, file = sys.argv[1:]
    failures = 0
    for words, status, sentences in CASES:
        arguments = ["--arg=f32[16]", "--arg=f32[16]", "--arg=16"]
        run = subprocess.run([program, file] + words + arguments, capture_output=True, text=True, timeout=60)
        if run.returncode != status or not any(sentence in run.stderr for sentence in sentences):
            print(f"{words}: expected exit code {status} and one of {sentences}, got {run.returncode} and {run.stderr}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
