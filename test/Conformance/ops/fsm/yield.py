"""The values of a region, each where it belongs: what the two tuples hold changes places in every combination."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, refused
from suite.launches import In, Out
from suite.shapes import same

COUNT = 37


def make(kind):
    """Of three operands the least key decides; two of them are the same block and must stay equal."""
    data, keys = patterns(kind, COUNT, "yield"), np.arange(COUNT, dtype=np.uint32) ^ 21
    kernel = Kernel(first="*" + kind, last="*" + kind, source="*" + kind, keys="*i32")
    names = f"{kernel.load('%source', kind, (COUNT,))}, {kernel.load('%keys', 'i32', (COUNT,))}"
    typed, word = block((COUNT,), kind), block((COUNT,), "i32")
    kernel.write(f"%r:4 = fsm.reduce_with {names}, {names} axis 0 : {typed}, {word}, {typed}, {word} -> "
                 f"{kind}, i32, {kind}, i32 {{",
                 f"^bb0(%a0: {kind}, %k0: i32, %b0: {kind}, %l0: i32, %a1: {kind}, %k1: i32, %b1: {kind}, %l1: i32):",
                 "%less = arith.cmpi slt, %k0, %k1 : i32", "%more = arith.cmpi sgt, %l0, %l1 : i32",
                 f"%a = arith.select %less, %a0, %a1 : {kind}", "%k = arith.select %less, %k0, %k1 : i32",
                 f"%b = arith.select %more, %b0, %b1 : {kind}", "%l = arith.select %more, %l0, %l1 : i32",
                 f"fsm.yield %a, %k, %b, %l : {kind}, i32, {kind}, i32", "}")
    kernel.store("%r#0", "%first", kind)
    kernel.store("%r#2", "%last", kind)
    return [kernel.launch("least and greatest", [Out(kind, 1), Out(kind, 1), In(kind, data), In("i32", keys)],
                          same((kind, data[keys.argmin()][None]), (kind, data[keys.argmax()][None])))]


def refuse(kind):
    text = formats.text_of(kind)
    kernel, number = refused(["%b = ub.poison : tensor<4xi32>", "%r = fsm.reduce_with %b axis 0 : tensor<4xi32> -> i32 {",
                              "^bb0(%a: i32, %c: i32):", f"%n = ub.poison : {text}", f"fsm.yield %n : {text}", "}"])
    yield kernel, number - 1


OP = Structured(formats.ELEMENTS, make, refuse)
