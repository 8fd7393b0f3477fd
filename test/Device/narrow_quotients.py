"""fsm.div_rn of all numbers of f16 and bf16 by one number, against NumPy's division of f32, bit by bit, as f32 and rounded again.

Usage: narrow_quotients.py FSM_RUN [--devices=A,B] [--random=N]. The divisors are usual ones, those at the borders of what is
divided by a reciprocal, of the largest significand, what has no reciprocal: zeros, denormals, negative and infinite ones, NaN; and
N at random, 64 where nothing is said.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "narrow-quotients.mlir"
PATTERNS = 65536
ALL_ONES = np.float32(2.0 - 2.0**-23)


def divisors():
    """The last ones with random significands, between 1/2 and 1."""
    count = next((int(word.removeprefix("--random=")) for word in sys.argv[1:] if word.startswith("--random=")), 64)
    borders = [np.float32(2.0**power) for power in (-71, -70, -69, -21, -20, -19, 19, 20, 21, 69, 70, 71, 126, 127, -126, -127, -149)]
    beside = [np.nextafter(number, np.float32(way)) for number in borders[:12] for way in (0, np.inf)]
    largest = [np.ldexp(ALL_ONES, power) for power in (-82, -80, -20, -1, 0, 19, 79, 127)]
    other = [0.9, 0.5, 0.1, 1.0, 3.0, 1 / 3, 0.0, -0.0, -0.9, -1.0, -3e-20, np.inf, -np.inf, np.nan, 1e30, 1e-30, 3.4e38, 1e-38, 1e-40]
    random = np.random.default_rng(24).integers(2**23, 2**24, count) / np.float64(2**24)
    return np.concatenate([np.array([*borders, *beside, *largest, *other], np.float32), random.astype(np.float32)])


def same_numbers(words, kind):
    """The bits of numbers, those of each NaN alike."""
    if kind == "f32":
        return np.where(np.isnan(words.view(np.float32)), np.uint32(0x7FFFFFFF), words)
    least = 0x7C00 if kind == "f16" else 0x7F80
    return np.where((words & 0x7FFF) > least, np.uint16(0x7FFF), words)


def rounded(numbers, kind):
    """The bits of f32 as they are, or rounded to f16 or bf16."""
    words = numbers.view(np.uint32)
    if kind == "f32":
        return words
    if kind == "f16":
        return numbers.astype(np.float16).view(np.uint16)
    nearest = ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(numbers), np.uint16(0x7FFF), nearest)


def fault(fsm_run, device, kind, folder, result="f32"):
    # Tiny numbers and huge ones lie beside others, with which they are tested.
    patterns, by = np.random.default_rng(25).permutation(PATTERNS).astype(np.uint16), divisors()
    wide = patterns.view(np.float16).astype(np.float32) if kind == "f16" else (patterns.astype(np.uint32) << 16).view(np.float32)
    with np.errstate(all="ignore"):
        expected = rounded((wide[None, :] / by[:, None]).astype(np.float32), result)
    np.save(folder / "in.npy", patterns.view(np.float16) if kind == "f16" else patterns)
    np.save(folder / "by.npy", by)
    perform(fsm_run, [str(SOURCE), f"--device={device}", f"--grid={len(by)},8", "-D", f"T={kind}", "-D", f"R={result}",
                      "-D", f"ROUND=arith.{'bitcast' if result == 'f32' else 'truncf'}", f"--arg={result}[{len(by)}x{PATTERNS}]",
                      f"--arg={'' if kind == 'f16' else 'bf16:'}@{folder / 'in.npy'}", f"--arg=@{folder / 'by.npy'}", f"--out=0:{folder / 'out.npy'}"])
    got = np.load(folder / "out.npy").view(expected.dtype)
    wrong = np.argwhere(same_numbers(got, result) != same_numbers(expected, result))
    if not len(wrong):
        return ""
    row, column = wrong[0]
    return (f"{device} {kind} as {result}: {len(wrong)} of {got.size} quotients wrong, first {wide[column]!r} / {by[row]!r}: got 0x{got[row, column]:x}, "
            f"expected 0x{expected[row, column]:x}")


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    with tempfile.TemporaryDirectory() as name:
        complaints = [fault(fsm_run, device, kind, pathlib.Path(name), result)
                      for device in DEVICES for kind in ("f16", "bf16") for result in ("f32", kind)]
    complaints = [text for text in complaints if text]
    print("\n".join(complaints))
    print(f"{4 * len(DEVICES)} launches of {len(divisors())} divisors, {len(complaints)} wrong")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
