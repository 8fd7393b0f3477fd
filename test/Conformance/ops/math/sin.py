"""Within 2 ulp."""

import numpy as np

from suite import exact
from suite.elementwise import floats

OP = floats(exact.extended(np.sin), operands=1, ulps=2)
