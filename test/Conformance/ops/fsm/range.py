"""Consecutive i32 numbers from any start; of another type it is refused."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, refused
from suite.launches import Out
from suite.shapes import same

LOW, HIGH = -1 << 31, (1 << 31) - 1
RANGES = ((0, 1), (0, 261), (-5, 6), (7, 40), (LOW, LOW + 33), (HIGH - 65, HIGH), (100, 1124))


def make(kind):
    found = []
    for start, end in RANGES:
        extent = end - start
        kernel = Kernel(out="*" + kind)
        numbers = kernel.define(f"fsm.range {start}, {end} : {block((extent,), kind)}")
        kernel.store(numbers, "%out", kind, (extent,))
        expected = np.arange(start, end, dtype=np.int32).view(np.uint32)
        found.append(kernel.launch(f"{start} to {end}", [Out(kind, extent)], same((kind, expected))))
    return found


def refuse(kind):
    yield refused(f"%r = fsm.range 0, 4 : tensor<4x{formats.text_of(kind)}>")


OP = Structured(("i32",), make, refuse)
