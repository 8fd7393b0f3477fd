"""Toward zero; what is too large becomes the nearest signed number, NaN becomes 0."""

from suite import formats
from suite.elementwise import Conversion
from suite.exact import saturated

PAIRS = [(a, b) for a in formats.FLOATS for b in formats.ALL_INTEGERS]


def fptosi(x, target):
    half = 1 << (formats.WIDTH[target] - 1)
    return saturated(x, -half, half - 1)


OP = Conversion(PAIRS, fptosi)
