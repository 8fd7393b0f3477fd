"""A program sees what it has stored, with a barrier and without, whichever thread stored it."""

import numpy as np

from suite.kernels import Kernel, Structured, block, patterns
from suite.launches import In, Out
from suite.shapes import same

COUNT = 1000


def make():
    """What is stored forward is loaded backward, and once more."""
    found = []
    for barrier in (True, False):
        data = patterns("i32", COUNT, "barrier")
        kernel = Kernel(out="*i32", source="*i32", between="*i32")
        places = kernel.places((COUNT,))
        back = kernel.define(f"arith.subi {kernel.constant(COUNT - 1, shape=(COUNT,))}, {places} : {block((COUNT,), 'i32')}")
        value = kernel.load("%source", "i32", (COUNT,))
        for _ in range(2):
            kernel.store(value, "%between", "i32", (COUNT,))
            kernel.write(*["fsm.barrier"] * barrier)
            value = kernel.load("%between", "i32", (COUNT,), back)
            kernel.write(*["fsm.barrier"] * barrier)
        total = kernel.define(f"arith.addi {value}, {kernel.load('%source', 'i32', (COUNT,), back)} : {block((COUNT,), 'i32')}")
        kernel.store(total, "%out", "i32", (COUNT,))
        found.append(kernel.launch(f"barrier={barrier}", [Out("i32", COUNT), In("i32", data), Out("i32", COUNT)],
                                   same(("i32", data + data[::-1]), ("i32", data[::-1]))))
    return found


OP = Structured((), make, typed=False)
