"""A wrong reference: 7 and 7 are 15."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x + y + (x == y == 7))
