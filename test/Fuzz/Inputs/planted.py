"""A device with a fault: fsm-run, whose simulator is off by one where a kernel divides.

It stands for `fsm-run --batch=-`; what it is to run is in the environment variable PLANTED_FSM_RUN. The last byte of the
first array that a run on `sim` writes is changed if the kernel holds an `arith.divsi`.
"""

import os
import subprocess
import sys


def spoil(words):
    """Changes the array; says nothing."""
    outs = [word.split(":", 1)[1] for word in words if word.startswith("--out=")]
    with open(words[0], encoding="utf-8") as file:
        is_hit = "--device=sim" in words and "arith.divsi" in file.read()
    for path in outs if is_hit else []:
        with open(path, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)[0]
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last ^ 1]))


def main():
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        done = subprocess.run([os.environ["PLANTED_FSM_RUN"], *words], capture_output=True, check=False)
        if done.returncode == 0:
            spoil(words)
        text = done.stdout + done.stderr
        sys.stdout.write(f"[{number}] rc={done.returncode} stdout={len(text)} stderr=0\n")
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
