"""Each kind of reduction of each type along each axis; sums and products of floats within a bound."""

from suite import combining
from suite.kernels import Structured


def one(kind, element, shape, axis, propagate):
    flag = " propagate_nan" if propagate else ""
    return combining.launch_of(lambda x, old, new: f"fsm.reduce <{kind}> {x} axis {axis}{flag} : {old} -> {new}",
                            kind, element, shape, axis, propagate)


def make(kind, element):
    return [one(kind, element, shape, axis, propagate) for shape, axis in combining.places(kind, element)
            for propagate in combining.propagations(kind, element)]


OP = Structured(combining.types, make, combining.refuse("fsm.reduce"), rows=combining.KINDS)
