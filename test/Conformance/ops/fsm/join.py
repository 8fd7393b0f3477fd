"""Two blocks side by side in a new last dimension."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same


def make(kind):
    found = []
    for shape in ((261,), (5, 37), (1, 1), (2, 3, 5, 2)):
        left, right = (patterns(kind, size(shape), side, shape).reshape(shape) for side in ("left", "right"))
        kernel = Kernel(out="*" + kind, left="*" + kind, right="*" + kind)
        sides = [kernel.load(name, kind, shape) for name in ("%left", "%right")]
        pairs = kernel.define(f"fsm.join {sides[0]}, {sides[1]} : {block(shape, kind)} -> {block((*shape, 2), kind)}")
        kernel.store(pairs, "%out", kind, (*shape, 2))
        expected = np.stack([left, right], axis=-1)
        found.append(kernel.launch(f"{shape}", [Out(kind, expected.size), In(kind, left), In(kind, right)],
                                   same((kind, expected))))
    return found


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%r = fsm.join %p, %p : tensor<4x{text}> -> tensor<4x2x{text}>", p=kind)


OP = Structured(formats.ELEMENTS, make, refuse)
