"""Shifts to the right, copies of the sign come in; unspecified from the width on."""

from suite.elementwise import integers


def shrsi(x, y, w):
    return x >> (y & ((1 << w) - 1)) if y & ((1 << w) - 1) < w else None


OP = integers(shrsi)
