"""A block of equal elements, whatever the scalar."""

import numpy as np

from suite import formats
from suite.kernels import SHAPES, Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same


def make(kind):
    """A program for each number."""
    found = []
    for shape in SHAPES:
        numbers = patterns(kind, 24, "splat")
        kernel = Kernel(out="*" + kind, source="*" + kind)
        program = kernel.define("fsm.program_id x : i32")
        scalar = kernel.load(kernel.moved("%source", kind, program), kind)
        result = kernel.define(f"fsm.splat {scalar} : {block(shape, kind)}")
        first = kernel.define(f"arith.muli {program}, {kernel.constant(size(shape))} overflow<nsw> : i32")
        kernel.store(result, kernel.moved("%out", kind, first), kind, shape)
        expected = np.repeat(numbers, size(shape))
        found.append(kernel.launch(f"{shape}", [Out(kind, expected.size), In(kind, numbers)], same((kind, expected)),
                                   grid=numbers.size))
    return found


def refuse(kind):
    yield refused(f"%r = fsm.splat %p : tensor<4x{formats.text_of(kind)}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
