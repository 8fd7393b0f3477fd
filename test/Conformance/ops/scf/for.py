"""Loops carry values of every type and count in every integer type; they end where the next number is past the bound,
also where that number does not fit the type."""

import numpy as np

from suite import formats
from suite.carried import pairs
from suite.kernels import Kernel, Structured
from suite.launches import In, Out
from suite.shapes import same

TRIPS = [0, 1, 2, 7, -1]
PLACES = 8


def carries(pair):
    """The second value from the second iteration on."""
    kernel, first, second, number = pair.kernel()
    zero, one = kernel.constant(0), kernel.constant(1)
    kernel.write(f"%r = scf.for %i = {zero} to {number} step {one} iter_args(%c = {first}) -> ({pair.type}) : i32 {{")
    later = kernel.define(f"arith.cmpi sge, %i, {one} : i32")
    kernel.write(f"%next = arith.select {later}, {second}, %c : {pair.type}", f"scf.yield %next : {pair.type}", "}")
    pair.keep(kernel, "%r")
    return pair.launch(kernel, TRIPS, lambda n: [int(n > 1)])


def counts(kind):
    """Each program writes down the numbers of another loop."""
    top = (1 << (formats.WIDTH[kind] - 1)) - 1
    loops = [(0, 5, 1), (5, 0, 1), (3, 3, 1), (-top - 1, -top + 2, 1), (top - 5, top, 2), (top - 3, top, 3), (-3, 4, 3),
             (-top - 1, top, top), (top - 1, top, top)]
    kernel = Kernel(out="*i64", trips="*i32", bounds="*" + kind)
    program = kernel.define("fsm.program_id x : i32")
    place = kernel.define(f"arith.muli {program}, {kernel.constant(PLACES)} : i32")
    target, mine = kernel.moved("%out", "i64", place), kernel.define(f"arith.muli {program}, {kernel.constant(3)} : i32")
    bounds = kernel.moved("%bounds", kind, mine)
    first, end, step = (kernel.load(kernel.moved(bounds, kind, i), kind) for i in range(3))
    zero, one = kernel.constant(0), kernel.constant(1)
    kernel.write(f"%r = scf.for %i = {first} to {end} step {step} iter_args(%c = {zero}) -> (i32) : {kind} {{")
    wide = "%i" if kind == "i64" else kernel.define(f"arith.extsi %i : {kind} to i64")
    kernel.store(wide, kernel.moved(target, "i64", "%c"), "i64")
    kernel.write(f"%next = arith.addi %c, {one} : i32", "scf.yield %next : i32", "}")
    kernel.store("%r", kernel.moved("%trips", "i32", program), "i32")
    out = Out("i64", PLACES * len(loops))
    answer, numbers = out.contents()[:out.count].reshape(-1, PLACES), [list(range(*loop)) for loop in loops]
    for row, counted in zip(answer, numbers):
        row[:len(counted)] = np.array(counted, np.int64).view(np.uint64)
    trips = np.array([len(counted) for counted in numbers], np.uint32)
    bits = [formats.encode(number, kind) for loop in loops for number in loop]
    return kernel.launch("counts", [out, Out("i32", trips.size), In(kind, bits)], same(("i64", answer), ("i32", trips)),
                         grid=len(loops))


OP = Structured(formats.TYPES, lambda kind: [carries(pair) for pair in pairs(kind)]
                + ([counts(kind)] if kind in formats.INTEGERS else []))
