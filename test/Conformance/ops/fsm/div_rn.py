"""Quotients rounded once, to nearest even, denormals as well."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.divide)
