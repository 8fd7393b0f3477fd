"""Arithmetic on Python's floats without a rounding: results are fractions, or floats where nothing is rounded."""

import ctypes
import math
from fractions import Fraction

import numpy as np


def finite(*numbers):
    return all(math.isfinite(number) for number in numbers)


def add(x, y):
    """The exact sum; a sum of 0 has IEEE 754's sign."""
    if not finite(x, y):
        return x + y
    total = Fraction(x) + Fraction(y)
    return total if total else x + y


def subtract(x, y):
    return add(x, -y)


def multiply(x, y):
    if not finite(x, y) or x == 0 or y == 0:
        return x * y
    return Fraction(x) * Fraction(y)


def divide(x, y):
    if finite(x, y) and x != 0 and y != 0:
        return Fraction(x) / Fraction(y)
    with np.errstate(all="ignore"):
        return float(np.float64(x) / np.float64(y))


def remainder(x, y):
    """What a division that truncates leaves; it has the sign of x."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return math.fmod(x, y)


def fma(x, y, z):
    if finite(x, y) and math.isinf(z):
        return z
    if not finite(x, y, z) or x == 0 or y == 0:
        return x * y + z
    total = Fraction(x) * Fraction(y) + Fraction(z)
    return total if total else (x * y if z == 0 else 0.0)


class SquareRoot:
    """The root of a fraction, to so many bits that one rounding of it is that of the root."""

    BITS = 400

    def __call__(self, x):
        if math.isnan(x) or x < 0:
            return math.nan
        if x == 0 or math.isinf(x):
            return x
        value = Fraction(x)
        scaled = (value.numerator << (2 * self.BITS + 2200)) // value.denominator
        root = math.isqrt(scaled)
        # Odd last bit: what was cut off is neither 0 nor a half.
        return Fraction(2 * root + (root * root != scaled), 1 << (self.BITS + 1101))


square_root = SquareRoot()


def extended(function):
    """A function of NumPy's long double, whose 64 bits are 11 more than a double's."""
    def apply(*numbers):
        with np.errstate(all="ignore"):
            return function(*(np.longdouble(number) for number in numbers))
    return apply


def library(name, operands):
    """The C library's function of long double, which NumPy lacks; its answer is rounded to a double."""
    function = getattr(ctypes.CDLL("libm.so.6"), name + "l")
    function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble] * operands
    return function


def pick(order, propagate):
    """max or min with +0 greater than -0; NaN is ignored or propagated."""
    def choose(a, b):
        if math.isnan(a) or math.isnan(b):
            if propagate or (math.isnan(a) and math.isnan(b)):
                return math.nan
            return b if math.isnan(a) else a
        if a == b == 0:
            negative = [math.copysign(1, a) < 0, math.copysign(1, b) < 0]
            return -0.0 if (any(negative) if order is min else all(negative)) else 0.0
        return order(a, b)
    return choose


def rounded(step):
    """A function from floats to whole numbers that keeps the sign of what becomes 0, infinities and NaN."""
    def apply(x):
        return math.copysign(float(step(x)), x) if math.isfinite(x) else x
    return apply


def truncated_quotient(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def saturated(x, low, high):
    """The integer that a float becomes: toward zero, the nearest bound if it is none, 0 for NaN."""
    if math.isnan(x):
        return 0
    return low if x <= low else high if x >= high else int(x)
