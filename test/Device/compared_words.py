"""Numbers made of the upper bits of words, compared with one number, against NumPy, for every order and either side.

Usage: compared_words.py FSM_RUN [--devices=A,B]. The limits are whole numbers, those next to them, the borders of what the bits left can be,
and what is far from any of them: negative ones, infinite ones and NaN.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "compared-words.mlir"
COUNT = 4096
# Bits of a word and of what the shift leaves, and the type of the numbers. The last one leaves more than f32 has.
KINDS = ((32, 8, "f32"), (32, 31, "f32"), (64, 40, "f32"), (64, 12, "f64"), (32, 7, "f32"))
ORDERS = {"olt": np.less, "ole": np.less_equal, "ogt": np.greater, "oge": np.greater_equal,
          "ult": np.less, "ule": np.less_equal, "ugt": np.greater, "uge": np.greater_equal}


def limits(left, number):
    most = 2.0**left
    whole = [0.0, 1.0, 2.0, 3.0, 1000.0, most / 2, most - 1, most, most + 1]
    beside = [np.nextafter(number(value), number(way)) for value in whole for way in (-np.inf, np.inf)]
    far = [-0.0, -0.5, -1.0, -1e30, 0.5, 1.5, most * 0.7, 1e30, np.inf, -np.inf, np.nan]
    return np.array([*whole, *beside, *far], number)


def words(bits, shift, rng):
    """At random, and around each limit."""
    some = rng.integers(0, 2**bits, COUNT, dtype=np.uint64)
    edges = [0, 1, 2**bits - 1, *(value for upper in (1, 2, 3, 1000, 2**(bits - shift) // 2, 2**(bits - shift) - 1)
                                  for value in ((upper << shift) - 1, upper << shift))]
    some[:len(edges)] = [value % 2**bits for value in edges]
    return some.astype(np.uint32 if bits == 32 else np.uint64)


def fault(fsm_run, device, kind, order, is_swapped, folder):
    bits, shift, name = kind
    number = np.float32 if name == "f32" else np.float64
    row, by = words(bits, shift, np.random.default_rng(5)), limits(bits - shift, number)
    numbers = (row >> np.array(shift, row.dtype)).astype(number)
    pair = (numbers[None, :], by[:, None])
    with np.errstate(invalid="ignore"):
        expected = ORDERS[order](*(pair[::-1] if is_swapped else pair))
    expected = expected | (np.isnan(by)[:, None] & (order[0] == "u"))
    np.save(folder / "in.npy", row.view(np.int32 if bits == 32 else np.int64))
    np.save(folder / "by.npy", by)
    sides = ("%limits", "%number") if is_swapped else ("%number", "%limits")
    perform(fsm_run, [str(SOURCE), f"--device={device}", f"--grid={len(by)}", "-D", f"W=i{bits}", "-D", f"T={name}", "-D", f"SHIFT={shift}",
                      "-D", f"PREDICATE={order}", "-D", f"LEFT={sides[0]}", "-D", f"RIGHT={sides[1]}", f"--arg=i8[{len(by)}x{COUNT}]",
                      f"--arg=@{folder / 'in.npy'}", f"--arg=@{folder / 'by.npy'}", f"--out=0:{folder / 'out.npy'}"])
    wrong = np.argwhere(np.load(folder / "out.npy").astype(bool) != expected)
    if not len(wrong):
        return ""
    at, column = wrong[0]
    return f"{device} {kind} {order} {sides}: {len(wrong)} of {expected.size} wrong, first {numbers[column]!r} and {by[at]!r}, expected {expected[at, column]}"


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    with tempfile.TemporaryDirectory() as name:
        complaints = [fault(fsm_run, device, kind, order, is_swapped, pathlib.Path(name))
                      for device in DEVICES for kind in KINDS for order in ORDERS for is_swapped in (False, True)]
    complaints = [text for text in complaints if text]
    print("\n".join(complaints))
    print(f"{len(DEVICES) * len(KINDS) * len(ORDERS) * 2} launches, {len(complaints)} wrong")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
