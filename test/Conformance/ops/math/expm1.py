"""Within 2 ulp."""

import numpy as np

from suite import exact
from suite.elementwise import floats

OP = floats(exact.extended(np.expm1), operands=1, ulps=2)
