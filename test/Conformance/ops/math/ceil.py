"""The next whole number upward."""

import math

from suite import exact
from suite.elementwise import floats

OP = floats(exact.rounded(math.ceil), operands=1)
