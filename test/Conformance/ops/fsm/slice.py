"""Parts of blocks, from offsets that are in the text and others that the program finds."""

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

# The source's extents, where the part begins (a number in a list is an operand), and its extents.
CASES = [((261,), (7,), (100,)), ((261,), ([60],), (33,)), ((5, 37), ([2], 4), (3, 31)), ((64, 16), (0, [8]), (64, 8)),
         ((8, 32), (4, 16), (4, 16)), ((3, 2, 11), (1, 0, [5]), (2, 2, 6)), ((2, 3, 1, 5, 2), (1, [1], 0, 2, 0), (1, 2, 1, 3, 2)),
         ((1, 1), (0, [0]), (1, 1)), ((1024,), ([512],), (256,)), ((33, 65), ([31], [1]), (2, 64))]


def one(kind, shape, begin, extents):
    first = [number[0] if isinstance(number, list) else number for number in begin]
    data = patterns(kind, size(shape), shape, extents).reshape(shape)
    kernel = Kernel(out="*" + kind, source="*" + kind, **{f"n{i}": "i32" for i in range(len(shape))})
    offsets = ", ".join(f"%n{i}" if isinstance(number, list) else str(number) for i, number in enumerate(begin))
    source = kernel.load("%source", kind, shape)
    result = kernel.define(f"fsm.slice {source}[{offsets}] : {block(shape, kind)} -> {block(extents, kind)}")
    kernel.store(result, "%out", kind, extents)
    expected = data[tuple(slice(i, i + extent) for i, extent in zip(first, extents))]
    return kernel.launch(f"{shape} {begin} {extents}", [Out(kind, expected.size), In(kind, data), *first],
                         same((kind, expected)))


def make(kind):
    # Half of the cases for each type, in turns.
    return [one(kind, *case) for case in CASES[formats.ELEMENTS.index(kind) % 2::2]]


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%r = fsm.slice %p[0] : tensor<4x{text}> -> tensor<2x{text}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
