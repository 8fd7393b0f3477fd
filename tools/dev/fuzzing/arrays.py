"""Arrays as files: what kernels are given, and whether two devices left the same."""

import itertools

import numpy as np

from .language import FLOATS, INTS, PRECISION, SMALL_FLOATS
from .required import formats
from .writer import BEHIND_LONGEST, LONGEST, PROGRAMS, REGION, ROWS, small

NUMPY = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32,
         "f64": np.float64, "bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}
KINDS = ("whole", "special", "real", "edge")
# How many of the numbers of an array are edges: denormals, ties of conversions, the ends of the type.
EDGES = 0.15


def widened(array, element):
    """The numbers that an array holds, as f64."""
    if element == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if element == "f8E5M2":
        return (array.astype(np.uint16) << 8).view(np.float16).astype(np.float64)
    if element == "f8E4M3FN":
        sign = np.where(array & 0x80, -1.0, 1.0)
        exponent, fraction = (array >> 3 & 15).astype(np.int64), (array & 7).astype(np.float64)
        numbers = np.where(exponent == 0, np.ldexp(fraction, -9), np.ldexp(8 + fraction, exponent - 10))
        return np.where(array & 0x7F == 0x7F, np.nan, sign * numbers)
    return array.astype(np.float64)


def narrowed(numbers, element):
    """The bits of numbers that the type holds exactly, or of others, cut off."""
    if element == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if element in SMALL_FLOATS:
        codes = np.arange(256, dtype=np.uint8)
        values = widened(codes, element)
        order = np.argsort(np.where(np.isfinite(values), values, np.inf), kind="stable")
        finite = order[:np.isfinite(values).sum()]
        return codes[finite[np.searchsorted(values[finite], np.minimum(numbers, values[finite][-1]))]]
    return numbers.astype(NUMPY[element])


def whole_ties(bits, size, random):
    """Whole numbers halfway between two neighbours of a float type, or next to such, and the ends of an integer type."""
    precision = random.choice([p for p in PRECISION.values() if p < bits] or [1], size)
    exponent = np.minimum(precision + random.integers(0, bits, size), bits - 1)
    halves = 1 + 2 * random.integers(0, 4, size)
    ties = (np.uint64(1) << exponent.astype(np.uint64)) + (halves << np.maximum(0, exponent - precision)).astype(np.uint64)
    ends = np.array([0, 1, (1 << bits) - 1, (1 << (bits - 1)) - 1, 1 << (bits - 1), (1 << (bits - 1)) + 1], np.uint64)
    signs, beside = random.choice((1, -1), size).view(np.uint64), random.integers(-1, 2, size).view(np.uint64)
    found = np.where(random.random(size) < 0.3, random.choice(ends, size), signs * ties + beside)
    return found & np.uint64((1 << bits) - 1)


def edges(element, size, random):
    """Bits of denormals and of the numbers beside them, of ties of narrower types, and of the ends."""
    precision, least, _ = formats.SHAPE[element]
    normal, sign = 1 << (precision - 1), formats.WIDTH[element] - 1
    largest = formats.encode(formats.largest(element), element)
    narrower = [formats.SHAPE[kind] for kind in formats.ALL_FLOATS if formats.SHAPE[kind][0] < precision]
    found = []
    for _ in range(size):
        choice = random.random()
        if choice < 0.4 or not narrower:
            bits = int(random.choice([1, 2, normal - 1, normal, normal + 1, int(random.integers(1, normal))]))
        elif choice < 0.5:
            bits = largest - int(random.integers(0, 2))
        else:
            kept, low, _ = narrower[random.integers(len(narrower))]
            exponent = max(int(random.integers(-8, 6)) if random.random() < 0.7 else low + int(random.integers(-kept, 2)), least)
            half = 1 + 2 * int(random.integers(0, 4))
            tie = formats.Fraction(2) ** exponent + half * formats.Fraction(2) ** (max(exponent, low) - kept)
            bits = max(0, formats.encode(tie, element) + int(random.integers(-1, 2)))
        found.append(bits | int(random.integers(0, 2)) << sign)
    return found


