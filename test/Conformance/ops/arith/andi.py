"""Bits that both have."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x & y)
