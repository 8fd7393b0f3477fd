"""Scans of blocks with several long dimensions, which the compiler walks by itself, against NumPy.

Usage: scans_of_tables.py FSM_RUN [--devices=cpu,interp,cuda,sim] [--deal] [--jobs=N] [--whole].

Up to 2^20 elements, along each axis, both ways; a kind and a type in turn, with --whole all of them. Sums along two axes go on from one
piece to the next whichever dimension is walked; the simulator takes a minute for the largest.
"""

import functools
import sys

import numpy as np

import scans
from device import STORAGE
from reductions import INTEGER_KINDS

SHAPES = ((1024, 1024), (64, 128, 128), (300, 700))
INTEGERS, FLOATS = ("i32", "i8", "i64", "i16"), ("f32", "f16", "f64", "bf16")


def form(shape, axis):
    numbers = scans.scan_form(shape, axis)
    numbers.pop("PIECE")
    return numbers


def integers(type_name, shape, generator):
    info = np.iinfo(STORAGE[type_name])
    return generator.integers(info.min, info.max, shape, STORAGE[type_name], endpoint=True)


def check(kernel, kind, type_name, shape, axis, data, count, **more):
    file = "scan-table-with.mlir" if kernel == "last" else "scan-table.mlir"
    if kind:
        more["KIND"] = kind
    return scans.Check(f"{kernel} {kind} {type_name} {shape} axis {axis}", file, kernel, [(data, type_name)], (type_name, data.size), count,
                       T=type_name, **form(shape, axis), **more)


def one_way(kind, type_name, shape, axis, reverse, generator):
    kernel = "reverse" if reverse else "forward"
    if type_name in FLOATS:
        data = scans.float_data(type_name, shape, "factors" if kind == "prod" else "random", generator)
        return check(kernel, kind, type_name, shape, axis, data, scans.float_scan(kind, type_name, data, axis, reverse))
    data = integers(type_name, shape, generator)
    answer = scans.integer_scan(kind, data, axis, reverse)
    return check(kernel, kind, type_name, shape, axis, data, functools.partial(scans.changed, answer=answer, kind=type_name))


def both_axes(kind, type_name, shape, axis, generator):
    data, other = integers(type_name, shape, generator), (axis + 1) % len(shape)
    answer = scans.integer_scan(kind, scans.integer_scan(kind, data, axis, False), other, True)
    return check("across", kind, type_name, shape, axis, data, functools.partial(scans.changed, answer=answer, kind=type_name), OTHER=other)


def last_odd(type_name, shape, axis, generator):
    data = integers(type_name, shape, generator)
    answer = scans.last_marked(data, data & 1 == 1, axis, False)
    return check("last", "", type_name, shape, axis, data, functools.partial(scans.changed, answer=answer, kind=type_name))


def checks():
    generator = np.random.default_rng(109)
    is_whole, number = "--whole" in sys.argv, 0
    kinds = [(kind, name) for kind in INTEGER_KINDS for name in INTEGERS] + [
        (kind, name) for kind in ("sum", "prod", "max", "min") for name in FLOATS]
    for shape in SHAPES:
        for axis in range(len(shape)):
            for reverse in (False, True):
                number += 1
                for kind, name in kinds if is_whole else (kinds[7 * number % len(kinds)],):
                    yield one_way(kind, name, shape, axis, reverse, generator)
        for axis in range(len(shape) if is_whole else 1):
            if is_whole or shape == SHAPES[-1]:
                yield both_axes("sum", INTEGERS[axis], shape, axis, generator)
            yield last_odd(INTEGERS[axis], shape, axis, generator)


if __name__ == "__main__":
    scans.checks = checks
    sys.exit(scans.main())
