"""The extents of the grid, the same for every program; they are i32."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, refused
from suite.launches import Out
from suite.shapes import same


def make(kind):
    """The last program writes what it sees."""
    found = []
    for grid in ((1,), (37,), (5, 3), (3, 2, 4)):
        kernel = Kernel(out="*" + kind)
        for place, axis in enumerate("xyz"):
            extent = kernel.define(f"fsm.num_programs {axis} : i32")
            kernel.store(extent, kernel.moved("%out", kind, place), kind)
        expected = np.array((*grid, 1, 1)[:3], np.uint32)
        found.append(kernel.launch(f"{grid}", [Out(kind, 3)], same((kind, expected)), grid=",".join(map(str, grid))))
    return found


def refuse(kind):
    yield refused(f"%r = fsm.num_programs x : {formats.text_of(kind)}")


OP = Structured(("i32",), make, refuse)
