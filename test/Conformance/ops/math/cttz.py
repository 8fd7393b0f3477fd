"""How many zeros stand behind the lowest 1; the width for 0."""

from suite.elementwise import integers

OP = integers(lambda x, w: (x & -x).bit_length() - 1 if x else w, operands=1, unsigned=True)
