"""Every conversion of arith between every two types, on every device, bit for bit.

Usage: conversions.py FSM_RUN [--devices=A,B]. Answers are exact integers and fractions, rounded
once to nearest even; float to integer saturates and gives 0 for NaN.
"""

import itertools
import math
import pathlib
import sys
import tempfile
from fractions import Fraction

import numpy as np

from device import DEVICES, STORAGE, finish, perform, to_float64
from elementwise import FLOATS, INTEGERS, float_values

HERE = pathlib.Path(__file__).parent / "Inputs"
COUNT = 1000
# Bits of the significand, least exponent of a normal number, largest exponent.
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127),
           "f64": (53, -1022, 1023)}
BITS = {"f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "f64": np.uint64}


def float_bits(value, kind):
    """The bits of the float nearest to an exact Fraction, or to a float64 that is no number."""
    precision, least, largest = FORMATS[kind]
    width = 8 * np.dtype(BITS[kind]).itemsize
    sign = 0
    if isinstance(value, float):
        sign = int(math.copysign(1, value) < 0)
        if math.isnan(value):
            return None
        magnitude = math.inf if math.isinf(value) else Fraction(0)
    else:
        sign, magnitude = int(value < 0), abs(value)
    exponent_bits = width - precision
    infinity = ((1 << exponent_bits) - 1) << (precision - 1)
    if magnitude == math.inf:
        bits = infinity
    elif magnitude == 0:
        bits = 0
    else:
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        exponent = max(exponent, least)
        scaled = magnitude / Fraction(2) ** (exponent - precision + 1)
        units = round(scaled)  # Fractions round halves to even.
        if units >= 1 << precision:
            units, exponent = units // 2, exponent + 1
        if exponent > largest:
            bits = infinity
        elif units < 1 << (precision - 1):
            bits = units
        else:
            bits = ((exponent + largest) << (precision - 1)) | (units - (1 << (precision - 1)))
    return bits | sign << (width - 1)


def integer_values(kind, seed):
    info = np.iinfo(STORAGE[kind])
    generator = np.random.default_rng(seed)
    values = generator.integers(info.min, info.max, COUNT, STORAGE[kind], endpoint=True)
    # All magnitudes, and neighbours of halves between two floats.
    values >>= generator.integers(0, info.bits - 1, COUNT).astype(STORAGE[kind])
    special = [info.min, info.max, 0, 1, -1, info.max - 1]
    if info.bits == 64:
        for power in (53, 54, 60, 62):
            special += [(1 << power) + (1 << (power - 8)) + d for d in (-1, 0, 1)]
            special += [-(1 << power) - (1 << (power - 8)) + d for d in (-1, 0, 1)]
            special += [(1 << power) + (1 << (power - 11)) + d for d in (-1, 0, 1)]
    values[:len(special)] = special
    return values


def cases():
    for source, target in itertools.product(INTEGERS, FLOATS):
        yield "arith.sitofp", source, target
        yield "arith.uitofp", source, target
    for source, target in itertools.product(FLOATS, INTEGERS):
        yield "arith.fptosi", source, target
        yield "arith.fptoui", source, target
    width = {kind: np.dtype(STORAGE[kind]).itemsize for kind in INTEGERS + FLOATS}
    for source, target in itertools.product(INTEGERS, INTEGERS):
        if width[source] < width[target]:
            yield "arith.extsi", source, target
            yield "arith.extui", source, target
        elif width[source] > width[target]:
            yield "arith.trunci", source, target
    for source, target in itertools.product(FLOATS, FLOATS):
        if width[source] < width[target]:
            yield "arith.extf", source, target
        elif width[source] > width[target]:
            yield "arith.truncf", source, target


def expected(op, source, target, data):
    """Per element the bits of the answer, None for any NaN."""
    target_bits = 8 * np.dtype(STORAGE[target]).itemsize
    mask = (1 << target_bits) - 1
    source_bits = 8 * data.dtype.itemsize
    answers = []
    floats = to_float64(data, source) if source in FLOATS else None
    for index, raw in enumerate(data.tolist()):
        if source in INTEGERS:
            unsigned = op in ("arith.uitofp", "arith.extui")
            value = raw & ((1 << source_bits) - 1) if unsigned else raw
            answers.append(float_bits(Fraction(value), target) if target in FLOATS
                           else value & mask)
            continue
        value = float(floats[index])
        if target in FLOATS:
            exact = value if math.isinf(value) or math.isnan(value) or value == 0 \
                else Fraction(value)
            answers.append(float_bits(exact, target))
        else:
            low, high = (0, mask) if op == "arith.fptoui" else (-(mask // 2) - 1, mask // 2)
            if math.isnan(value):
                answers.append(0)
            else:
                clamped = min(max(value, low), high)
                whole = clamped if isinstance(clamped, int) else math.trunc(clamped)
                answers.append(min(max(whole, low), high) & mask)
    return answers


def launch(fsm_run, device, op, source, target, data, folder):
    np.save(folder / "in.npy", data)
    prefix = "bf16:" if source == "bf16" else ""
    perform(
        fsm_run,
        [str(HERE / "convert.mlir"), f"--device={device}", "--grid=1", "-D", f"OP={op}",
         "-D", f"FROM={source}", "-D", f"TO={target}", f"--arg={target}[{COUNT}]",
         f"--arg={prefix}@{folder / 'in.npy'}", f"--out=0:{folder / 'out.npy'}"])
    got = np.load(folder / "out.npy")
    return got.view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[got.dtype.itemsize])


def is_nan_bits(bits, kind):
    precision, _, _ = FORMATS[kind]
    width = 8 * np.dtype(BITS[kind]).itemsize
    infinity = ((1 << (width - precision)) - 1) << (precision - 1)
    return bits & ((1 << (width - 1)) - 1) > infinity


def main():
    failures = checks = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for op, source, target in cases():
            data = (integer_values(source, 3) if source in INTEGERS
                    else float_values(source, COUNT, 4))
            answers = expected(op, source, target, data)
            for device in DEVICES:
                got = launch(sys.argv[1], device, op, source, target, data, folder).tolist()
                wrong = [i for i, (g, e) in enumerate(zip(got, answers))
                         if (e is None and not is_nan_bits(g, target))
                         or (e is not None and g != e)]
                checks += 1
                if wrong:
                    failures += 1
                    i = wrong[0]
                    print(f"{op} {source} to {target} on {device}: {len(wrong)} wrong, first "
                          f"{data[i]!r}: got {got[i]:#x}, expected {answers[i]}")
    print(f"{checks} checks, {failures} failed")
    return 0 if finish() and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
