"""A wider integer of the same value without a sign."""

from suite import formats
from suite.elementwise import Conversion

PAIRS = [(a, b) for a in formats.ALL_INTEGERS for b in formats.ALL_INTEGERS if formats.WIDTH[a] < formats.WIDTH[b]]

OP = Conversion(PAIRS, lambda x, target: x, unsigned=True)
