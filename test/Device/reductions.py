"""Reductions of every kind, type and axis on every device, against NumPy and plain Python.

Usage: reductions.py FSM_RUN [--devices=cpu,interp,cuda,sim] [--jobs=N] [--deal].

Float sums and products are compared within a bound derived from the magnitudes; everything else is exact. NaN, infinities and signed zeros stand at
several positions.
"""

import functools
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, from_float64, perform_all, run, to_float64, ulps
from elementwise import pick

HERE = pathlib.Path(__file__).parent / "Inputs"
# What a GPU's programs are given in turn; 0 lets the compiler choose.
WARPS = (0, 1, 2, 4, 8, 16)
EPSILON = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8, "f32": 2.0 ** -24, "f64": 2.0 ** -53}
INTEGER_KINDS = {
    "sum": lambda x, y, u: x + y, "prod": lambda x, y, u: x * y,
    "max": lambda x, y, u: max(x, y), "min": lambda x, y, u: min(x, y),
    "umax": lambda x, y, u: max(x, y, key=u), "umin": lambda x, y, u: min(x, y, key=u),
    "and": lambda x, y, u: x & y, "or": lambda x, y, u: x | y, "xor": lambda x, y, u: x ^ y,
}


def integer_answer(kind, data, axis):
    bits = np.iinfo(data.dtype).bits
    step = functools.partial(INTEGER_KINDS[kind], u=lambda v: v & ((1 << bits) - 1))

    def along(row):
        value = functools.reduce(lambda x, y: step(x, y), row.tolist()) & ((1 << bits) - 1)
        return value - (1 << bits) if value >> (bits - 1) else value
    return np.apply_along_axis(lambda r: np.array(along(r), object), axis, data).astype(data.dtype)


def float_answer(kind, wide, axis):
    """The float64 answer and the error a float sum or product may have (absolute)."""
    if kind == "sum":
        return wide.sum(axis), np.abs(wide).sum(axis) * wide.shape[axis]
    if kind == "prod":
        product = wide.prod(axis)
        return product, np.abs(product) * wide.shape[axis]
    step = pick(max if kind == "max" else min, False)
    return functools.reduce(step, np.moveaxis(wide, axis, 0)), 0


def float_data(kind, shape, variant, generator):
    """Random numbers with special values at the row's ends, in its middle, or everywhere."""
    data = generator.standard_normal(shape)
    flat = data.reshape(-1)
    if variant == "nan":
        flat[[0, len(flat) // 2, -1]] = math.nan
    elif variant == "all-nan":
        flat[:] = math.nan
    elif variant == "infinities":
        flat[0], flat[-1] = -math.inf, math.inf
    elif variant == "all-lowest":
        flat[:] = -math.inf
    elif variant == "zeros":
        flat[:] = -0.0
        flat[len(flat) // 3] = 0.0
    return from_float64(data, kind)


def kernels(shape):
    """(kernel, shape of its input, axis reduced)"""
    rows, columns = shape
    return (("all", (1, columns), 1), ("rows", shape, 1), ("columns", shape, 0))


def integer_checks(generator, shape, kernel, size, axis):
    for type_name in ("i8", "i32", "i64"):
        info = np.iinfo(STORAGE[type_name])
        data = generator.integers(info.min, info.max, size, STORAGE[type_name], endpoint=True)
        for kind in INTEGER_KINDS if shape == (5, 37) else ("sum", "umin"):
            answer = integer_answer(kind, data, axis).reshape(-1)
            yield (f"{kernel} {kind} {type_name} {shape}", kind, type_name, kernel, shape, data, answer.size,
                   lambda got, answer=answer: int((got != answer).sum()))


def float_checks(generator, shape, kernel, size, axis):
    for type_name in EPSILON:
        for kind in ("sum", "prod", "max", "min"):
            variants = ["random", "nan", "all-nan", "infinities", "all-lowest", "zeros"]
            if shape != (5, 37) or kind == "prod" or type_name in ("f16", "f64"):
                variants = ["random"]
            for variant in variants:
                data = float_data(type_name, size, variant, generator)
                with np.errstate(all="ignore"):
                    answer, bound = float_answer(kind, to_float64(data, type_name), axis)
                rounded = from_float64(answer, type_name).reshape(-1)
                yield (f"{kernel} {kind} {type_name} {shape} {variant}", kind, type_name, kernel, shape, data,
                       rounded.size, functools.partial(count_wrong, rounded=rounded, answer=answer, bound=bound,
                                                       type_name=type_name))


def checks():
    """(name, kind, element type, kernel, shape, input, size of the output, counter of wrong elements)"""
    generator = np.random.default_rng(5)
    for shape in ((5, 37), (3, 16), (2, 300), (70, 1)):
        for kernel, size, axis in kernels(shape):
            yield from integer_checks(generator, shape, kernel, size, axis)
            yield from float_checks(generator, shape, kernel, size, axis)


def warps_for(device, index):
    return WARPS[index % len(WARPS)] if device.startswith(("cuda", "sim")) else 0


def perform(fsm_run, device, warps, check):
    """What is wrong, or nothing."""
    name, kind, type_name, kernel, shape, data, size, count = check
    parameters = {"KIND": kind, "T": type_name, "R": shape[0], "C": shape[1], "RC": shape[0] * shape[1]}
    title = f"{name} {device}" + (f" {warps} warps" if warps else "")
    with tempfile.TemporaryDirectory() as folder:
        try:
            got = run(fsm_run, HERE / "reduce.mlir", device, type_name, [data], (size,), folder, kernel=kernel,
                      parameters=parameters, num_warps=warps)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            return f"{title}: {error}"
    wrong = count(got)
    return f"{title}: {wrong} elements wrong" if wrong else ""


def main():
    return perform_all(dealt(checks(), lambda check: check[2:4]),
                       lambda fsm_run, run: perform(fsm_run, run[2], warps_for(run[2], run[0]), run[1]))


def count_wrong(got, rounded, answer, bound, type_name):
    distance = ulps(got, rounded, type_name)
    wide = to_float64(got, type_name)
    with np.errstate(all="ignore"):
        # The half formats accumulate in f32; f32 and f64 in themselves.
        accumulator = EPSILON["f64"] if type_name == "f64" else EPSILON["f32"]
        allowed = accumulator * np.asarray(bound).reshape(-1)
        if type_name in ("f16", "bf16"):
            allowed = allowed + EPSILON[type_name] * np.abs(answer).reshape(-1) * 1.001
        close = np.abs(wide - np.asarray(answer, np.float64).reshape(-1)) <= allowed
    signs_differ = np.signbit(wide) != np.signbit(to_float64(rounded, type_name))
    # NumPy starts sums from +0, the language from -0: the sign of a zero counts for max and min.
    exact_zero = (wide == 0) & signs_differ & (np.ndim(bound) == 0)
    return int((~((distance == 0) | close) | exact_zero).sum())


if __name__ == "__main__":
    sys.exit(main())
