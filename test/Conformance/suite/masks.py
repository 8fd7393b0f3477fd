"""Accesses under masks: the shapes, the masks and the hints that loads and stores are tried with."""

import numpy as np

from suite import formats, values
from suite.kernels import block, size

SHAPES = ((values.EXTENT,), (1, 1), (1, 1024), (3, 100), (8, 64), (33, 7), (2, 3, 4, 5))
LOAD_HINTS = ("", " cache = ca", " cache = cg", " cache = cs", " cache = cv", " evict = first", " evict = last", " evict = unkept",
              " cache = cg evict = last", " volatile")
STORE_HINTS = ("", " cache = wb", " cache = cg", " cache = cs", " cache = wt", " evict = first", " evict = last", " evict = unkept",
               " cache = cs evict = first", " volatile")
# Where masked-off elements would be: nobody's memory.
NOWHERE = 1 << 40
# How many rows and how many columns are active, in quarters: all, none, some.
QUARTERS = ((4, 4), (4, 3), (3, 4), (2, 1), (0, 4), (4, 0))


def cases(hints, kind):
    """Shape, form of the mask and hint; the hints in turns."""
    turn = formats.TYPES.index(kind)
    for number, (shape, form) in enumerate((shape, form) for shape in SHAPES for form in (scattered, bounded)):
        yield shape, form, hints[(number + turn) % len(hints)]


def scattered(shape):
    """Each program has another mask, of flags in memory; where they are off, the offset leads to nobody's memory."""
    active = np.stack([values.dice("mask", shape, part).random(shape) < part for part in (0.0, 0.5, 0.9, 1.0)])

    def write(kernel, first):
        flags = kernel.load(kernel.moved("%flags", "i1", first), "i1", shape)
        places = kernel.places(shape)
        wide = kernel.define(f"arith.extsi {places} : {block(shape, 'i32')} to {block(shape, 'i64')}")
        far = kernel.constant(NOWHERE, "i64", shape)
        offsets = kernel.define(f"arith.select {flags}, {wide}, {far} : {block(shape, 'i1')}, {block(shape, 'i64')}")
        return flags, offsets, "i64"
    return "i1", active.astype(np.uint8), active, write


def bounded(shape):
    """Each program has other numbers of rows and columns, which are compared with where an element is."""
    at, bounds, active = np.indices(shape), [], []
    for rows, columns in QUARTERS:
        bounds.append([-(-shape[0] * rows // 4), -(-shape[-1] * columns // 4)])
        active.append((at[0] < bounds[-1][0]) & (at[-1] < bounds[-1][1]))

    def write(kernel, _):
        program = kernel.define("fsm.program_id x : i32")
        pair = kernel.define(f"arith.muli {program}, {kernel.constant(2)} : i32")
        masks = []
        for number, axis in ((0, 0), (1, len(shape) - 1)):
            bound = kernel.load(kernel.moved(kernel.moved("%flags", "i32", pair), "i32", number), "i32")
            along = kernel.coordinates(shape, axis)
            limits = kernel.define(f"fsm.splat {bound} : {block(shape, 'i32')}")
            masks.append(kernel.define(f"arith.cmpi slt, {along}, {limits} : {block(shape, 'i32')}"))
        return kernel.define(f"arith.andi {masks[0]}, {masks[1]} : {block(shape, 'i1')}"), kernel.places(shape), "i32"
    return "i32", np.array(bounds, np.uint32), np.stack(active), write


def first_of_program(kernel, shape):
    program = kernel.define("fsm.program_id x : i32")
    return kernel.define(f"arith.muli {program}, {kernel.constant(size(shape))} overflow<nsw> : i32")


def other_of(kind):
    """A number for what is not loaded: its text and its bits."""
    if kind == "i1":
        return "true", 1
    number = 1.0 if formats.is_float(kind) else -3
    return str(number), formats.encode(number, kind)
