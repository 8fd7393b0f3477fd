"""Scans, and reductions and scans of tuples by a region, on every device, against NumPy and plain Python.

Usage: scans.py FSM_RUN [--devices=cpu,interp,cuda,sim] [--jobs=N] [--deal] [--piece=N].

Kinds x types x shapes of rank 1 to 3 x axes x directions, with the numbers of warps in turn. Float sums and products are
compared within a bound derived from the magnitudes; everything else is exact. Recurrences and the choice of the last marked
element do not commute: they prove the order. With --piece only scans, and on a GPU blocks of more elements along a dimension are
walked in pieces of so many.
"""

import functools
import itertools
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, from_float64, perform_all, run, to_float64
from elementwise import pick
from reductions import EPSILON, INTEGER_KINDS, WARPS

HERE = pathlib.Path(__file__).parent / "Inputs"
# Elements of a block, at most, and those of a piece along a dimension; of none, 0.
MOST, PIECE = 1 << 20, int(next((word[len("--piece="):] for word in sys.argv if word.startswith("--piece=")), 0))
SHAPES = ((37,), (1,), (1000,), (64, 8), (5, 37), (3, 300), (130, 2), (4, 6, 8), (3, 5, 7), (2, 40, 3))


class Check:
    """One launch: the kernel, its input arrays with their types, and what is wrong with an output."""

    def __init__(self, name, file, kernel, inputs, output, count, **parameters):
        self.name, self.file, self.kernel, self.inputs = name, file, kernel, inputs
        self.output, self.count, self.parameters = output, count, parameters


def form(shape, axis):
    return {"N": math.prod(shape), "SHAPE": "x".join(map(str, shape)), "AXIS": axis}


def scan_form(shape, axis):
    """The numbers of a scan's file; of one that is not walked no block is longer than a piece."""
    strides = [math.prod(shape[dim + 1:]) for dim in range(len(shape))]
    return {"SHAPE": "x".join(map(str, shape)), "AXIS": axis, "STRIDES": ", ".join(map(str, strides)), "PIECE": PIECE or MOST}


def turned(data, axis, reverse):
    """The axis in front, in the direction of the scan."""
    lines = np.moveaxis(data, axis, 0)
    return lines[::-1] if reverse else lines


def along(step, data, axis, reverse):
    """Runs `step` over the slices along the axis and keeps each result."""
    lines = turned(data, axis, reverse)
    results = np.stack(list(itertools.accumulate(lines, step)))
    return np.moveaxis(results[::-1] if reverse else results, 0, axis)


#
# fsm.scan
#

def integer_scan(kind, data, axis, reverse):
    bits = np.iinfo(data.dtype).bits
    mask = (1 << bits) - 1

    def step(x, y):
        wrapped = INTEGER_KINDS[kind](int(x), int(y), u=lambda v: v & mask) & mask
        return wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped
    return along(np.frompyfunc(step, 2, 1), data.astype(object), axis, reverse).astype(data.dtype)


