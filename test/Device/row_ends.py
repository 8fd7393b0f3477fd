"""Loops that end with the mask of their rows, against NumPy: masks that end anywhere, that are false from the beginning, and
that come true again behind sums which wrap; stores, reductions of all kinds, and what is kept for another loop.

Usage: row_ends.py FSM_RUN [--devices=A,B] [--jobs=N] [--deal].
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, perform, perform_all

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "row-ends.mlir"
EXTENT, PROGRAMS = 300, 303
PITCH = EXTENT + 1
# (left side, order, right side) and the bits that they have.
MASKS = (("sum", "slt", "ends", 32), ("ends", "sge", "sum", 32), ("sum", "ult", "ends", 32), ("bases", "ule", "left", 32),
         ("left", "sgt", "bases", 32), ("sum_byte", "sle", "ends_byte", 8), ("sum_byte", "ult", "ends_byte", 8),
         ("left_byte", "sge", "bases_byte", 8))
BASES = (0, 2**31 - 48, -75, -2**31, 100)
NAN = float("nan")
# (element type, kind, AXIS, what is loaded where the mask is false).
REDUCTIONS = (("f32", "sum", "0", 0.0), ("f32", "sum", "0", 1.5), ("f32", "max", "0", -np.inf), ("f32", "max", "0", NAN),
              ("f32", "min", "0 propagate_nan", NAN), ("f32", "sum", "0", NAN), ("f64", "prod", "0", 1.0), ("i8", "prod", "0", 3),
              ("i8", "xor", "0", 5), ("i32", "sum", "0", -1), ("i16", "and", "0", 0x70), ("i64", "umax", "0", 0))
NAMES = {"sum": np.add, "prod": np.multiply, "max": np.fmax, "min": np.minimum, "xor": np.bitwise_xor, "and": np.bitwise_and,
         "umax": np.maximum}


def mask_of(left, order, right, bits, base):
    """The mask of each program, a row each."""
    signed, unsigned = np.dtype(f"i{bits // 8}"), np.dtype(f"u{bits // 8}")
    places = np.arange(EXTENT, dtype=np.int64)[None, :]
    ends = base + np.arange(PROGRAMS, dtype=np.int64)[:, None]
    values = {"sum": base + places, "ends": ends, "bases": np.full((1, 1), base), "left": ends - places}
    one, two = (values[name.removesuffix("_byte")].astype(signed) for name in (left, right))
    if order[0] == "u":
        one, two = one.view(unsigned), two.view(unsigned)
    compare = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}[order[1:]]
    return np.broadcast_to(compare(one, two), (PROGRAMS, EXTENT))


def literal(number, kind):
    if kind[0] != "f":
        return str(number)
    bits = np.array(number, STORAGE[kind]).view(f"u{np.dtype(STORAGE[kind]).itemsize}")
    return f"0x{int(bits):0{2 * bits.itemsize}X}"


def small(kind):
    """Numbers whose sums are exact."""
    data = np.random.default_rng(3).integers(-9, 10, EXTENT)
    return np.abs(data).astype(STORAGE[kind]) if kind == "i64" else data.astype(STORAGE[kind])


def stored(kind):
    data = small(kind)
    return lambda mask, before: np.where(mask, data, before), data, kind, {"T": kind, "OTHER": literal(0, kind)}


def stored_all(kind, last):
    data = small(kind)

    def answer(mask, before):
        after = before.copy()
        after[:, :last] = np.where(mask, data, np.array(4, data.dtype))[:, :last]
        return after
    return answer, data, kind, {"T": kind, "OTHER": literal(4, kind)}


def reduced(kind, name, axis, other):
    data = small(kind) if name != "prod" or kind != "f64" else np.random.default_rng(4).choice([0.5, 1.0, 2.0, -1.0], EXTENT)
    if other == -np.inf:
        data[7] = NAN

    def answer(mask, before):
        after = before.copy()
        after[:, 0] = NAMES[name].reduce(np.where(mask, data, np.array(other, data.dtype)), axis=1, dtype=data.dtype)
        return after
    return answer, data, kind, {"T": kind, "KIND": name, "AXIS": axis, "OTHER": literal(other, kind)}


def numbered(numbers):
    steps = np.arange(EXTENT, dtype=np.int32) & 64
    data = steps if numbers == "loaded" else small("i32")

    def answer(mask, before):
        after = before.copy()
        after[:, 0] = (np.where(mask, data, 0) + steps).max(axis=1)
        return after
    return answer, data, "i32", {"T": "i32", "OTHER": "0", "NUMBERS": numbers}


def reduced_and_stored(name):
    data = small("i32")

    def answer(mask, before):
        after = np.where(mask, data, before)
        return after, NAMES[name].reduce(np.where(mask, data, np.int32(7)), axis=1, dtype=np.int32)
    return answer, data, "i32", {"T": "i32", "OTHER": "0", "KIND": name}


def kept(is_masked):
    data = np.random.default_rng(5).uniform(-2, 2, EXTENT).astype(np.float32)

    def answer(mask, before):
        power = np.exp(np.where(mask, data, 1.0).astype(np.float64))
        ratio = (power / power.max(axis=1, keepdims=True)).astype(np.float32)
        return np.where(mask, ratio, before) if is_masked else ratio
    return answer, data, "f32", {"WHERE": "mask" if is_masked else "everywhere"}


def cases():
    """Kernel, number of its variant, and what makes it."""
    for kind in STORAGE:
        if kind != "bf16":
            yield "store", kind, stored(kind)
    for kind in ("f32", "i8"):
        yield "store_all", kind, stored_all(kind, EXTENT)
        yield "two_masks", kind, stored_all(kind, 290)
    for case in REDUCTIONS:
        yield "reduce", " ".join(map(str, case)), reduced(*case)
    for numbers in ("steps", "loaded"):
        yield "numbered", numbers, numbered(numbers)
    for name in ("sum", "xor"):
        yield "reduce_and_store", name, reduced_and_stored(name)
    for is_masked in (True, False):
        yield "kept", str(is_masked), kept(is_masked)


def fault(fsm_run, device, kernel, made, mask, base):
    """What is wrong, or nothing."""
    answer, data, kind, parameters = made
    left, order, right, bits = mask
    parameters = {"LEFT": left, "ORDER": order, "RIGHT": right, "B": f"i{bits}", **parameters}
    before = np.full((PROGRAMS, PITCH), 11, data.dtype)
    with np.errstate(all="ignore"):
        found = answer(mask_of(*mask, base), before[:, :EXTENT].copy())
    expected = before.copy()
    expected[:, :EXTENT], last = found if isinstance(found, tuple) else (found, before[:, EXTENT])
    expected[:, EXTENT] = last
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        np.save(folder / "in.npy", data)
        np.save(folder / "before.npy", before)
        words = [str(SOURCE), f"--kernel={kernel}", f"--device={device}", f"--grid={PROGRAMS}", f"--arg=@{folder}/before.npy",
                 f"--arg=@{folder}/in.npy", f"--arg={base}", f"--out=0:{folder}/out.npy"]
        for name, value in parameters.items():
            words += ["-D", f"{name}={value}"]
        try:
            perform(fsm_run, words)
        except RuntimeError as error:
            return str(error)
        got = np.load(folder / "out.npy")
    if kernel == "kept":
        wrong = ~np.isclose(got, expected, rtol=2e-6, atol=0)
    else:
        wrong = (got != expected) & ~(np.isnan(got) & np.isnan(expected)) if kind[0] == "f" else got != expected
    rows = np.flatnonzero(wrong.any(axis=1))
    if not rows.size:
        return ""
    place = (rows[0], np.flatnonzero(wrong[rows[0]])[0])
    return f"{rows.size} rows wrong, first {tuple(map(int, place))}: got {got[place]}, expected {expected[place]}"


def perform_one(fsm_run, case):
    device, kernel, variant, made, mask, base = case
    text = fault(fsm_run, device, kernel, made, mask, base)
    return text and f"{device} {kernel} {variant}, mask {' '.join(map(str, mask))} from {base}: {text}"


def main():
    # Each kernel meets each mask, each mask each number that sums begin with.
    every = [(kernel, variant, made, mask, BASES[(number + turn) % len(BASES)])
             for turn, (kernel, variant, made) in enumerate(cases()) for number, mask in enumerate(MASKS)]
    return perform_all([(device, *case) for _, case, device in dealt(every, lambda case: case[0])], perform_one)


if __name__ == "__main__":
    sys.exit(main())
