"""The element types: how they lie in memory, what numbers they hold, and rounding to them once."""

import math
from fractions import Fraction

import numpy as np

INTEGERS = ("i8", "i16", "i32", "i64")
ALL_INTEGERS = ("i1", *INTEGERS)
FLOATS = ("f16", "bf16", "f32", "f64")
EIGHTS = ("f8E4M3FN", "f8E5M2")
ALL_FLOATS = (*FLOATS, *EIGHTS)
ELEMENTS = (*ALL_INTEGERS, *ALL_FLOATS)
POINTER = "ptr"
TYPES = (*ELEMENTS, POINTER)
# How a pointer is written where any one will do.
POINTER_TEXT = "!fsm.ptr<f32>"

WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64,
         "f8E4M3FN": 8, "f8E5M2": 8}
# What an array of the type is in a file, and the same bits as unsigned numbers.
STORAGE = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16,
           "bf16": np.uint16, "f32": np.float32, "f64": np.float64, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}
BITS = {1: np.uint8, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
# Bits of the significand, the least exponent of a normal number, the largest exponent.
SHAPE = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023),
         "f8E4M3FN": (4, -6, 8), "f8E5M2": (3, -14, 15)}


def text_of(kind):
    """The type in a kernel's text."""
    return POINTER_TEXT if kind == POINTER else kind


def is_float(kind):
    return kind in SHAPE


def lost_of(kind):
    """How far the largest significand is below the next power of two: that of f8E4M3FN is NaN."""
    return 2 if kind == "f8E4M3FN" else 1


def largest(kind):
    """The largest finite number, exactly."""
    precision, _, top = SHAPE[kind]
    return ((1 << precision) - lost_of(kind)) * Fraction(2) ** (top - precision + 1)


def nan_bits(kind):
    """One NaN."""
    precision, _, _ = SHAPE[kind]
    exponent = (1 << (WIDTH[kind] - precision)) - 1
    return 0x7F if kind == "f8E4M3FN" else exponent << (precision - 1) | 1 << (precision - 2)


def decode(bits, kind):
    """The number that bits (unsigned) are: a signed int (true is -1), or a float, which holds each of ours exactly."""
    width = WIDTH[kind]
    if not is_float(kind):
        return bits - (1 << width) if bits >> (width - 1) else bits
    precision, least, top = SHAPE[kind]
    sign = -1.0 if bits >> (width - 1) else 1.0
    fraction = bits & ((1 << (precision - 1)) - 1)
    exponent = bits >> (precision - 1) & ((1 << (width - precision)) - 1)
    if kind == "f8E4M3FN":
        if bits & 0x7F == 0x7F:
            return math.nan
    elif exponent == (1 << (width - precision)) - 1:
        return math.nan if fraction else sign * math.inf
    if exponent == 0:
        return sign * math.ldexp(fraction, least - precision + 1)
    return sign * math.ldexp(fraction + (1 << (precision - 1)), exponent - 1 + least - precision + 1)


def special_float(value, kind, saturate):
    """The bits for an infinity or NaN."""
    sign = int(math.copysign(1, value) < 0) << (WIDTH[kind] - 1)
    if math.isnan(value):
        return nan_bits(kind)
    if saturate or kind == "f8E4M3FN":
        return encode(largest(kind), kind) | sign
    precision = SHAPE[kind][0]
    return ((1 << (WIDTH[kind] - precision)) - 1) << (precision - 1) | sign


def encode(value, kind, toward_zero=False, saturate=False):
    """The bits (unsigned) of the number of the type that `value` becomes. An integer type wraps. A float type rounds
    once, to nearest even unless told; finite values too large become infinite unless told."""
    width = WIDTH[kind]
    if not is_float(kind):
        return int(value) & ((1 << width) - 1)
    precision, least, top = SHAPE[kind]
    negative = value < 0
    if not isinstance(value, (int, Fraction)):
        if math.isnan(value) or math.isinf(value):
            return special_float(float(value), kind, saturate)
        negative = bool(np.signbit(value))
        above, below = value.as_integer_ratio()
    else:
        above, below = value.numerator, value.denominator
    sign = int(negative) << (width - 1)
    if above == 0:
        return sign
    # The magnitude is above / below; in whole numbers, which are faster than fractions.
    above = abs(above)
    exponent = above.bit_length() - below.bit_length()
    if above << max(0, -exponent) < below << max(0, exponent):
        exponent -= 1
    exponent = max(exponent, least)
    shift = exponent - precision + 1
    divisor = below << max(0, shift)
    units, rest = divmod(above << max(0, -shift), divisor)
    if not toward_zero and (2 * rest > divisor or 2 * rest == divisor and units % 2):
        units += 1
    if units >= 1 << precision:
        units, exponent = units // 2, exponent + 1
    if (exponent, units) > (top, (1 << precision) - lost_of(kind)):
        if toward_zero or saturate or kind == "f8E4M3FN":
            return encode(largest(kind), kind) | sign
        return special_float(math.inf, kind, False) | sign
    # A normal number's leading bit adds 1 to the exponent field, which is 0 of the least one without it.
    return (exponent - least << (precision - 1)) + units | sign


def is_nan(bits, kind):
    """Which elements of an array of bits are NaN."""
    precision, _, _ = SHAPE[kind]
    magnitude = bits & BITS[WIDTH[kind]]((1 << (WIDTH[kind] - 1)) - 1)
    infinity = 0x7E if kind == "f8E4M3FN" else ((1 << (WIDTH[kind] - precision)) - 1) << (precision - 1)
    return magnitude > infinity


def ordered(bits, kind):
    """Python's integers in the order of the floats, so that a difference counts ulps; both zeros are 0."""
    sign = 1 << (WIDTH[kind] - 1)
    return np.array([sign - b if b & sign else b for b in bits.tolist()], object)


def distance(got, expected, kind):
    """Per element how many ulps apart two arrays of bits are; infinite where one is NaN."""
    same = got == expected
    result = np.zeros(got.shape)
    other = np.flatnonzero(~same)
    if other.size:
        gaps = np.abs(ordered(got[other], kind) - ordered(expected[other], kind)).astype(np.float64)
        nans = is_nan(got[other], kind), is_nan(expected[other], kind)
        gaps[nans[0] & nans[1]] = 0
        gaps[nans[0] != nans[1]] = np.inf
        result[other] = gaps
    return result


def array_of(bits, kind):
    """What goes into a file: an array of the type from unsigned numbers."""
    unsigned = np.array(bits, BITS[WIDTH[kind]])
    return unsigned.view(STORAGE[kind])


def bits_of(array):
    """The unsigned numbers of an array that came from a file."""
    return np.ascontiguousarray(array).reshape(-1).view(BITS[8 * array.dtype.itemsize])


def decode_all(bits, kind):
    """An array of numbers: float64 or Python's integers."""
    return np.array([decode(int(b), kind) for b in bits], np.float64 if is_float(kind) else object)


def encode_all(values, kind):
    return np.array([encode(value, kind) for value in values], BITS[WIDTH[kind]])


def is_close_to_zero(kind):
    """Below this magnitude a number of the type is denormal."""
    return math.ldexp(1.0, SHAPE[kind][1])