def numbers_for(element, kind, size, random):
    """Inputs: bits of any kind for integers; floats of magnitude up to 9 or, where any will do, up to `small`, among edges
    up to the largest."""
    if element == "i1":
        return random.integers(0, 2, size).astype(bool)
    if element in INTS:
        numbers = random.integers(np.iinfo(NUMPY[element]).min, np.iinfo(NUMPY[element]).max, size, NUMPY[element], endpoint=True)
        places = random.random(size) < EDGES
        unsigned = NUMPY[element](0).view(f"u{numbers.itemsize}").dtype
        numbers[places] = whole_ties(INTS[element], places.sum(), random).astype(unsigned).view(NUMPY[element])
        return numbers
    if kind in ("real", "edge") and element in FLOATS:
        numbers = random.standard_normal(size) * np.exp2(random.integers(-12, 4, size))
        numbers = narrowed(np.clip(numbers, -small(element), small(element)), element)
        if kind == "edge":
            places = random.random(size) < EDGES
            bits = np.array(edges(element, places.sum(), random), f"u{numbers.itemsize}")
            numbers[places] = bits.view(numbers.dtype)
        return numbers
    numbers = random.integers(-8, 9, size).astype(np.float64)
    if kind == "special" and element in FLOATS:
        places = random.random(size) < 0.06
        numbers[places] = random.choice([np.nan, np.inf, -np.inf, -0.0], places.sum())
    return narrowed(numbers, element)


def write_long_inputs(folder):
    """What long rows are loaded from, a file of each type and kind: numbers of the shorter ones, in any order."""
    for element, kind in itertools.product(ROWS, KINDS):
        size = LONGEST + BEHIND_LONGEST
        random = np.random.default_rng([size, *kind.encode(), *element.encode()])
        np.save(folder / f"{element}-{kind}-{size}.npy", random.choice(numbers_for(element, kind, ROWS[element], random), size))


def write_inputs(folder):
    """A file of each type, size and kind."""
    for element in NUMPY:
        for kind in KINDS:
            for size in (*(programs * REGION for programs in PROGRAMS), *((ROWS[element],) if element in ROWS else ())):
                random = np.random.default_rng([size, *kind.encode(), *element.encode()])
                np.save(folder / f"{element}-{kind}-{size}.npy", numbers_for(element, kind, size, random))


def read(path):
    """The array, or nothing when no such file was written."""
    try:
        return np.load(path)
    except (OSError, ValueError):
        return None


def differing(expected, actual, element, error):
    """Where two arrays differ by more than `error`; for 0, where their bits differ, but any NaN is like any other."""
    bits = f"u{expected.itemsize}"
    different = expected.view(bits) != actual.view(bits)
    if element in INTS or not different.any():
        return different
    with np.errstate(all="ignore"):
        wanted, got = widened(expected, element), widened(actual, element)
        different &= ~(np.isnan(wanted) & np.isnan(got))
        if error:
            different &= ~(np.abs(wanted - got) <= error)
    return different


def first_difference(expected, actual, element, error):
    """A sentence about the first place where two arrays differ, or nothing."""
    if expected is None or actual is None or expected.shape != actual.shape or expected.dtype != actual.dtype:
        return "expected two arrays of one shape and type"
    places = np.flatnonzero(differing(expected.reshape(-1), actual.reshape(-1), element, error))
    if not places.size:
        return ""
    at = places[0]
    wanted, got = (widened(a.reshape(-1)[at:at + 1], element)[0] if element in PRECISION else a.reshape(-1)[at]
                   for a in (expected, actual))
    allowed = f", more than {error:.3g} apart" if error else ""
    return f"{places.size} of {expected.size} elements differ{allowed}; first at {at}: expected {wanted!r}, got {got!r}"
