"""An address counts bytes: neighbours are as far apart as an element is large, and no element lies across its size."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, pointer
from suite.launches import Out
from suite.shapes import same

PLACES = (0, 1, 5, 1000, -3)


def make(kind):
    """The distances from the buffer's begin, and the begin's remainder by the size."""
    bytes_of = 8 if kind == formats.POINTER else max(8, formats.WIDTH[kind]) // 8
    stored = "i64" if kind == formats.POINTER else kind
    kernel = Kernel(out="*i64", buffer="*" + stored)
    buffer = kernel.table("%buffer") if kind == formats.POINTER else "%buffer"
    base = kernel.define(f"fsm.ptr_to_int {buffer} : {pointer(kind)} -> i64")
    for number, place in enumerate(PLACES):
        moved = kernel.define(f"fsm.ptr_to_int {kernel.moved(buffer, kind, place)} : {pointer(kind)} -> i64")
        kernel.store(kernel.define(f"arith.subi {moved}, {base} : i64"), kernel.moved("%out", "i64", number), "i64")
    rest = kernel.define(f"arith.remui {base}, {kernel.constant(bytes_of, 'i64')} : i64")
    kernel.store(rest, kernel.moved("%out", "i64", len(PLACES)), "i64")
    answer = np.array([place * bytes_of for place in PLACES] + [0], np.int64).view(np.uint64)
    return [kernel.launch("distances", [Out("i64", answer.size), Out(stored, 8)], same(("i64", answer)))]


OP = Structured(formats.TYPES, make)
