"""Within 2 ulp."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.library("pow", 2), operands=2, ulps=2)
