"""Tuples combined by a region: the element with the least key, of every type and along each axis."""

from suite import formats, regions
from suite.kernels import Structured

OP = Structured(formats.ELEMENTS,
                lambda kind: [regions.least(kind, shape, axis, bool(number % 2))
                              for number, (shape, axis) in enumerate(regions.places(kind))],
                regions.refuse("fsm.reduce_with", " -> {}"))
