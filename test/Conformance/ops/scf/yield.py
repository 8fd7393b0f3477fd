"""All values are handed on at once: two that change places do not overwrite each other."""

from suite import formats
from suite.carried import pairs
from suite.kernels import Structured


def swaps(pair):
    """A loop swaps in each iteration, and a branch once more if the number is odd."""
    kernel, first, second, number = pair.kernel()
    zero, one = kernel.constant(0), kernel.constant(1)
    types = f"{pair.type}, {pair.type}"
    kernel.write(f"%r:2 = scf.for %i = {zero} to {number} step {one} iter_args(%a = {first}, %b = {second}) -> ({types}) "
                 ": i32 {", f"scf.yield %b, %a : {types}", "}",
                 f"%odd = arith.trunci {number} : i32 to i1", f"%s:2 = scf.if %odd -> ({types}) {{",
                 f"scf.yield %r#1, %r#0 : {types}", "} else {", f"scf.yield %r#0, %r#1 : {types}", "}")
    for place, value in enumerate(("%r#0", "%r#1", "%s#0", "%s#1")):
        pair.keep(kernel, value, place)
    return pair.launch(kernel, [0, 1, 4, 5], lambda n: [n % 2, 1 - n % 2, 0, 1])


OP = Structured(formats.TYPES, lambda kind: [swaps(pair) for pair in pairs(kind, 4)])
