"""Its values go to the second region, or are the loop's results: here in another order than they came."""

from suite import formats
from suite.carried import pairs
from suite.kernels import Structured


def swaps(pair):
    """Every condition swaps once, the second region does not."""
    kernel, first, second, number = pair.kernel()
    zero, one = kernel.constant(0), kernel.constant(1)
    types = f"i32, {pair.type}, {pair.type}"
    kernel.write(f"%r:3 = scf.while (%i = {zero}, %a = {first}, %b = {second}) : ({types}) -> ({types}) {{",
                 f"%more = arith.cmpi slt, %i, {number} : i32", f"scf.condition(%more) %i, %b, %a : {types}", "} do {",
                 f"^bb0(%j: i32, %c: {pair.type}, %d: {pair.type}):", f"%next = arith.addi %j, {one} : i32",
                 f"scf.yield %next, %c, %d : {types}", "}")
    pair.keep(kernel, "%r#1")
    pair.keep(kernel, "%r#2", 1)
    return pair.launch(kernel, [0, 1, 4], lambda n: [1 - n % 2, n % 2])


OP = Structured(formats.TYPES, lambda kind: [swaps(pair) for pair in pairs(kind, 2)])
