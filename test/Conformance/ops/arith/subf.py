"""Differences, rounded once."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.subtract)
