"""The program's coordinates in a grid of one to three dimensions; they are i32."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, refused
from suite.launches import Out
from suite.shapes import same


def make(kind):
    """Each program writes its three coordinates to a place that these alone determine."""
    found = []
    for grid in ((1,), (37,), (5, 3), (3, 2, 4)):
        x, y, z = (*grid, 1, 1)[:3]
        kernel = Kernel(a="*" + kind, b="*" + kind, c="*" + kind)
        ids = [kernel.define(f"fsm.program_id {axis} : i32") for axis in "xyz"]
        rows = kernel.define(f"arith.muli {ids[2]}, {kernel.constant(y)} : i32")
        row = kernel.define(f"arith.addi {rows}, {ids[1]} : i32")
        first = kernel.define(f"arith.muli {row}, {kernel.constant(x)} : i32")
        place = kernel.define(f"arith.addi {first}, {ids[0]} : i32")
        for name, value in zip(("%a", "%b", "%c"), ids):
            kernel.store(value, kernel.moved(name, kind, place), kind)
        at = np.indices((z, y, x)).astype(np.uint32)
        found.append(kernel.launch(f"{grid}", [Out(kind, x * y * z) for _ in "abc"],
                                   same((kind, at[2]), (kind, at[1]), (kind, at[0])), grid=",".join(map(str, grid))))
    return found


def refuse(kind):
    yield refused(f"%r = fsm.program_id x : {formats.text_of(kind)}")


OP = Structured(("i32",), make, refuse)
