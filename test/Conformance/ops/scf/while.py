"""Loops that end when a condition says so, before the first time or later; they carry values of every type."""

from suite import formats
from suite.carried import pairs
from suite.kernels import Structured


def carries(pair):
    """The second value once the loop ran, the first one if it did not."""
    kernel, first, second, number = pair.kernel()
    zero, one = kernel.constant(0), kernel.constant(1)
    types = f"i32, {pair.type}"
    kernel.write(f"%r:2 = scf.while (%i = {zero}, %c = {first}) : ({types}) -> ({types}) {{",
                 f"%more = arith.cmpi slt, %i, {number} : i32", f"scf.condition(%more) %i, %c : {types}", "} do {",
                 f"^bb0(%j: i32, %d: {pair.type}):", f"%next = arith.addi %j, {one} : i32",
                 f"scf.yield %next, {second} : {types}", "}")
    pair.keep(kernel, "%r#1")
    return pair.launch(kernel, [0, 1, 5, -1], lambda n: [int(n > 0)])


OP = Structured(formats.TYPES, lambda kind: [carries(pair) for pair in pairs(kind)])
