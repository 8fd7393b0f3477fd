"""Masks that end with a row, and others, on both sides of a reduction, against NumPy: rows of odd lengths of f16, bf16 and f32.

Usage: ends.py FSM_RUN [--devices=A,B] [--jobs=N] [--deal].
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, perform_all, run, to_float64

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "ends.mlir"
EXTENTS = (781, 4095, 4097, 12289, 50257)
NARROW = {"WIDEN": "arith.extf", "NARROW": "arith.truncf"}
TYPES = {"f16": NARROW, "bf16": NARROW, "f32": {}}
# Of an extent, the numbers that end its masks, and what else its kernels take.
LEAST, MOST = -2**31, 2**31 - 1
ENDS = (("whole", lambda e: e), ("less", lambda e: e - 1), ("more", lambda e: e + 5), ("most", lambda e: MOST), ("none", lambda e: 0),
        ("one", lambda e: 1), ("negative", lambda e: -7), ("least", lambda e: LEAST), ("near-least", lambda e: LEAST + 3),
        ("half", lambda e: e // 2 + 1))
MASKS = {
    "prefix": lambda r, n, m: r < n,
    "swapped": lambda r, n, m: n > r + 5,
    "based": lambda r, n, m: m + r < n,
    "between": lambda r, n, m: (r < n) & (r >= m),
    "unsigned": lambda r, n, m: r < n % 2**32,
    "scattered": lambda r, n, m: (r ^ 85) < n,
    "long": lambda r, n, m: r < n,
    "twice": lambda r, n, m: (r < n) & (r < m),
    "places": lambda r, n, m: r < n,
}
# The second number: sums of it and an index do not wrap, as their kernel promises.
SECOND = {"based": (0, 9, -11, MOST - 60000, LEAST + 1), "between": (3, -5, 700, MOST), "twice": (3, 700, MOST)}


def perform(fsm_run, case):
    """What is wrong, or nothing."""
    device, kind, extent, mask, n, m = case
    places = np.arange(extent, dtype=np.int64)
    chosen = MASKS[mask](places, n, m)
    # Sums of few that are not 0 are exact in eight bits.
    data = np.where(places % 331 == 7, 1.0, 0.0)
    answer = np.where(chosen, data + data[chosen].sum(), 0.0)
    values = data.astype(np.float32)
    values = (values.view(np.uint32) >> 16).astype(np.uint16) if kind == "bf16" else values.astype(STORAGE[kind])
    with tempfile.TemporaryDirectory() as folder:
        try:
            got = run(fsm_run, SOURCE, device, kind, [values, values], (extent,), folder, scalars=[n, m], kernel=mask,
                      parameters={"E": extent, "T": kind, **TYPES[kind]})
        except RuntimeError as error:
            return f"{case}: {error}"
    wrong = int((to_float64(got, kind) != answer).sum())
    return f"{case}: {wrong} of {extent} wrong" if wrong else ""


def cases():
    """Numbers and types take turns, so that each mask meets each number, and each extent."""
    kinds, seconds = itertools.cycle(TYPES), {mask: itertools.cycle(SECOND.get(mask, (0,))) for mask in MASKS}
    extents = itertools.cycle(EXTENTS)
    product = itertools.product(MASKS, ENDS, range(2))
    for _, (mask, (_, number), _), device in dealt(product, lambda case: case[0]):
        extent = next(extents)
        yield device, next(kinds), extent, mask, number(extent), next(seconds[mask])


def main():
    return perform_all(cases(), perform)


if __name__ == "__main__":
    sys.exit(main())
