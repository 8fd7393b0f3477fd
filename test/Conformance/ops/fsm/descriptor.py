"""Descriptors that helpers make and take, of pointers that moved and of pointers in memory."""

import numpy as np

from suite import formats, tiles
from suite.kernels import Kernel, Structured, block, patterns, pointer
from suite.launches import In, Out
from suite.shapes import same

TYPE = "!fsm.descriptor<2 x {}>"
HELPERS = """func.func private @made(%p: !fsm.ptr<{0}>, %rows: i32) -> !fsm.descriptor<2 x {0}> {{
  %d = fsm.descriptor %p sizes [%rows, 7] strides [10, 1] : !fsm.ptr<{0}> -> !fsm.descriptor<2 x {0}>
  func.return %d : !fsm.descriptor<2 x {0}>
}}
func.func private @read(%d: !fsm.descriptor<2 x {0}>, %row: i32) -> tensor<4x16x{0}> {{
  %x = fsm.load_tile %d[%row, -2] : !fsm.descriptor<2 x {0}> -> tensor<4x16x{0}>
  func.return %x : tensor<4x16x{0}>
}}
"""


def through_helpers(kind):
    """Rows of 7 that are 10 apart, behind 3 elements; the last of 5 rows and what is below."""
    text = formats.text_of(kind)
    data = patterns(kind, 53, "descriptor")
    kernel = Kernel(functions=HELPERS.format(text), out="*" + kind, source="*" + kind, rows="i32", row="i32")
    moved = kernel.moved("%source", kind, 3)
    tensor = kernel.define(f"func.call @made({moved}, %rows) : ({pointer(kind)}, i32) -> {TYPE.format(text)}")
    tile = kernel.define(f"func.call @read({tensor}, %row) : ({TYPE.format(text)}, i32) -> {block((4, 16), kind)}")
    kernel.store(tile, "%out", kind, (4, 16))
    expected = np.zeros((4, 16), data.dtype)
    expected[0, 2:9] = data[43:50]
    return kernel.launch("helpers", [Out(kind, 64), In(kind, data), 5, 4], same((kind, expected)))


def in_place(kind):
    """What a helper's descriptor reads, another one writes to the same array, which a launch has to bring."""
    text = formats.text_of(kind)
    data = patterns(kind, 53, "in place")
    kernel = Kernel(functions=HELPERS.format(text), source="*" + kind, rows="i32", row="i32")
    tensor = kernel.define(f"func.call @made(%source, %rows) : ({pointer(kind)}, i32) -> {TYPE.format(text)}")
    kernel.write(f"%tile = fsm.load_tile {tensor}[%row, 0] : {TYPE.format(text)} -> {block((1, 8), kind)}",
                 f"%d = fsm.descriptor %source sizes [5, 7] strides [10, 1] : {pointer(kind)} -> {TYPE.format(text)}",
                 f"fsm.store_tile %tile, %d[1, -1] : {block((1, 8), kind)}, {TYPE.format(text)}")
    expected = data.copy()
    expected[10:16], expected[16] = data[41:47], 0
    return kernel.launch("in place", [Out(kind, 53, data), 5, 4], same((kind, expected)))


def of_loaded_pointer(kind):
    """The pointer comes out of memory, and is another one in each iteration."""
    text = formats.text_of(kind)
    kernel = Kernel(out="*" + kind, table="*i64", count="i32")
    table = kernel.table()
    for number in range(2):
        at = kernel.define(f"fsm.ptr_to_int {kernel.moved('%out', kind, 20 * number)} : {pointer(kind)} -> i64")
        kernel.store(kernel.define(f"fsm.int_to_ptr {at} : i64 -> {pointer('f32')}"),
                     kernel.moved(table, formats.POINTER, number), "ptr")
    kernel.write("%none = arith.constant 0 : i32", "%one = arith.constant 1 : i32", "scf.for %i = %none to %count step %one : i32 {")
    place = kernel.moved(table, formats.POINTER, "%i")
    address = kernel.define(f"fsm.load {place} : {pointer('ptr')} -> {pointer('f32')}")
    number = kernel.define(f"fsm.ptr_to_int {address} : {pointer('f32')} -> i64")
    base = kernel.define(f"fsm.int_to_ptr {number} : i64 -> {pointer(kind)}")
    kernel.write(f"%d = fsm.descriptor {base} sizes [2, 5] strides [6, 1] : {pointer(kind)} -> {TYPE.format(text)}",
                 f"%tile = fsm.load_tile %d[1, 0] : {TYPE.format(text)} -> {block((1, 8), kind)}",
                 f"fsm.store_tile %tile, %d[0, 0] : {block((1, 8), kind)}, {TYPE.format(text)}", "}")
    before = patterns(kind, 40, "table")
    expected = before.copy()
    for begin in (0, 20):
        expected[begin:begin + 5] = before[begin + 6:begin + 11]
    return kernel.launch("loaded pointer", [Out(kind, 40, before), In("i64", [0] * 4), 2], same((kind, expected)))


def make(kind):
    return [through_helpers(kind), in_place(kind), of_loaded_pointer(kind)]


OP = Structured(formats.ELEMENTS, make, tiles.refuse)
