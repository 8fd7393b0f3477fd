"""The square root, correctly rounded."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.square_root, operands=1)
