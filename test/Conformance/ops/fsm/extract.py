"""One element of a block, whose coordinates are in the text or found by the program."""

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

# The source's extents, and where the element is (a number in a list is an operand).
CASES = [((261,), ([260],)), ((5, 37), (3, [36])), ((1, 1), (0, 0)), ((64, 16), ([63], [0])), ((3, 2, 11), (0, [1], 7)),
         ((2, 3, 1, 5, 2), ([1], 2, 0, [4], 1)), ((1024,), (512,))]


def one(kind, shape, place):
    first = [number[0] if isinstance(number, list) else number for number in place]
    data = patterns(kind, size(shape), shape, place).reshape(shape)
    kernel = Kernel(out="*" + kind, source="*" + kind, **{f"n{i}": "i32" for i in range(len(shape))})
    offsets = ", ".join(f"%n{i}" if isinstance(number, list) else str(number) for i, number in enumerate(place))
    source = kernel.load("%source", kind, shape)
    kernel.store(kernel.define(f"fsm.extract {source}[{offsets}] : {block(shape, kind)}"), "%out", kind)
    return kernel.launch(f"{shape} {place}", [Out(kind, 1), In(kind, data), *first], same((kind, data[tuple(first)])))


def make(kind):
    return [one(kind, *case) for case in CASES]


def refuse(kind):
    yield refused(f"%r = fsm.extract %p[0] : tensor<4x{formats.text_of(kind)}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
