"""The magnitude."""

from suite.elementwise import floats

OP = floats(abs, operands=1)
