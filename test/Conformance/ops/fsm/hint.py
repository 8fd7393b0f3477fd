"""A promise that is true changes nothing; it is about an integer or a block of integers."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, refused
from suite.launches import In, Out
from suite.shapes import same


def make(kind):
    """Groups of 4 that begin at multiples of 16 and count up, and as many equal ones."""
    bits = formats.BITS[formats.WIDTH[kind]]
    data = np.zeros(32, bits) if kind == "i1" else (np.repeat([0, 16, 32, 48], 8) + np.arange(32) % 4).astype(bits)
    promise = "max_constancy = array<i64: 4>" if kind == "i1" else \
        "multiple_of = array<i64: 16>, max_contiguous = array<i64: 4>"
    kernel = Kernel(out="*" + kind, source="*" + kind)
    value = kernel.load("%source", kind, (32,))
    hinted = kernel.define(f"fsm.hint {value} {{{promise}}} : {block((32,), kind)}")
    scalar = kernel.define(f"fsm.hint {kernel.load('%source', kind)} {{multiple_of = array<i64: 8>}} : {kind}")
    kernel.store(hinted, "%out", kind, (32,))
    kernel.store(scalar, kernel.moved("%out", kind, 32), kind)
    return [kernel.launch("groups", [Out(kind, 33), In(kind, data)], same((kind, np.append(data, data[:1]))))]


def refuse(kind):
    text = formats.text_of(kind)
    yield refused(f"%r = fsm.hint %n {{multiple_of = array<i64: 8>}} : {text}", n=kind)


OP = Structured(formats.ALL_INTEGERS, make, refuse)
