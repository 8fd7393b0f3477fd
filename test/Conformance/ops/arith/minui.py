"""The lesser as unsigned numbers."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: min(x, y), unsigned=True)
