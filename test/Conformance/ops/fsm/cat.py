"""Blocks one behind the other, of equal and of other extents, along each dimension."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

# The extents of each block, and the axis.
CASES = [(((261,), (261,)), 0), (((5, 37), (2, 37)), 0), (((5, 37), (5, 37)), 1), (((64, 16), (64, 16)), 0),
         (((3, 1, 11), (3, 4, 11), (3, 2, 11)), 1), (((2, 3, 1, 5, 2), (2, 3, 1, 5, 2)), 3), (((1,), (7,)), 0),
         (((8, 32), (8, 32), (8, 64)), 1), (((33, 3),), 0)]


def one(kind, shapes, axis):
    data = [patterns(kind, size(shape), number, shape).reshape(shape) for number, shape in enumerate(shapes)]
    kernel = Kernel(out="*" + kind, **{f"p{i}": "*" + kind for i in range(len(shapes))})
    blocks = [kernel.load(f"%p{i}", kind, shape) for i, shape in enumerate(shapes)]
    expected = np.concatenate(data, axis)
    result = kernel.define(f"fsm.cat {', '.join(blocks)} axis {axis} : {', '.join(block(shape, kind) for shape in shapes)} "
                           f"-> {block(expected.shape, kind)}")
    kernel.store(result, "%out", kind, expected.shape)
    return kernel.launch(f"{shapes} axis {axis}", [Out(kind, expected.size), *(In(kind, part) for part in data)],
                         same((kind, expected)))


def make(kind):
    # Half of the cases for each type, in turns.
    return [one(kind, *case) for case in CASES[formats.ELEMENTS.index(kind) % 2::2]]


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%r = fsm.cat %p, %p axis 0 : tensor<4x{text}>, tensor<4x{text}> -> tensor<8x{text}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
