"""Toward zero; what is too large becomes the largest number, what is negative and NaN become 0."""

from suite import formats
from suite.elementwise import Conversion
from suite.exact import saturated

PAIRS = [(a, b) for a in formats.FLOATS for b in formats.ALL_INTEGERS]


def fptoui(x, target):
    return saturated(x, 0, (1 << formats.WIDTH[target]) - 1)


OP = Conversion(PAIRS, fptoui)
