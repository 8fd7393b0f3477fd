"""The two halves of a last dimension of extent 2."""

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same


def make(kind):
    found = []
    for shape in ((261,), (5, 37), (1, 1), (2, 3, 5, 2)):
        pairs = patterns(kind, 2 * size(shape), "pairs", shape).reshape(*shape, 2)
        kernel = Kernel(left="*" + kind, right="*" + kind, source="*" + kind)
        source = kernel.load("%source", kind, pairs.shape)
        kernel.write(f"%a, %b = fsm.split {source} : {block(pairs.shape, kind)} -> {block(shape, kind)}")
        kernel.store("%a", "%left", kind, shape)
        kernel.store("%b", "%right", kind, shape)
        found.append(kernel.launch(f"{shape}", [Out(kind, size(shape)), Out(kind, size(shape)), In(kind, pairs)],
                                   same((kind, pairs[..., 0]), (kind, pairs[..., 1]))))
    return found


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%l, %r = fsm.split %p : tensor<4x2x{text}> -> tensor<4x{text}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
