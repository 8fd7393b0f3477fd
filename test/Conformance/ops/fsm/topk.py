"""The greatest and the smallest elements, and where they are: of equal ones the first."""

import numpy as np

from suite import formats
from suite.elementwise import Numbers, each
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.sorting import sorted_indices

# The source's extents, the axis, and how many are found.
CASES = [((261,), 0, 8), ((5, 37), 1, 37), ((5, 37), 0, 3), ((16, 32), 1, 4), ((1, 1), 0, 1), ((3, 2, 11), 2, 5),
         ((64,), 0, 64), ((2, 3, 1, 5, 2), 3, 2)]


def one(kind, shape, axis, count, smallest):
    data = patterns(kind, size(shape), shape, axis).reshape(shape)
    wanted = (*shape[:axis], count, *shape[axis + 1:])
    kernel = Kernel(out="*" + kind, indices="*i32", source="*" + kind)
    flag = " smallest" if smallest else ""
    source = kernel.load("%source", kind, shape)
    kernel.write(f"%v, %i = fsm.topk {source} axis {axis}{flag} : {block(shape, kind)} -> {block(wanted, kind)}")
    kernel.store("%v", "%out", kind, wanted)
    kernel.store("%i", "%indices", "i32", wanted)
    places = np.take(sorted_indices(kind, data, axis, not smallest), range(count), axis)
    expected = np.take_along_axis(data, places, axis).reshape(-1)
    checks = each(Numbers(kind, expected), Numbers("i32", places.reshape(-1).astype(np.uint32)))
    return kernel.launch(f"{shape} axis {axis} {count}{flag}", [Out(kind, expected.size), Out("i32", expected.size),
                                                                 In(kind, data)], checks)


def make(kind):
    # Half of the cases for each type, in turns.
    turn = formats.ELEMENTS.index(kind) % 2
    return [one(kind, *case, number % 2 == 1) for number, case in enumerate(CASES[turn::2])]


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%r:2 = fsm.topk %p axis 0 : tensor<4x{text}> -> tensor<2x{text}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
