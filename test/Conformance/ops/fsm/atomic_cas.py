"""What has the bits of one value is replaced by another: zeros of two signs differ, a NaN equals its like."""

import numpy as np

from suite import atomics, formats, values
from suite.kernels import Kernel, Structured, block, patterns, pointer, refused, size
from suite.launches import In, Out
from suite.shapes import same


def replaced(kind, shape, order):
    """About half of the elements are equal, some are masked off."""
    count = size(shape)
    before, value = patterns(kind, count, "before"), patterns(kind, count, "value")
    generator = values.dice("cas", kind, shape)
    sign = before.dtype.type(1 << (formats.WIDTH[kind] - 1))
    compare = np.where(generator.random(count) < 0.6, before, before ^ sign)
    mask = generator.random(count) < 0.8
    kernel = Kernel(memory="*" + kind, old="*" + kind, compare="*" + kind, value="*" + kind, flags="*i1")
    names = [kernel.load(name, kind, shape) for name in ("%compare", "%value")]
    flags = kernel.load("%flags", "i1", shape)
    old = kernel.define(f"fsm.atomic_cas {names[0]}, {names[1]}, %memory[{kernel.places(shape)}], {flags}{order} : "
                        f"{block(shape, kind)}, {pointer(kind)}, {block(shape, 'i32')}")
    kernel.store(old, "%old", kind, shape)
    after = np.where(mask & (compare == before), value, before)
    return kernel.launch(f"{shape}{order}", [Out(kind, count, before), Out(kind, count), In(kind, compare), In(kind, value),
                                             In("i1", mask.astype(np.uint8))],
                         same((kind, after), (kind, np.where(mask, before, 0).astype(before.dtype))))


def first_wins(kind, order):
    """Of many programs exactly one finds the lock free."""
    kernel = Kernel(lock="*" + kind, winners="*i32")
    number = "1.0" if formats.is_float(kind) else "1"
    taken = kernel.constant(number, kind)
    zero = kernel.constant("0.0" if formats.is_float(kind) else "0", kind)
    seen = kernel.define(f"fsm.atomic_cas {zero}, {taken}, %lock{order} : {kind}, {pointer(kind)}")
    compare = "cmpf oeq" if formats.is_float(kind) else "cmpi eq"
    won = kernel.define(f"arith.{compare}, {seen}, {zero} : {kind}")
    kernel.define(f"fsm.atomic_rmw <add> {kernel.define(f'arith.extui {won} : i1 to i32')}, %winners : i32, {pointer('i32')}")
    one = np.array([formats.encode(1, kind)], formats.BITS[formats.WIDTH[kind]])
    return kernel.launch(f"first wins{order}", [Out(kind, 1, [0]), Out("i32", 1, [0])],
                         same((kind, one), ("i32", np.array([1], np.uint32))), grid=atomics.programs_of(order, 37))


def make(kind):
    turn = formats.ELEMENTS.index(kind)
    orders = [atomics.ORDERS[(turn + 5 * i) % len(atomics.ORDERS)] for i in range(4)]
    return [replaced(kind, shape, order) for shape, order in zip(atomics.SHAPES, orders)] + [first_wins(kind, orders[3])]


def refuse(kind):
    yield refused(f"%r = fsm.atomic_cas %v, %v, %p : {formats.text_of(kind)}, {pointer(kind)}", p="*" + kind, v=kind)


OP = Structured(("i16", "f16", "bf16") + atomics.WORDS + atomics.REALS, make, refuse)
