"""How many zeros stand before the highest 1; the width for 0."""

from suite.elementwise import integers

OP = integers(lambda x, w: w - x.bit_length(), operands=1, unsigned=True)