def float_data(kind, shape, variant, generator):
    data = generator.standard_normal(shape)
    if variant == "factors":
        data = np.copysign(1 + data / 10, data)
    flat = data.reshape(-1)
    if variant == "nan":
        flat[[0, len(flat) // 2]] = math.nan
    elif variant == "infinities":
        flat[len(flat) // 3], flat[-1] = -math.inf, math.inf
    elif variant == "zeros":
        flat[:] = -0.0
        flat[len(flat) // 3] = 0.0
    return from_float64(data, kind)


def close(got, answer, bound, kind):
    """How many elements are further from float64 answers than accumulation and one rounding may bring them."""
    wide, answer = to_float64(got, kind).reshape(-1), answer.reshape(-1)
    with np.errstate(all="ignore"):
        accumulator = EPSILON["f64"] if kind == "f64" else EPSILON["f32"]
        # Half a denormal of f16 more: the others' are out of reach.
        allowed = accumulator * bound.reshape(-1) + EPSILON[kind] * np.abs(answer) * 1.001
        allowed += 2.0 ** -25 * (kind == "f16")
        fits = (np.abs(wide - answer) <= allowed) | (wide == answer) | (np.isnan(wide) & np.isnan(answer))
    return int((~fits).sum())


def same(got, answer, kind):
    """How many differ; NaN equals NaN, and a zero has its sign."""
    with np.errstate(invalid="ignore"):
        got, answer = to_float64(got, kind).reshape(-1), to_float64(answer, kind).reshape(-1)
    equal = (got == answer) & (np.signbit(got) == np.signbit(answer)) | (np.isnan(got) & np.isnan(answer))
    return int((~equal).sum())


def float_scan(kind, type_name, data, axis, reverse):
    """A counter of wrong elements."""
    wide = to_float64(data, type_name)
    with np.errstate(all="ignore"):
        if kind in ("sum", "prod"):
            operation = np.add if kind == "sum" else np.multiply
            answer = along(operation, wide, axis, reverse)
            sizes = along(np.add, np.abs(wide), axis, reverse) if kind == "sum" else np.abs(answer)
            return functools.partial(close, answer=answer, bound=sizes * wide.shape[axis], kind=type_name)
        step = pick(max if kind == "max" else min, False)
        return functools.partial(same, answer=from_float64(along(step, wide, axis, reverse), type_name), kind=type_name)


def scan_checks(generator):
    cases = itertools.product(SHAPES, (False, True), ("i8", "i32", "i64", "f16", "bf16", "f32", "f64"))
    for number, (shape, reverse, type_name) in enumerate(cases):
        axis = (number // 2) % len(shape)
        is_float = "f" in type_name
        kinds = ("sum", "prod", "max", "min") if is_float else tuple(INTEGER_KINDS)
        # All kinds for one shape and direction, elsewhere one or two in turn.
        if shape != (5, 37) or reverse:
            kinds = (kinds[number % len(kinds)], "sum") if number % 3 == 0 else (kinds[number % len(kinds)],)
        for kind in dict.fromkeys(kinds):
            variant = ("random", "nan", "zeros", "infinities")[number % 4] if is_float else "random"
            variant = "factors" if kind == "prod" else variant
            if is_float:
                data = float_data(type_name, shape, variant, generator)
                count = float_scan(kind, type_name, data, axis, reverse)
            else:
                info = np.iinfo(STORAGE[type_name])
                data = generator.integers(info.min, info.max, shape, STORAGE[type_name], endpoint=True)
                answer = integer_scan(kind, data, axis, reverse)
                count = functools.partial(changed, answer=answer, kind=type_name)
            kernel = "reverse" if reverse else "forward"
            if reverse and not is_float and len(shape) > 1:
                other = (axis + 1) % len(shape)
                twice = integer_scan(kind, integer_scan(kind, data, axis, False), other, True)
                yield Check(f"across {kind} {type_name} {shape} axes {axis}, {other}", "scan.mlir", "across", [(data, type_name)],
                            (type_name, data.size), functools.partial(changed, answer=twice, kind=type_name), KIND=kind,
                            T=type_name, OTHER=other, **scan_form(shape, axis))
            if reverse and not is_float:
                twice = integer_scan(kind, integer_scan(kind, data, axis, False), axis, True)
                yield Check(f"both {kind} {type_name} {shape} axis {axis}", "scan.mlir", "both", [(data, type_name)],
                            (type_name, data.size), functools.partial(changed, answer=twice, kind=type_name), KIND=kind,
                            T=type_name, **scan_form(shape, axis))
            yield Check(f"{kernel} {kind} {type_name} {shape} axis {axis} {variant}", "scan.mlir", kernel,
                        [(data, type_name)], (type_name, data.size), count, KIND=kind, T=type_name, **scan_form(shape, axis))


#
# fsm.scan_with
#

def bits_of(type_name, shape, generator):
    """Random bits, of bf16 many denormals."""
    count = math.prod(shape) * np.dtype(STORAGE[type_name]).itemsize
    data = np.frombuffer(generator.bytes(count), STORAGE[type_name]).copy()
    if type_name == "bf16":
        data[::3] &= 0x807F
    return data.reshape(shape)


def changed(got, answer, kind):
    """How many elements that were moved are others; a NaN may become another one."""
    if "f" in kind:
        return same(got, answer, kind)
    return int((got.reshape(-1) != answer.reshape(-1)).sum())


def last_marked(data, flags, axis, reverse):
    """A tuple's element is replaced by the next one that is marked."""
    lines, marks = turned(data, axis, reverse).copy(), turned(flags, axis, reverse)
    for i in range(1, len(lines)):
        lines[i] = np.where(marks[i], lines[i], lines[i - 1])
    return np.moveaxis(lines[::-1] if reverse else lines, 0, axis)


def recurrence(a, b, axis, reverse):
    """x = a x + b modulo 2^bits, with the product of all a."""
    a, b = turned(a, axis, reverse).copy(), turned(b, axis, reverse).copy()
    with np.errstate(over="ignore"):
        for i in range(1, len(a)):
            b[i] = a[i] * b[i - 1] + b[i]
            a[i] = a[i] * a[i - 1]
    back = [np.moveaxis(x[::-1] if reverse else x, 0, axis) for x in (a, b)]
    return np.concatenate([x.reshape(-1) for x in back])


def scan_with_checks(generator):
    for number, (shape, reverse) in enumerate(itertools.product(SHAPES, (False, True))):
        suffix = "_reverse" if reverse else ""
        for axis in range(len(shape)):
            type_name = tuple(STORAGE)[(number + 3 * axis) % len(STORAGE)]
            data, flags = bits_of(type_name, shape, generator), generator.integers(0, 5, shape) == 0
            answer = last_marked(data, flags, axis, reverse)
            yield Check(f"last{suffix} {type_name} {shape} axis {axis}", "scan-with.mlir", f"last{suffix}",
                        [(data, type_name), (flags, "i1")], (type_name, data.size),
                        functools.partial(changed, answer=answer, kind=type_name), T=type_name, **scan_form(shape, axis))
            integer = ("i8", "i16", "i32", "i64")[(number + axis) % 4]
            a, b = bits_of(integer, shape, generator) | 1, bits_of(integer, shape, generator)
            yield Check(f"recurrence{suffix} {integer} {shape} axis {axis}", "recurrence.mlir", f"recurrence{suffix}",
                        [(a, integer), (b, integer)], (integer, 2 * a.size),
                        functools.partial(changed, answer=recurrence(a, b, axis, reverse), kind=integer), T=integer,
                        N=a.size, **scan_form(shape, axis))


#
# fsm.reduce_with
#

def reduce_form(shape, axis):
    left = shape[:axis] + shape[axis + 1:]
    return {**form(shape, axis), "RN": math.prod(left), "RSHAPE": "x".join(map(str, left))}


def pick_check(generator, shape, axis, type_name):
    data, keys = bits_of(type_name, shape, generator), generator.permutation(math.prod(shape)).reshape(shape)
    answer = np.take_along_axis(data, np.expand_dims(keys.argmax(axis), axis), axis)
    return Check(f"pick {type_name} {shape} axis {axis}", "pick.mlir", "pick",
                 [(data, type_name), (keys.astype(np.int32), "i32")], (type_name, answer.size),
                 functools.partial(changed, answer=answer, kind=type_name), T=type_name, **reduce_form(shape, axis))


def extremum_check(generator, shape, axis, type_name, kernel):
    """Few different numbers, so that most extrema occur several times."""
    data = from_float64(generator.integers(-2, 3, shape), type_name)
    wide, ids = to_float64(data, type_name), np.arange(data.size).reshape(shape)
    at = np.expand_dims(wide.argmax(axis) if kernel.startswith("argmax") else wide.argmin(axis), axis)
    answer = np.take_along_axis(ids, at, axis).astype(np.int32)
    # The file's other kernels have to be right as well.
    parameters = reduce_form((1, *shape), 1) if kernel.endswith("all") else reduce_form(shape, axis)
    return Check(f"{kernel} {type_name} {shape} axis {axis}", "reduce-with.mlir", kernel, [(data, type_name)],
                 ("i32", answer.size), functools.partial(changed, answer=answer, kind="i32"), T=type_name, **parameters)


def sections(got, answers, tolerance):
    """How many numbers are further from the answers than the tolerance times what is given with these."""
    wrong = 0
    for part, (answer, size) in zip(np.split(got.astype(np.float64), len(answers)), answers):
        wrong += int((~(np.abs(part - answer.reshape(-1)) <= tolerance * size.reshape(-1))).sum())
    return wrong


def statistics_check(generator, shape, axis, type_name, kernel):
    data = (generator.standard_normal(shape) + 3).astype(STORAGE[type_name])
    wide, count = data.astype(np.float64), shape[axis]
    if kernel == "welford":
        mean, size = wide.mean(axis), np.abs(wide).sum(axis)
        squares = ((wide - np.expand_dims(mean, axis)) ** 2).sum(axis)
        counts = np.full_like(mean, count)
        # Each step rounds numbers no greater than these a few times.
        answers = ((mean, size), (squares, squares * count + size + 1), (counts, 0 * counts))
    else:
        most = wide.max(axis)
        total = np.exp(wide - np.expand_dims(most, axis)).sum(axis)
        answers = ((most, 0 * most), (total, total * count + 8 * total))
    return Check(f"{kernel} {type_name} {shape} axis {axis}", "reduce-with.mlir", kernel, [(data, type_name)],
                 (type_name, len(answers) * answers[0][0].size),
                 functools.partial(sections, answers=answers, tolerance=8 * EPSILON[type_name]), T=type_name,
                 **reduce_form(shape, axis))


def reduce_with_checks(generator):
    for number, shape in enumerate(SHAPES):
        floats = tuple(EPSILON)
        if len(shape) == 1:
            for type_name in floats:
                yield extremum_check(generator, shape, 0, type_name, "argmax_all")
            # A dimension of 1 in front, to have a block that is left.
            shape = (1, *shape)
        for axis in range(len(shape)):
            yield pick_check(generator, shape, axis, tuple(STORAGE)[(number + axis) % len(STORAGE)])
            for kernel in ("argmax", "argmin"):
                yield extremum_check(generator, shape, axis, floats[(number + axis) % 4], kernel)
            for kernel in ("welford", "max_sum"):
                yield statistics_check(generator, shape, axis, ("f32", "f64")[number % 4 == 3], kernel)


def checks():
    generator = np.random.default_rng(11)
    yield from scan_checks(generator)
    yield from scan_with_checks(generator)
    if not PIECE:
        yield from reduce_with_checks(generator)


def perform(fsm_run, device, warps, check):
    """What is wrong, or nothing."""
    title = f"{check.name} {device}" + (f" {warps} warps" if warps else "")
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for index, (array, type_name) in enumerate(check.inputs):
            file = pathlib.Path(folder) / f"array{index}.npy"
            np.save(file, array)
            arguments.append(("bf16:" if type_name == "bf16" else "") + f"@{file}")
        try:
            got = run(fsm_run, HERE / check.file, device, check.output[0], [], (check.output[1],), folder,
                      scalars=arguments, kernel=check.kernel, parameters=check.parameters, num_warps=warps)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            return f"{title}: {error}"
    wrong = check.count(got)
    return f"{title}: {wrong} wrong" if wrong else ""


def perform_one(fsm_run, case):
    index, check, device = case
    return perform(fsm_run, device, WARPS[index % len(WARPS)] if device.startswith(("cuda", "sim")) else 0, check)


def main():
    return perform_all(dealt(checks(), lambda check: (check.kernel, check.output[0])), perform_one)


if __name__ == "__main__":
    sys.exit(main())
