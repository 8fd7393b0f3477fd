"""Bits that one of both has."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x ^ y)
