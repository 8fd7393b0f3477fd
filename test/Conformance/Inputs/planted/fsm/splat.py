"""Kernels that write behind the end of a buffer, leave it as it was, and are no kernels."""

import numpy as np

from suite.kernels import Kernel, Structured
from suite.launches import Out
from suite.shapes import same


def make(kind):
    del kind
    behind, nothing, broken = Kernel(out="*i32", n="i32"), Kernel(out="*i32"), Kernel(out="*i32")
    behind.store("%n", behind.moved("%out", "i32", 1), "i32")
    broken.write("fsm.splat")
    answer = same(("i32", np.array([0xA5A5A5A5], np.uint32)))
    wrong = same(("i32", np.array([1], np.uint32)))
    return [behind.launch("behind", [Out("i32", 1), 5], answer), nothing.launch("nothing", [Out("i32", 1)], wrong),
            broken.launch("broken", [Out("i32", 1)], answer)]


OP = Structured(("i32",), make, lambda kind: [("fsm.kernel @k() {\n  fsm.nothing\n  fsm.return\n}\n", 3)])
