"""Arguments of every type arrive as they are; a grid without programs runs nothing."""

import numpy as np

from suite import formats, values
from suite.elementwise import Numbers
from suite.kernels import Kernel, Structured
from suite.launches import Out
from suite.numbers import given
from suite.shapes import same


def numbers(kind):
    """One argument for each special number, others between them."""
    bits = values.special(kind)
    names = {f"v{i}": kind for i in range(len(bits))}
    kernel = Kernel(before="i8", out="*" + kind, **names, after="i64")
    for place, name in enumerate(names):
        kernel.store(f"%{name}", kernel.moved("%out", kind, place), kind)
    return kernel.launch("numbers", [-1, Out(kind, len(bits)), *(given(b, kind) for b in bits), 1 << 40],
                         Numbers(kind, np.array(bits, formats.BITS[formats.WIDTH[kind]])))


def make(kind):
    if kind != formats.POINTER:
        return [numbers(kind)]
    found = []
    for grid in ("1", "0", "3,0,2"):
        kernel = Kernel("num_warps = 4 : i32", first="*i32", second="*i32", third="*i32")
        for position, name in enumerate(("%third", "%first", "%second")):
            kernel.store(kernel.constant(position), name, "i32")
        answers = [1, 2, 0] if grid == "1" else [9, 9, 9]
        found.append(kernel.launch(f"grid {grid}", [Out("i32", 1, [9]) for _ in answers],
                                   same(*(("i32", np.array([n], np.uint32)) for n in answers)), grid=grid))
    return found


OP = Structured(formats.TYPES, make)
