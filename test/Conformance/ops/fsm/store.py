"""Scalars and blocks under masks: what is off is not touched, wherever it would be."""

import numpy as np

from suite import formats, masks, windows
from suite.kernels import Kernel, Structured, block, patterns, pointer
from suite.launches import In, Out
from suite.shapes import Bits, same


def masked(kind, shape, form, hint):
    """What is on goes to memory, of each program's own; the rest stays."""
    flag, flags, active, write = form(shape)
    data = patterns(kind, active.size, "store", shape).reshape(active.shape)
    kernel = Kernel(out="*" + kind, source="*" + kind, flags="*" + flag)
    first = masks.first_of_program(kernel, shape)
    mask, offsets, width = write(kernel, first)
    value = kernel.load(kernel.moved("%source", kind, first), kind, shape)
    kernel.write(f"fsm.store {value}, {kernel.moved('%out', kind, first)}[{offsets}], {mask}{hint} : {block(shape, kind)}, "
                 f"{pointer(kind)}, {block(shape, width)}")
    out = Out(kind, data.size)
    expected = np.where(active.reshape(-1), data.reshape(-1), out.contents()[:data.size])
    return kernel.launch(f"{form.__name__} {shape}{hint}", [out, In(kind, data), In(flag, flags)], same((kind, expected)),
                         grid=len(active))


def held_before(kind, hint, count):
    """A block is changed in place; what stood there before is used behind that, in a branch alone."""
    data = patterns(kind, count, "held")
    kernel = Kernel(out="*" + kind, source="*" + kind, before="*" + kind, end="i32")
    shape, ints = (count,), block((count,), "i32")
    places = kernel.places(shape)
    new = kernel.load("%source", kind, shape)
    mask = kernel.define(f"arith.cmpi slt, {places}, {kernel.define(f'fsm.splat %end : {ints}')} : {ints}")
    held = kernel.load("%out", kind, shape)
    kernel.write(f"fsm.store {new}, %out[{places}], {mask}{hint} : {block(shape, kind)}, {pointer(kind)}, {ints}")
    some = kernel.define(f"arith.cmpi sgt, %end, {kernel.constant(0)} : i32")
    kernel.write(f"scf.if {some} {{")
    kernel.store(held, "%before", kind, shape, places)
    kernel.write("}")
    out = Out(kind, count)
    old, end = out.contents()[:count], count - 3
    after = np.where(np.arange(count) < end, data, old)
    return kernel.launch(f"held before{hint}", [out, In(kind, data), Out(kind, count), end], same((kind, after), (kind, old)))


def all_or_nothing(kind):
    """A mask of one i1 for all, offsets that go backward from the middle, and a scalar."""
    data = patterns(kind, 100, "all")
    kernel = Kernel(out="*" + kind, source="*" + kind, yes="i1")
    places = kernel.define(f"fsm.range -50, 50 : {block((100,), 'i32')}")
    back = kernel.define(f"arith.subi {kernel.constant(-1, shape=(100,))}, {places} : {block((100,), 'i32')}")
    value = kernel.load("%source", kind, (100,))
    no = kernel.define(f"arith.xori %yes, {kernel.constant('true', 'i1')} : i1")
    for number, condition in enumerate(("%yes", no)):
        target = kernel.moved("%out", kind, 50 + 100 * number)
        kernel.write(f"fsm.store {value}, {target}[{back}], {condition} : {block((100,), kind)}, {pointer(kind)}, "
                     f"{block((100,), 'i32')}, mask i1")
    kernel.store(kernel.load("%source", kind), kernel.moved("%out", kind, 200), kind)
    out = Out(kind, 201)
    expected = np.concatenate([data[::-1], out.contents()[100:200], data[:1]])
    return kernel.launch("all or nothing", [out, In(kind, data), 1], same((kind, expected)))


def equal_offsets(kind):
    """Of two values for one place either may be stored, and nothing else."""
    data = patterns(kind, 64, "equal")
    kernel = Kernel(out="*" + kind, source="*" + kind)
    places = kernel.define(f"arith.divsi {kernel.places((64,))}, {kernel.constant(2, shape=(64,))} : {block((64,), 'i32')}")
    kernel.store(kernel.load("%source", kind, (64,)), "%out", kind, (64,), places)

    class Either(Bits):
        def wrong(self, got, device):
            return (got != data[0::2]) & (got != data[1::2])
    check = Either(kind, data[0::2])
    return kernel.launch("equal offsets", [Out(kind, 32), In(kind, data)], check)


def true_is_one():
    kernel = Kernel(out="*i1", source="*i8")
    loaded = kernel.load("%source", "i8", (256,))
    zero = kernel.constant(0, "i8", (256,))
    kernel.store(kernel.define(f"arith.cmpi ne, {loaded}, {zero} : {block((256,), 'i8')}"), "%out", "i1", (256,))
    return kernel.launch("true is 1", [Out("i1", 256), In("i8", np.arange(256))],
                         same(("i1", (np.arange(256) > 0).astype(np.uint8))))


def pointers():
    """Two pointers are stored, the second one not, by its mask."""
    kernel = Kernel(out="*f32", table="*i64", no="i1")
    table = kernel.table()
    kernel.store(kernel.moved("%out", "f32", 1), table, "ptr")
    kernel.write(f"fsm.store {kernel.moved('%out', 'f32', 2)}, {table}, %no : {pointer('f32')}, {pointer('ptr')}")
    kernel.store(kernel.constant("2.5", "f32"), kernel.load(table, "ptr"), "f32")
    after = np.array([0, 2.5, 0], np.float32).view(np.uint32)
    return [kernel.launch("pointer", [Out("f32", 3, [0] * 3), In("i64", [0] * 4), 0], same(("f32", after)))]


def make(kind):
    if kind == formats.POINTER:
        return pointers()
    found = [masked(kind, *case) for case in masks.cases(masks.STORE_HINTS, kind)]
    found += windows.launches((windows.store, windows.copy), kind)
    turn = formats.ELEMENTS.index(kind)
    found += [held_before(kind, masks.STORE_HINTS[(turn + i) % len(masks.STORE_HINTS)], (32, 261)[i]) for i in range(2)]
    return found + [all_or_nothing(kind), equal_offsets(kind)] + ([true_is_one()] if kind == "i1" else [])


OP = Structured(formats.TYPES, make)
