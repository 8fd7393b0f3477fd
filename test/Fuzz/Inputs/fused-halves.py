"""Writes operands of fused multiply-adds of bf16 and f16, or compares what came of them with the sums rounded once.

Usage: fused-halves.py write FOLDER; fused-halves.py check FOLDER DEVICE...

Expected numbers are Python's exact sums between two halves: 34816 * 34816 = 289 * 2^22 lies between 288 and 290 times
2^22, 3 * 97 between 290 and 292, 3 * 683 between 2048 and 2050, 7 * 293 between 2050 and 2052. What is added says which.
"""

import pathlib
import sys

import numpy as np

BF16 = np.array([(34816, 34816, 64), (3, 97, -2.0**-40), (34816, 34816, 2.0**-100), (-34816, 34816, -2.0**-100)], np.float32)
BF16_SUMS = np.array([290 * 2**22, 290, 290 * 2**22, -290 * 2**22], np.float32)
F16 = np.array([(3, 683, 2.0**-13), (7, 293, -2.0**-13), (-3, 683, -2.0**-13), (3, 683, 2.0**-24)], np.float16)
F16_SUMS = np.array([2050, 2050, -2050, 2050], np.float16)


def main():
    action, folder, *devices = sys.argv[1:]
    folder = pathlib.Path(folder)
    if action == "write":
        np.save(folder / "bf16.npy", (BF16.T.reshape(-1).view(np.uint32) >> 16).astype(np.uint16))
        np.save(folder / "f16.npy", F16.T.reshape(-1))
        return 0
    for device in devices:
        bits = np.load(folder / f"{device}-bf16.npy").view(np.uint16).astype(np.uint32)
        np.testing.assert_array_equal((bits << 16).view(np.float32), BF16_SUMS, device)
        np.testing.assert_array_equal(np.load(folder / f"{device}-f16.npy"), F16_SUMS, device)
    return 0


if __name__ == "__main__":
    sys.exit(main())
