"""The nearest float to a signed number, rounded once; true is -1."""

from suite import formats
from suite.elementwise import Conversion

PAIRS = [(a, b) for a in formats.ALL_INTEGERS for b in formats.FLOATS]

OP = Conversion(PAIRS, lambda x, target: x)
