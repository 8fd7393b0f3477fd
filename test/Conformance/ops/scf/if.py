"""One of two regions, with values of every type and without; a region inside of another."""

from suite import formats
from suite.carried import pairs
from suite.kernels import Structured


def chosen(pair):
    """if outer { if inner { first } else { second } } else { second }, the second time by stores. The lowest bits of
    a program's number are the conditions."""
    kernel, first, second, number = pair.kernel()
    outer = kernel.define(f"arith.trunci {number} : i32 to i1")
    inner = kernel.define(f"arith.cmpi uge, {number}, {kernel.constant(2)} : i32")
    kernel.write(f"%r = scf.if {outer} -> ({pair.type}) {{", f"%s = scf.if {inner} -> ({pair.type}) {{",
                 f"scf.yield {first} : {pair.type}", "} else {", f"scf.yield {second} : {pair.type}", "}",
                 f"scf.yield %s : {pair.type}", "} else {", f"scf.yield {second} : {pair.type}", "}")
    pair.keep(kernel, "%r")
    pair.keep(kernel, second, 1)
    kernel.write(f"scf.if {outer} {{")
    pair.keep(kernel, first, 1)
    kernel.write("}")
    return pair.launch(kernel, [0, 1, 2, 3], lambda n: (0 if n == 3 else 1, 1 - n % 2))


OP = Structured(formats.TYPES, lambda kind: [chosen(pair) for pair in pairs(kind, 2)])
