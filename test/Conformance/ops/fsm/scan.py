"""Each kind of scan of each type along each axis, forward and reverse; sums and products of floats within a bound."""

from suite import combining
from suite.kernels import Structured


def one(kind, element, shape, axis, propagate, reverse):
    flags = " reverse" * reverse + " propagate_nan" * propagate
    return combining.launch_of(lambda x, old, new: f"fsm.scan <{kind}> {x} axis {axis}{flags} : {old}",
                            kind, element, shape, axis, propagate, reverse, scan=True)


def make(kind, element):
    """The directions in turns, so that each shape has both."""
    turn = combining.KINDS.index(kind) + combining.formats.ELEMENTS.index(element)
    cases = [(place, propagate) for place in combining.places(kind, element)
             for propagate in combining.propagations(kind, element)]
    return [one(kind, element, *place, propagate, (number + turn) % 2 == 1)
            for number, (place, propagate) in enumerate(cases)]


OP = Structured(combining.types, make, combining.refuse("fsm.scan"), rows=combining.KINDS)
