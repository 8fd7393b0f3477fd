"""Loads and stores under masks, every device bit for bit: types x shapes x masks x numbers of warps.

Usage: masks.py FSM_RUN [--devices=A,B] [--jobs=N] [--deal].
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, perform_all, run

HERE = pathlib.Path(__file__).parent / "Inputs"
SHAPES = ((1, 1), (1, 1024), (3, 100), (8, 64), (33, 7))
MASKS = ("prefix", "rowwise", "scattered")
WARPS = (1, 2, 4, 8, 16)
ONES = {"bf16": 0x3F80}


def mask_of(mask, shape, flags, n):
    rows, columns = np.indices(shape)
    return {"prefix": columns < n, "rowwise": rows < n, "scattered": flags != 0}[mask]


def perform(fsm_run, case):
    """What is wrong, or nothing."""
    device, kind, shape, mask, access, warps = case
    random = np.random.default_rng(7)
    data = np.frombuffer(random.bytes(shape[0] * shape[1] * np.dtype(STORAGE[kind]).itemsize), STORAGE[kind])
    data = data.reshape(shape)
    flags = random.integers(0, 2, shape).astype(bool)
    n = {"prefix": shape[1] * 3 // 4, "rowwise": shape[0] - 1, "scattered": 0}[mask]
    chosen = mask_of(mask, shape, flags, n)
    otherwise = 0 if access == "store" else ONES.get(kind, 1)
    answer = np.where(chosen, data, np.array(otherwise, STORAGE[kind]))
    parameters = {"T": kind, "ONE": "1.0" if "f" in kind else "1", "R": shape[0], "C": shape[1], "MASK": mask}
    with tempfile.TemporaryDirectory() as folder:
        flags_file = pathlib.Path(folder) / "flags.npy"
        np.save(flags_file, flags)
        try:
            got = run(fsm_run, HERE / "masked.mlir", device, kind, [data], shape, folder,
                      scalars=[f"@{flags_file}", shape[1], n], kernel=f"{access}_{mask}", parameters=parameters,
                      num_warps=warps)
        except RuntimeError as error:
            return str(error)
    wrong = int((got.view(np.uint8) != answer.view(np.uint8)).sum())
    return f"{case}: {wrong} bytes wrong" if wrong else ""


def cases():
    """The numbers of warps take turns, so that each meets each type, shape and mask."""
    turns = itertools.cycle(WARPS)
    product = itertools.product(STORAGE, SHAPES, MASKS, ("load", "store"))
    for _, (kind, shape, mask, access), device in dealt(product, lambda case: (case[0], case[3])):
        # The simulator knows of halves of a register that they hold nothing, not of single bytes, and takes the bytes
        # that LLVM's prmt leaves out for missing ones.
        if device == "sim" and kind == "i8" and access == "load":
            continue
        for _ in range(2 if device.startswith(("sim", "cuda")) else 1):
            yield device, kind, shape, mask, access, next(turns) if device not in ("cpu", "interp") else 0


def main():
    return perform_all(cases(), perform)


if __name__ == "__main__":
    sys.exit(main())
