"""Tuples combined by a region that is associative and not commutative, forward and reverse."""

from suite import formats, regions
from suite.kernels import Structured

OP = Structured(formats.ELEMENTS,
                lambda kind: [regions.latest(kind, shape, axis, bool(reverse))
                              for shape, axis in regions.places(kind) for reverse in (0, 1)],
                regions.refuse("fsm.scan_with", ""))
