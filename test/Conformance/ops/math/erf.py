"""Within 2 ulp."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.library("erf", 1), operands=1, ulps=2)
