"""One rounding of a * b + c."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.fma, operands=3)
