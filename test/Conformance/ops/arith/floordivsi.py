"""The quotient of signed numbers, rounded down.

Unspecified for a divisor of 0 and for the lowest number by -1.
"""

from suite.elementwise import integers


def floordivsi(x, y, w):
    if y == 0 or (y == -1 and x == -1 << (w - 1)):
        return None
    return x // y


OP = integers(floordivsi)
