"""The greater one; NaN is ignored, +0 is greater than -0."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.pick(max, propagate=False))
