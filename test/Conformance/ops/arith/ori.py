"""Bits that either has."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x | y)
