"""A promise that holds changes nothing; it is about an i1."""

import numpy as np

from suite.kernels import Kernel, Structured, refused
from suite.launches import Out
from suite.shapes import same


def make(kind):
    kernel = Kernel(out="*i32", n="i32")
    condition = kernel.define(f"arith.cmpi sgt, %n, {kernel.constant(0)} : i32")
    kernel.write(f"fsm.assume {condition}")
    kernel.store(kernel.define(f"arith.extui {condition} : {kind} to i32"), "%out", "i32")
    return [kernel.launch("n > 0", [Out("i32", 1), 7], same(("i32", np.array([1], np.uint32))))]


def refuse(kind):
    yield refused("fsm.assume %n", n=kind)


OP = Structured(("i1",), make, refuse)
