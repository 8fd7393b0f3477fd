"""The remainder of unsigned numbers; unspecified for a divisor of 0."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x % y if y else None, unsigned=True)
