"""Quotients within 2 ulp; those of f64 are rounded once."""

from suite import exact
from suite.elementwise import floats

OP = floats(exact.divide, ulps=2, allowance=lambda kind, gpu, x, answer, allowed: allowed * (kind != "f64"))
