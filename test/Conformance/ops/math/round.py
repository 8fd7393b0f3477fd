"""The nearest whole number, a tie goes away from zero."""

import math
from fractions import Fraction

from suite import exact
from suite.elementwise import floats


def away_from_zero(x):
    return math.floor(abs(Fraction(x)) + Fraction(1, 2))


OP = floats(exact.rounded(away_from_zero), operands=1)
