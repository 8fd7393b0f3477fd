"""The remainder of a division that truncates, exactly."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.remainder)
