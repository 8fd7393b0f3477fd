"""An address taken for a pointer of every type reads and writes what is there."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, patterns, pointer
from suite.launches import In, Out
from suite.shapes import same

def make(kind):
    if kind == formats.POINTER:
        return pointers()
    data = patterns(kind, 40, "address")
    size = max(8, formats.WIDTH[kind]) // 8
    kernel = Kernel(out="*" + kind, source="*" + kind)
    moved = []
    for name, place in (("%source", 3), ("%out", 2)):
        base = kernel.define(f"fsm.ptr_to_int {name} : {pointer(kind)} -> i64")
        address = kernel.define(f"arith.addi {base}, {kernel.constant(place * size, 'i64')} : i64")
        moved.append(kernel.define(f"fsm.int_to_ptr {address} : i64 -> {pointer(kind)}"))
    kernel.store(kernel.load(moved[0], kind, (37,)), moved[1], kind, (37,))
    kernel.store(kernel.load("%source", kind), "%out", kind)
    out = Out(kind, 39)
    expected = np.concatenate([data[:1], out.contents()[1:2], data[3:]])
    return [kernel.launch("moved", [out, In(kind, data)], same((kind, expected)))]


def pointers():
    """A pointer to a pointer made of an address."""
    kernel = Kernel(out="*f32", table="*i64")
    table = kernel.table()
    kernel.store(kernel.moved("%out", "f32", 1), kernel.moved(table, "ptr", 2), "ptr")
    kernel.store(kernel.constant("2.5", "f32"), kernel.load(kernel.moved(table, "ptr", 2), "ptr"), "f32")
    answer = np.array([0, 2.5, 0], np.float32).view(np.uint32)
    return [kernel.launch("pointer", [Out("f32", 3, [0] * 3), In("i64", [0] * 4)], same(("f32", answer)))]


OP = Structured(formats.TYPES, make)
