"""The lesser one; NaN is propagated, +0 is greater than -0."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.pick(min, propagate=True))
