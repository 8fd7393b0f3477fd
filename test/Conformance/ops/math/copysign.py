"""The magnitude of one and the sign of the other."""

import math

from suite.elementwise import floats

OP = floats(math.copysign)
