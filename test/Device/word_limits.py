"""Upper bits of words that become floats and are compared with one number, in every order, against NumPy.

Usage: word_limits.py FSM_RUN [--devices=A,B]. The limits are those beside integers, at both ends, infinite ones and NaN; the
words are those beside multiples of what is shifted away, and random ones.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "word-limits.mlir"
COUNT = 256
ORDERS = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}
# Of 8 to 31 bits the rest are exact in f32; of 7 they are rounded.
SHIFTS = (7, 8, 9, 20, 31)


def limits(shift):
    most = 2.0 ** (32 - shift)
    integers = np.array([0, 1, 2, 3, 100, most / 2, most - 1, most, most + 2, 2.0**32], np.float32)
    beside = [np.nextafter(integers, np.float32(way)) for way in (-np.inf, np.inf)]
    other = np.array([-0.0, -1, -0.5, 0.5, 1.5, -1e30, 1e30, -np.inf, np.inf, np.nan, most - 1.5, 1e-40], np.float32)
    return np.concatenate([integers, *beside, other]).astype(np.float32)


def words(shift):
    step = 2**shift
    multiples = np.array([0, 1, 2, 3, 99, 100, 101, 2 ** (31 - shift), 2 ** (32 - shift) - 2, 2 ** (32 - shift) - 1], np.uint64) * step
    near = np.concatenate([multiples, multiples + np.uint64(step - 1), multiples + np.uint64(1)]) % 2**32
    random = np.random.default_rng(shift).integers(0, 2**32, COUNT - len(near), np.uint64)
    return np.concatenate([near, random]).astype(np.uint32)


def expected_of(given, by, shift, order):
    numbers, limit = (given >> shift).astype(np.float32)[None, :], by[:, None]
    unordered = np.isnan(limit) | np.zeros_like(numbers, bool)
    compare = ORDERS[order[1:]]
    with np.errstate(invalid="ignore"):
        answers = [np.where(unordered, order[0] == "u", compare(*pair)) for pair in ((numbers, limit), (limit, numbers))]
    return (answers[0] + 2 * answers[1]).astype(np.int8)


def fault(fsm_run, device, shift, order, folder):
    given, by = words(shift), limits(shift)
    np.save(folder / "in.npy", given.view(np.int32))
    np.save(folder / "by.npy", by)
    convert = "arith.sitofp" if order[0] == "u" else "arith.uitofp"
    perform(fsm_run, [str(SOURCE), f"--device={device}", f"--grid={len(by)}", "-D", f"SHIFT={shift}", "-D", f"ORDER={order}",
                      "-D", f"TO_FLOAT={convert}", f"--arg=i8[{len(by)}x{COUNT}]", f"--arg=@{folder / 'in.npy'}",
                      f"--arg=@{folder / 'by.npy'}", f"--out=0:{folder / 'out.npy'}"])
    got, expected = np.load(folder / "out.npy"), expected_of(given, by, shift, order)
    wrong = np.argwhere(got != expected)
    if not len(wrong):
        return ""
    row, column = wrong[0]
    return (f"{device} {order}, words >> {shift}: {len(wrong)} of {got.size} wrong, first 0x{given[column]:08x} and {by[row]!r}: "
            f"got {got[row, column]}, expected {expected[row, column]}")


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    cases = [(device, shift, ordered + order) for device in DEVICES for shift in SHIFTS for ordered in "ou" for order in ORDERS]
    with tempfile.TemporaryDirectory() as name:
        complaints = [fault(fsm_run, *case, pathlib.Path(name)) for case in cases]
    complaints = [text for text in complaints if text]
    print("\n".join(complaints))
    print(f"{len(cases)} launches, {len(complaints)} wrong")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
