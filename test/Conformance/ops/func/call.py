"""Helpers take and give blocks, scalars and pointers."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, pointer
from suite.launches import In, Out
from suite.shapes import same

SHAPE = (5, 7)


def helper(kind, tile, text):
    """Gives what it takes in another order; calls another one for the pointer."""
    return f"""func.func @moved(%p: {pointer(kind)}, %n: i32) -> {pointer(kind)} {{
  %q = fsm.offset %p, %n : {pointer(kind)}, i32
  func.return %q : {pointer(kind)}
}}
func.func @helper(%b: {tile}, %s: {text}, %p: {pointer(kind)}, %n: i32) -> ({text}, {pointer(kind)}, {tile}) {{
  %q = func.call @moved(%p, %n) : ({pointer(kind)}, i32) -> {pointer(kind)}
  func.return %s, %q, %b : {text}, {pointer(kind)}, {tile}
}}
"""


def make(kind):
    pointee = "f32" if kind == formats.POINTER else kind
    tile = block(SHAPE, pointee)
    data = patterns(pointee, 35, "call")
    kernel = Kernel(functions=helper(pointee, tile, pointee), out="*" + pointee, source="*" + pointee)
    loaded, scalar = kernel.load("%source", pointee, SHAPE), kernel.load("%source", pointee)
    types = f"{tile}, {pointee}, {pointer(pointee)}, i32"
    given = f"({types}) -> ({pointee}, {pointer(pointee)}, {tile})"
    kernel.write(f"%y:3 = func.call @helper({loaded}, {scalar}, %out, {kernel.constant(3)}) : {given}")
    kernel.store("%y#2", "%y#1", pointee, SHAPE)
    kernel.store("%y#0", "%out", pointee)
    out = Out(pointee, 38)
    expected = np.concatenate([data[:1], out.contents()[1:3], data])
    return [kernel.launch("helper", [out, In(pointee, data)], same((pointee, expected)))]


OP = Structured(formats.TYPES, make)
