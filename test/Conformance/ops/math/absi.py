"""The magnitude of a signed number; that of the lowest wraps."""

from suite.elementwise import integers

OP = integers(lambda x, w: abs(x), operands=1)
