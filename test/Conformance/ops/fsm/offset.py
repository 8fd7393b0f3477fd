"""A pointer moved by elements of its type, back and forth, by i32 and by i64."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, patterns, pointer
from suite.launches import In, Out
from suite.shapes import same

PLACES = (0, 1, 31, 32, 255, 299)
# Beyond 32 bits, and back again: scaling and adding up happen in 64 bits.
FAR = 1 << 33


def make(kind):
    if kind == formats.POINTER:
        return pointers()
    numbers = patterns(kind, 300, "offset")
    kernel = Kernel(out="*" + kind, source="*" + kind, back="i32")
    for number, place in enumerate(PLACES):
        near = kernel.moved("%source", kind, 299)
        moved = kernel.moved(near, kind, kernel.define(f"arith.addi %back, {kernel.constant(place)} : i32"))
        there = kernel.define(f"fsm.offset {moved}, {kernel.constant(FAR, 'i64')} : {pointer(kind)}, i64")
        here = kernel.define(f"fsm.offset {there}, {kernel.constant(-FAR, 'i64')} : {pointer(kind)}, i64")
        kernel.store(kernel.load(here, kind), kernel.moved("%out", kind, number), kind)
    return [kernel.launch("places", [Out(kind, len(PLACES)), In(kind, numbers), -299],
                          same((kind, numbers[list(PLACES)])))]


def pointers():
    """A table of pointers: two are stored, then loaded in the other order."""
    kernel = Kernel(out="*f32", table="*i64")
    table = kernel.table()
    for number, place in enumerate((5, 2)):
        kernel.store(kernel.moved("%out", "f32", place), kernel.moved(table, "ptr", number), "ptr")
    for number, value in enumerate((2.0, 5.0)):
        target = kernel.load(kernel.moved(table, "ptr", 1 - number), "ptr")
        kernel.store(kernel.constant(value, "f32"), target, "f32")
    before = np.zeros(8, np.float32)
    after = before.copy()
    after[[2, 5]] = 2.0, 5.0
    return [kernel.launch("table", [Out("f32", 8, before.view(np.uint32)), In("i64", [0] * 4)],
                          same(("f32", after.view(np.uint32))))]


OP = Structured(formats.TYPES, make)
