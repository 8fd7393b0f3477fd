"""The other sign, of zeros, infinities and denormals as well."""

from suite.elementwise import floats

OP = floats(lambda x: -x, operands=1)
