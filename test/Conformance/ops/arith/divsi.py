"""The quotient of signed numbers, rounded toward zero.

Unspecified for a divisor of 0 and for the lowest number by -1.
"""

from suite.elementwise import integers
from suite.exact import truncated_quotient


def divsi(x, y, w):
    if y == 0 or (y == -1 and x == -1 << (w - 1)):
        return None
    return truncated_quotient(x, y)


OP = integers(divsi)
