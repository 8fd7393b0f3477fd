"""Maxima and minima of rows of f16 and bf16, as they are and widened, bit by bit: of numbers at random, of denormals, of zeros of
both signs, with infinities, with NaN at some places and at all, and with one number that is larger or smaller than all others, at each
place of a thread.

Usage: extremes_of_pairs.py FSM_RUN [--devices=A,B]. What is expected is computed of the bits, as integers.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "extremes-of-pairs.mlir"
COLUMNS, QUIET = 512, 0x7FFFFFFF


def rows_of(kind, generator):
    """Bits of 16 each."""
    infinite = 0x7C00 if kind == "f16" else 0x7F80
    least = infinite >> 5 if kind == "f16" else 0x0080
    finite = lambda most: (generator.integers(0, most, COLUMNS) | generator.integers(0, 2, COLUMNS) << 15).astype(np.uint16)
    rows = [finite(infinite) for _ in range(4)] + [finite(least) for _ in range(2)]
    rows += [np.where(generator.random(COLUMNS) < 0.5, 0, 0x8000), np.full(COLUMNS, 0x8000), np.where(np.arange(COLUMNS) == 77, 0, 0x8000),
             np.where(np.arange(COLUMNS) == 78, 0x8000, 0)]
    rows += [np.where(generator.random(COLUMNS) < 0.1, infinite | sign, finite(infinite)) for sign in (0, 0x8000)]
    rows += [np.where(generator.random(COLUMNS) < share, infinite | 0x123 % least | 1, finite(infinite)) for share in (0.1, 0.999, 2)]
    for place in range(32):
        for bits in (infinite - 1, (infinite - 1) | 0x8000, infinite | 1):
            row = finite(infinite >> 1)
            row[(37 * place + place) % COLUMNS] = bits
            rows.append(row)
    return np.array(rows, np.uint16)


def expected_of(rows, kind, propagates):
    """Bits of f32: the largest, the smallest, and both again."""
    wide = (rows.view(np.float16).astype(np.float32) if kind == "f16" else (rows.astype(np.uint32) << 16).view(np.float32))
    bits, missing = wide.view(np.int32).astype(np.int64), np.isnan(wide)
    order = np.where(bits < 0, -(bits & 0x7FFFFFFF) - 1, bits)
    answers = []
    for choose, none in ((np.argmax, np.int64(-2**40)), (np.argmin, np.int64(2**40))):
        at = choose(np.where(missing, none, order), 1)
        value = wide.view(np.uint32)[np.arange(len(rows)), at]
        gone = missing.any(1) if propagates else missing.all(1)
        answers.append(np.where(gone, np.uint32(QUIET), value))
    return np.stack([*answers, *answers], 1)


def fault(fsm_run, device, kind, propagates, warps, folder):
    rows = rows_of(kind, np.random.default_rng(27))
    np.save(folder / "in.npy", rows.view(np.float16) if kind == "f16" else rows)
    perform(fsm_run, [str(SOURCE), f"--device={device}", f"--grid={len(rows)}", "-D", f"T={kind}", "-D", f"TO={'propagate_nan :' if propagates else ':'}",
                      f"--num-warps={warps}", f"--arg=f32[{len(rows)}x4]", f"--arg={'' if kind == 'f16' else 'bf16:'}@{folder / 'in.npy'}",
                      f"--out=0:{folder / 'out.npy'}"])
    got = np.load(folder / "out.npy").view(np.uint32)
    got = np.where(np.isnan(got.view(np.float32)), np.uint32(QUIET), got)
    wrong = np.argwhere(got != expected_of(rows, kind, propagates))
    if not len(wrong):
        return ""
    row, which = wrong[0]
    return (f"{device} {kind} propagates {propagates} warps {warps}: {len(wrong)} wrong, first of row {row}, answer {which}: "
            f"got 0x{got[row, which]:08x}, expected 0x{expected_of(rows, kind, propagates)[row, which]:08x}")


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    cases = [(device, kind, propagates, warps) for device in DEVICES for kind in ("f16", "bf16") for propagates in (False, True)
             for warps in (1, 4)]
    with tempfile.TemporaryDirectory() as name:
        complaints = [text for case in cases if (text := fault(fsm_run, *case, pathlib.Path(name)))]
    print("\n".join(complaints))
    print(f"{len(cases)} launches, {len(complaints)} wrong")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
