"""Sums in memory of neighbours, which are one instruction where a GPU has it: rows that are added to rows by number, against NumPy.

Usage: neighbours.py FSM_RUN [--devices=A,B] [--jobs=N] [--deal].

Masks end anywhere, rows begin anywhere, and many programs add to one row. Numbers are small integers, whose sums are exact.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, from_float64, perform, perform_all, to_float64

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "neighbours.mlir"
KINDS = ("f16", "bf16", "f32", "f64", "i32")
# Rows, the pitch of a row and the columns that are added, elements in front of the first of `out`; 64 columns a block.
SHAPES = ((12, 128, 128, 0), (12, 128, 61, 0), (7, 64, 63, 0), (9, 136, 130, 8), (5, 65, 64, 0), (12, 128, 128, 1), (6, 68, 66, 2),
          (4, 128, 0, 0), (10, 128, 1, 0))
ORDERS = ("sem = relaxed", "sem = release", "sem = acq_rel scope = sys", "sem = acq_rel")
TARGETS = 3


def numbers(kind, shape, generator):
    values = generator.integers(-4, 5, shape)
    return from_float64(values, kind) if kind in ("f16", "bf16") else values.astype(STORAGE[kind])


def plain(array, kind):
    return to_float64(array, kind) if kind[0] in "fb" else array.astype(np.float64)


def cases():
    """Kernel, type, shape, order, warps."""
    for number, (kernel, kind, shape) in enumerate(itertools.product(("add", "found"), KINDS, SHAPES)):
        yield kernel, kind, shape, ORDERS[number % len(ORDERS)], (1, 4, 2)[number % 3]


def fault(fsm_run, device, kernel, kind, shape, order, warps):
    rows, pitch, end, shift = shape
    generator = np.random.default_rng([rows, pitch, end, len(kind)])
    source, out = numbers(kind, (rows, pitch), generator), numbers(kind, (TARGETS, pitch), generator)
    # What is found is only known where each row is met once, or by nobody.
    targets = generator.integers(0, TARGETS, rows, np.int32) if kernel == "add" else np.zeros(rows, np.int32)
    count, blocks = (rows, (pitch + 63) // 64) if kernel == "add" else (1, pitch // 64)
    # A block of what was found is stored whole.
    end = min(end, 64 * blocks)
    expected = plain(out, kind)
    np.add.at(expected, (targets[:count, None], np.arange(end)[None, :]), plain(source, kind)[:count, :end])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = "bf16:" if kind == "bf16" else ""
        for file, array in (("out", out), ("in", source), ("targets", targets)):
            np.save(folder / f"{file}.npy", array)
        words = [str(SOURCE), f"--kernel={kernel}", f"--device={device}", f"--grid={(count + 3) // 4},{blocks}",
                 f"--arg={prefix}@{folder}/out.npy", f"--arg={prefix}@{folder}/in.npy", f"--arg=@{folder}/targets.npy", f"--arg={count}",
                 f"--arg={pitch}", f"--arg={end}", "-D", f"T={kind}", "-D", f"ORDER={order}",
                 f"--out=0:{folder}/sums.npy", f"--out=1:{folder}/found.npy"]
        if device.startswith(("sim", "cuda")):
            words += [f"--num-warps={warps}", f"--shift=0:{shift}"]
        try:
            perform(fsm_run, words)
        except RuntimeError as error:
            return str(error)
        sums, found = np.load(folder / "sums.npy"), np.load(folder / "found.npy")
    if not np.array_equal(plain(sums, kind), expected):
        place = tuple(np.argwhere(plain(sums, kind) != expected)[0])
        return f"at {place} got {plain(sums, kind)[place]}, expected {expected[place]}"
    if kernel == "found":
        there = np.where(np.arange(64 * blocks) < end, plain(out, kind)[0, :64 * blocks], 0)
        if not np.array_equal(plain(found, kind)[0, :64 * blocks], there):
            return f"found {plain(found, kind)[0]}, expected {there}"
    return ""


def perform_one(fsm_run, case):
    device, *rest = case
    text = fault(fsm_run, device, *rest)
    return text and f"{device} {rest}: {text}"


def main():
    return perform_all([(device, *case) for _, case, device in dealt(cases(), lambda case: case[:2])], perform_one)


if __name__ == "__main__":
    sys.exit(main())
