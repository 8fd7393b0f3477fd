"""The next whole number toward zero."""

import math

from suite import exact
from suite.elementwise import floats

OP = floats(exact.rounded(math.trunc), operands=1)
