"""The nearest whole number, a tie goes to the even one."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.rounded(round), operands=1)
