"""The upper halves of products of unsigned numbers."""

from suite import formats
from suite.elementwise import integers

OP = integers(lambda x, y, w: x * y >> w, unsigned=True, types=[kind for kind in formats.ALL_INTEGERS if kind != "i1"])
