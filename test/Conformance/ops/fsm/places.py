"""Offsets and masks of tiles, against sums and comparisons of NumPy's."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, refused
from suite.launches import Out
from suite.shapes import same

# The extents, and the lists: a number that is in a list itself is an operand.
CASES = [((261,), None, None, None), ((261,), ([1000],), None, ([1100],)), ((5, 37), None, ([70], 1), None),
         ((5, 37), ([3], 4), ([70], [2]), ([6], [30])), ((64, 16), None, (1, [64]), ([33], 16)),
         ((3, 2, 11), (0, [1], -2), (100, [7], 3), (2, [3], [9])), ((1, 1), ([5], 0), ([0], 1), (6, [0])),
         ((2, 3, 1, 5, 2), None, (40, 10, 5, [2], 1), (2, 2, [1], 5, 1)), ((32, 64), ([-1], [-1]), ([64], 1), ([31], [63]))]


def one(shape, *lists):
    kernel, arguments = Kernel(out="*i32", mask="*i1"), []
    texts = []
    for name, numbers in zip(("origin", "strides", "bounds"), lists):
        words = []
        for number in numbers or ():
            if isinstance(number, list):
                kernel.arguments[f"n{len(arguments)}"] = "i32"
                words.append(f"%n{len(arguments)}")
                arguments.append(number[0])
            else:
                words.append(str(number))
        texts += [f" {name} [{', '.join(words)}]"] if words else []
    origin, strides, bounds = ([number[0] if isinstance(number, list) else number for number in numbers or ()]
                               for numbers in lists)
    at = [axis + first for axis, first in zip(np.indices(shape), origin or [0] * len(shape))]
    offsets = sum(axis * stride for axis, stride in zip(at, strides or [1]))
    inside = np.all([axis < bound for axis, bound in zip(at, bounds)], axis=0) if bounds else np.zeros(shape, bool)
    kernel.write(f"%offs{', %in' if bounds else ''} = fsm.places{''.join(texts)} : {block(shape, 'i32')}")
    if not bounds:
        kernel.constant("false", "i1", shape)
    kernel.store("%offs", "%out", "i32", shape)
    kernel.store("%in" if bounds else "%x1", "%mask", "i1", shape)
    expected = offsets.astype(np.int32).view(np.uint32), inside.astype(np.uint8)
    return kernel.launch(f"{shape}{''.join(texts)}", [Out("i32", offsets.size), Out("i1", offsets.size), *arguments],
                         same(("i32", expected[0]), ("i1", expected[1])))


def make(kind):
    return [one(*case) for case in CASES]


def refuse(kind):
    yield refused(f"%r = fsm.places : tensor<4x{formats.text_of(kind)}>")


OP = Structured(("i32",), make, refuse)
