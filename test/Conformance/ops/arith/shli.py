"""Shifts to the left, zeros come in; unspecified from the width on."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x << y if y < w else None, unsigned=True)
