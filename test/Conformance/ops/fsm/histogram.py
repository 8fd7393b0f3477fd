"""How often each number occurs; those that have no bin are not counted."""

import numpy as np

from suite import formats, values
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

# The source's extents, and the bins.
CASES = [((261,), 2), ((5, 37), 100), ((64, 16), 64), ((3, 2, 11), 33), ((1, 1), 1), ((7,), 256)]


def one(kind, shape, bins):
    data = patterns(kind, size(shape), shape, bins)
    # Half of the numbers anything, half of them in the bins.
    small = values.dice(kind, bins, *shape).integers(0, min(bins, 1 << min(formats.WIDTH[kind], 62)), data.size, np.uint64)
    data[::2] = small.astype(data.dtype)[::2]
    kernel = Kernel(out="*i32", source="*" + kind)
    source = kernel.load("%source", kind, shape)
    kernel.store(kernel.define(f"fsm.histogram {source} : {block(shape, kind)} -> {block((bins,), 'i32')}"), "%out", "i32", (bins,))
    expected = np.array([(data == i).sum() for i in range(bins)], np.uint32)
    return kernel.launch(f"{shape} {bins}", [Out("i32", bins), In(kind, data.reshape(shape))], same(("i32", expected)))


def make(kind):
    return [one(kind, *case) for case in CASES]


def refuse(kind):
    text = formats.text_of(kind)
    if kind not in (*formats.ELEMENTS,):
        yield refused(f"%r = fsm.histogram %p : tensor<4x{text}> -> tensor<4xi32>", p=kind)
    else:
        yield refused([f"%x = ub.poison : tensor<4x{text}>", f"%r = fsm.histogram %x : tensor<4x{text}> -> tensor<4xi32>"])


OP = Structured(formats.ALL_INTEGERS, make, refuse)
