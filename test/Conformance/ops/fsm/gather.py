"""Elements that indices name, along each dimension, from i32 and i64 indices."""

import numpy as np

from suite import formats, values
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

# The source's extents, the axis, and how many elements are taken along it.
CASES = [((261,), 0, 300), ((5, 37), 0, 9), ((5, 37), 1, 3), ((64, 16), 1, 16), ((3, 2, 11), 1, 5), ((1, 7), 0, 33),
         ((2, 3, 1, 5, 2), 3, 4), ((16, 8, 4), 2, 1), ((1024,), 0, 1024), ((40, 33), 0, 1)]


def one(kind, index, shape, axis, count):
    wanted = (*shape[:axis], count, *shape[axis + 1:])
    data = patterns(kind, size(shape), index, shape).reshape(shape)
    places = values.dice(kind, axis, count, *shape).integers(0, shape[axis], wanted)
    kernel = Kernel(out="*" + kind, source="*" + kind, indices="*" + index)
    source, indices = kernel.load("%source", kind, shape), kernel.load("%indices", index, wanted)
    result = kernel.define(f"fsm.gather {source}[{indices}] axis {axis} : {block(shape, kind)}, {block(wanted, index)} -> "
                           f"{block(wanted, kind)}")
    kernel.store(result, "%out", kind, wanted)
    expected = np.take_along_axis(data, places, axis)
    arguments = [Out(kind, expected.size), In(kind, data), In(index, places)]
    return kernel.launch(f"{shape} axis {axis} {count} {index}", arguments, same((kind, expected)))


def make(kind):
    # Half of the cases for each type, in turns.
    turn = formats.ELEMENTS.index(kind) % 2
    return [one(kind, ("i32", "i64")[number % 2], *case) for number, case in enumerate(CASES[turn::2])]


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(["%i = ub.poison : tensor<4xi32>", f"%r = fsm.gather %p[%i] axis 0 : tensor<4x{text}>, tensor<4xi32> -> "
                   f"tensor<4x{text}>"], p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
