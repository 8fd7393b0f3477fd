"""Scalars and blocks under masks: what is off is `other` or zero, and is not touched wherever it would be."""

import numpy as np

from suite import formats, masks, windows
from suite.kernels import Kernel, Structured, block, patterns, pointer
from suite.launches import In, Out
from suite.shapes import same

OTHERS = ("none", "scalar", "block")


def masked(kind, shape, form, hint, number):
    """What is on comes from memory, of each program's own; the rest is zero or a number or one of a block."""
    other, (flag, flags, active, write) = OTHERS[number % len(OTHERS)], form(shape)
    data = patterns(kind, active.size, "load", shape).reshape(active.shape)
    text, bits = masks.other_of(kind)
    kernel = Kernel(out="*" + kind, source="*" + kind, flags="*" + flag)
    first = masks.first_of_program(kernel, shape)
    mask, offsets, width = write(kernel, first)
    operands = f"{kernel.moved('%source', kind, first)}[{offsets}], {mask}"
    types = f"{pointer(kind)}, {block(shape, width)}"
    if other != "none":
        operands += f", {kernel.constant(text, kind, shape if other == 'block' else ())}"
        types += f", other {block(shape, kind)}" if other == "block" else ""
    loaded = kernel.define(f"fsm.load {operands}{hint} : {types} -> {block(shape, kind)}")
    kernel.store(loaded, kernel.moved("%out", kind, first), kind, shape)
    expected = np.where(active, data, data.dtype.type(0 if other == "none" else bits))
    return kernel.launch(f"{form.__name__} {shape} other={other}{hint}", [Out(kind, data.size), In(kind, data), In(flag, flags)],
                         same((kind, expected)), grid=len(active))


def all_or_nothing(kind):
    """A mask of one i1 for all, offsets that repeat and go backward from the middle, and a scalar."""
    data = patterns(kind, 100, "all")
    kernel = Kernel(out="*" + kind, source="*" + kind, yes="i1")
    places = kernel.define(f"fsm.range -50, 50 : {block((100,), 'i32')}")
    halves = kernel.define(f"arith.divsi {places}, {kernel.constant(2, shape=(100,))} : {block((100,), 'i32')}")
    middle = kernel.moved("%source", kind, 50)
    no = kernel.define(f"arith.xori %yes, {kernel.constant('true', 'i1')} : i1")
    for number, condition in enumerate(("%yes", no)):
        types = f"{pointer(kind)}, {block((100,), 'i32')}, mask i1 -> {block((100,), kind)}"
        loaded = kernel.define(f"fsm.load {middle}[{halves}], {condition} : {types}")
        kernel.store(loaded, kernel.moved("%out", kind, 100 * number), kind, (100,))
    scalar = kernel.load(kernel.moved("%source", kind, 99), kind)
    kernel.store(scalar, kernel.moved("%out", kind, 200), kind)
    backward = data[50 + np.trunc(np.arange(-50, 50) / 2).astype(int)]
    expected = np.concatenate([backward, np.zeros_like(data), data[-1:]])
    return kernel.launch("all or nothing", [Out(kind, 201), In(kind, data), 1], same((kind, expected)))


def any_byte_is_true():
    kernel = Kernel(out="*i8", source="*i8")
    address = kernel.define(f"fsm.ptr_to_int %source : {pointer('i8')} -> i64")
    source = kernel.define(f"fsm.int_to_ptr {address} : i64 -> {pointer('i1')}")
    loaded = kernel.load(source, "i1", (256,))
    wide = kernel.define(f"arith.extui {loaded} : {block((256,), 'i1')} to {block((256,), 'i8')}")
    kernel.store(wide, "%out", "i8", (256,))
    return kernel.launch("any byte", [Out("i8", 256), In("i8", np.arange(256))],
                         same(("i8", (np.arange(256) > 0).astype(np.uint8))))


def pointers():
    """A pointer that was stored is loaded, under a mask that holds, and used."""
    kernel = Kernel(out="*f32", table="*i64", yes="i1")
    table = kernel.table()
    kernel.store(kernel.moved("%out", "f32", 3), table, "ptr")
    loaded = kernel.define(f"fsm.load {table}, %yes : {pointer('ptr')} -> {pointer('f32')}")
    kernel.store(kernel.constant("2.5", "f32"), loaded, "f32")
    after = np.array([0, 0, 0, 2.5, 0], np.float32).view(np.uint32)
    return [kernel.launch("pointer", [Out("f32", 5, [0] * 5), In("i64", [0] * 4), 1], same(("f32", after)))]


def make(kind):
    if kind == formats.POINTER:
        return pointers()
    found = [masked(kind, *case, number) for number, case in enumerate(masks.cases(masks.LOAD_HINTS, kind))]
    found += windows.launches((windows.load, windows.greatest, windows.copy), kind)
    return found + [all_or_nothing(kind)] + ([any_byte_is_true()] if kind == "i1" else [])


OP = Structured(formats.TYPES, make)
