"""Square roots rounded once, to nearest even; -0 stays -0."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.square_root, operands=1)
