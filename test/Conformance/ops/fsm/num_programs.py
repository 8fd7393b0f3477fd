"""The extents of the grid, the same for every program; they are i32."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, refused
from suite.launches import Out
from suite.shapes import same


def make(kind):
    """Each program writes what it sees to a place of its own."""
    found = []
    for grid in ((1,), (37,), (5, 3), (3, 2, 4)):
        kernel = Kernel(out="*" + kind)
        extents = [kernel.define(f"fsm.num_programs {axis} : i32") for axis in "xyz"]
        place = kernel.constant(0)
        for extent, axis in zip(reversed(extents), "zyx"):
            rows = kernel.define(f"arith.muli {place}, {extent} : i32")
            place = kernel.define(f"arith.addi {rows}, {kernel.define(f'fsm.program_id {axis} : i32')} : i32")
        first = kernel.define(f"arith.muli {place}, {kernel.constant(3)} : i32")
        for number, extent in enumerate(extents):
            at = kernel.define(f"arith.addi {first}, {kernel.constant(number)} : i32")
            kernel.store(extent, kernel.moved("%out", kind, at), kind)
        programs = int(np.prod(grid))
        expected = np.tile(np.array((*grid, 1, 1)[:3], np.uint32), programs)
        found.append(kernel.launch(f"{grid}", [Out(kind, 3 * programs)], same((kind, expected)), grid=",".join(map(str, grid))))
    return found


def refuse(kind):
    yield refused(f"%r = fsm.num_programs x : {formats.text_of(kind)}")


OP = Structured(("i32",), make, refuse)
