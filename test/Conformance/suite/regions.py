"""Reductions and scans by a region: tuples of an element and its number, combined in ways that show every fault.

The values of a type are compared by their number only, so that each type can be moved by a region.
"""

import numpy as np

from suite import formats
from suite.kernels import Kernel, block, patterns, refused, size
from suite.launches import In, Out
from suite.shapes import same

PLACES = (((37,), 0), ((5, 37), 1), ((5, 37), 0), ((300,), 0), ((3, 4, 17), 1), ((1,), 0), ((130, 3), 0))


def places(kind):
    """Three for all, one in turns."""
    return PLACES[:3] + (PLACES[3 + formats.ELEMENTS.index(kind) % 4],)


def keys_of(shape, kind):
    """Numbers in some order, each once."""
    order = np.random.default_rng(formats.ELEMENTS.index(kind) + size(shape)).permutation(size(shape))
    return order.astype(np.uint32).reshape(shape)


def region(kind, swapped):
    """The tuple with the lower key; with `swapped` the order of the operands in it."""
    first, second = ("key", "value") if swapped else ("value", "key")
    types = {"value": kind, "key": "i32"}
    return [f"^bb0(%{first}0: {types[first]}, %{second}0: {types[second]}, %{first}1: {types[first]}, %{second}1: {types[second]}):",
            "%less = arith.cmpi slt, %key0, %key1 : i32",
            f"%value = arith.select %less, %value0, %value1 : {kind}",
            "%key = arith.select %less, %key0, %key1 : i32",
            f"fsm.yield %{first}, %{second} : {types[first]}, {types[second]}"]


def least(kind, shape, axis, swapped):
    """The element with the least key along an axis, and that key."""
    keys, data = keys_of(shape, kind), patterns(kind, size(shape), "least", shape).reshape(shape)
    rest = shape[:axis] + shape[axis + 1:]
    kernel = Kernel(out="*" + kind, least="*i32", source="*" + kind, keys="*i32")
    names = [kernel.load("%source", kind, shape), kernel.load("%keys", "i32", shape)]
    types, results = [block(shape, kind), block(shape, "i32")], [block(rest, kind), block(rest, "i32")]
    order = slice(None, None, -1 if swapped else 1)
    kernel.write(f"%r:2 = fsm.reduce_with {', '.join(names[order])} axis {axis} : {', '.join(types[order])} -> "
                 f"{', '.join(results[order])} {{", *region(kind, swapped), "}")
    kernel.store(f"%r#{int(swapped)}", "%out", kind, rest)
    kernel.store(f"%r#{int(not swapped)}", "%least", "i32", rest)
    at = np.expand_dims(keys.argmin(axis), axis)
    answers = np.take_along_axis(data, at, axis), np.take_along_axis(keys, at, axis)
    return kernel.launch(f"least {shape} axis {axis} swapped={swapped}",
                         [Out(kind, answers[0].size), Out("i32", answers[1].size), In(kind, data), In("i32", keys)],
                         same((kind, answers[0]), ("i32", answers[1])))


def latest(kind, shape, axis, reverse):
    """A region that is associative and not commutative: the second tuple, unless its flag is off. So each element
    becomes the last one before it (or behind it) whose flag is on."""
    data = patterns(kind, size(shape), "latest", shape).reshape(shape)
    flags = (keys_of(shape, kind) % 3 == 0).astype(np.uint8)
    kernel = Kernel(out="*" + kind, on="*i1", source="*" + kind, flags="*i1")
    names = f"{kernel.load('%source', kind, shape)}, {kernel.load('%flags', 'i1', shape)}"
    kernel.write(f"%r:2 = fsm.scan_with {names} axis {axis}{' reverse' * reverse} : {block(shape, kind)}, "
                 f"{block(shape, 'i1')} {{", f"^bb0(%value0: {kind}, %flag0: i1, %value1: {kind}, %flag1: i1):",
                 f"%value = arith.select %flag1, %value1, %value0 : {kind}", "%flag = arith.ori %flag0, %flag1 : i1",
                 f"fsm.yield %value, %flag : {kind}, i1", "}")
    kernel.store("%r#0", "%out", kind, shape)
    kernel.store("%r#1", "%on", "i1", shape)
    rows, marks = (np.moveaxis(array, axis, -1).copy() for array in (data, flags))
    if reverse:
        rows, marks = rows[..., ::-1].copy(), marks[..., ::-1].copy()
    for place in range(1, rows.shape[-1]):
        rows[..., place] = np.where(marks[..., place] != 0, rows[..., place], rows[..., place - 1])
        marks[..., place] |= marks[..., place - 1]
    if reverse:
        rows, marks = rows[..., ::-1], marks[..., ::-1]
    answers = np.moveaxis(rows, -1, axis), np.moveaxis(marks, -1, axis)
    return kernel.launch(f"latest {shape} axis {axis}{' reverse' * reverse}",
                         [Out(kind, data.size), Out("i1", data.size), In(kind, data), In("i1", flags)],
                         same((kind, answers[0]), ("i1", answers[1])))


def refuse(name, result):
    """The op on a block of pointers."""
    def of(kind):
        text = formats.text_of(kind)
        line = f"%r = {name} %p axis 0 : tensor<4x{text}>{result.format(text)} {{"
        text, number = refused([line, f"^bb0(%a: {text}, %b: {text}):", f"fsm.yield %a : {text}", "}"], p=kind)
        yield text, number - 3
    return of
