"""The lesser as signed numbers."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: min(x, y))
