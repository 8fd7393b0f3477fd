"""A copy between arrays that overlap, or that begin anywhere, on each device, and what NumPy says must be in both.

Call: places.py FSM_RUN      (in a folder that has copy.mlir, a copy of `in` to `out`)
"""

import subprocess
import sys

import numpy as np

COPY = "copy.mlir --grid=1 --arg=f32[8]:arange --arg=f32[8]:full:9 --arg=8 --out=0:out.npy --out=1:in.npy"


def check(device, words, distance):
    """`in` begins `distance` elements behind `out`; both lie in one memory of 64 elements."""
    command = [sys.argv[1], *COPY.split(), f"--device={device}", *words] + ["--compare=interp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    memory = np.full(64, 9, np.float32)
    memory[:8] = np.arange(8)
    memory[:8] = memory[distance:distance + 8].copy()
    np.testing.assert_array_equal(np.load("out.npy"), memory[:8], f"{device} {words}")
    np.testing.assert_array_equal(np.load("in.npy"), memory[distance:distance + 8], f"{device} {words}")


def main():
    for device in ("interp", "cpu", "sim"):
        for distance in (0, 1, 3, 8, 11):
            check(device, [f"--overlap=in:out:{distance}"], distance)
            check(device, [f"--overlap=1:0:{distance}", "--shift=out:5", "--time=1"], distance)
        check(device, ["--shift=0:1", "--shift=in:3"], 20)


main()
