"""The next whole number downward."""

import math

from suite import exact
from suite.elementwise import floats

OP = floats(exact.rounded(math.floor), operands=1)
