"""Elements in order along each dimension, both ways: what Python's sort makes of their numbers."""

import numpy as np

from suite import formats
from suite.elementwise import Numbers, each
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.sorting import sorted_indices

CASES = [((261,), 0), ((64,), 0), ((5, 37), 0), ((5, 37), 1), ((16, 32), 0), ((1, 1), 1), ((3, 2, 11), 2),
         ((2, 3, 1, 5, 2), 3), ((128,), 0), ((8, 33), 1)]


def one(kind, shape, axis, descending):
    data = patterns(kind, size(shape), shape, axis).reshape(shape)
    kernel = Kernel(out="*" + kind, source="*" + kind)
    flag = " descending" if descending else ""
    result = kernel.define(f"fsm.sort {kernel.load('%source', kind, shape)} axis {axis}{flag} : {block(shape, kind)}")
    kernel.store(result, "%out", kind, shape)
    expected = np.take_along_axis(data, sorted_indices(kind, data, axis, descending), axis)
    return kernel.launch(f"{shape} axis {axis}{flag}", [Out(kind, data.size), In(kind, data)],
                         each(Numbers(kind, expected.reshape(-1))))


def make(kind):
    # Half of the cases for each type, in turns.
    turn = formats.ELEMENTS.index(kind) % 2
    return [one(kind, shape, axis, number % 2 == 1) for number, (shape, axis) in enumerate(CASES[turn::2])]


def refuse(kind):
    yield refused(f"%r = fsm.sort %p axis 0 : tensor<4x{formats.text_of(kind)}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
