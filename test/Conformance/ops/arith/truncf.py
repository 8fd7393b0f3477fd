"""The nearest number of a narrower type, a tie goes to the even one."""

from suite import formats
from suite.elementwise import Conversion

PAIRS = [(a, b) for a in formats.FLOATS for b in formats.FLOATS if formats.WIDTH[a] > formats.WIDTH[b]]

OP = Conversion(PAIRS, lambda x, target: x)
