"""Element-wise ops on special and random values, every device against NumPy.

Usage: elementwise.py FSM_RUN [--devices=A,B] [--deal]. Floats are compared in ulps with the answer in
float64, or long double where an error is allowed, rounded once; integers are exact. Division by
zero and over-wide shifts are left out: their values are unspecified (they must only not trap,
which the run itself shows).
"""

import ctypes
import math
import pathlib
import sys
import tempfile
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Conformance"))
from device import STORAGE, dealt, finish, from_float64, run, to_float64, ulps
from suite import exact

HERE = pathlib.Path(__file__).parent / "Inputs"
FLOATS = ("f32", "f16", "bf16", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")
vector = np.vectorize


LIBM = ctypes.CDLL("libm.so.6")


def long_double(name, operands=1):
    """The C library's function of long double, which NumPy lacks; the answer is rounded once, to float64."""
    function = getattr(LIBM, name + "l")
    function.restype = ctypes.c_longdouble
    function.argtypes = [ctypes.c_longdouble] * operands
    return vector(lambda *numbers: function(*map(float, numbers)), otypes=[float])


def away_from_zero(x):
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(x)
    return np.copysign(np.abs(whole) + (np.abs(x - whole) >= 0.5), x)


# op: (meaning, ulps allowed in f32 and f64). Inexact ones are asked in long double, whose
# functions are the C library's: NumPy's own of float64 are off by ulps.
UNARY = {
    "math.exp": (np.exp, 2), "math.exp2": (np.exp2, 2), "math.expm1": (np.expm1, 2),
    "math.log": (np.log, 2), "math.log2": (np.log2, 2), "math.log1p": (np.log1p, 2),
    "math.tanh": (np.tanh, 2), "math.erf": (vector(math.erf, otypes=[float]), 2),
    "math.sin": (np.sin, 2), "math.cos": (np.cos, 2), "math.sqrt": (np.sqrt, 0),
    "math.rsqrt": (lambda x: 1 / np.sqrt(x), 2), "math.absf": (np.abs, 0),
    "math.floor": (np.floor, 0), "math.ceil": (np.ceil, 0), "math.trunc": (np.trunc, 0),
    "math.roundeven": (np.rint, 0), "arith.negf": (np.negative, 0),
    "math.round": (away_from_zero, 0), "fsm.sqrt_rn": (np.sqrt, 0),
    "math.tan": (np.tan, 2), "math.asin": (np.arcsin, 2), "math.acos": (np.arccos, 2),
    "math.atan": (np.arctan, 2), "math.sinh": (np.sinh, 2), "math.cosh": (np.cosh, 2),
    "math.asinh": (np.arcsinh, 2), "math.acosh": (np.arccosh, 2), "math.atanh": (np.arctanh, 2),
    "math.log10": (np.log10, 2), "math.cbrt": (np.cbrt, 2), "math.erfc": (long_double("erfc"), 2),
}


def pick(order, propagate):
    return vector(exact.pick(order, propagate), otypes=[float])


FLOAT_BINARY = {
    "arith.addf": (np.add, 0), "arith.subf": (np.subtract, 0), "arith.mulf": (np.multiply, 0),
    "arith.divf": (np.divide, 2), "arith.remf": (np.fmod, 0),
    "arith.maxnumf": (pick(max, False), 0), "arith.minnumf": (pick(min, False), 0),
    "arith.maximumf": (pick(max, True), 0), "arith.minimumf": (pick(min, True), 0),
    "math.copysign": (np.copysign, 0), "fsm.div_rn": (np.divide, 0),
    "math.atan2": (long_double("atan2", 2), 2), "math.powf": (long_double("pow", 2), 2),
}


def wrapped(function):
    """An exact integer function, wrapped to the type's width afterwards."""
    def apply(a, b, bits):
        result = []
        for x, y in zip(a.tolist(), b.tolist()):
            value = function(x, y, bits) & ((1 << bits) - 1)
            result.append(value - (1 << bits) if value >> (bits - 1) else value)
        return np.array(result, a.dtype)
    return apply


def unsigned(x, bits):
    return x & ((1 << bits) - 1)


def truncated(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


INTEGER_BINARY = {
    "arith.addi": lambda x, y, w: x + y, "arith.subi": lambda x, y, w: x - y,
    "fsm.umulhi": lambda x, y, w: unsigned(x, w) * unsigned(y, w) >> w,
    "arith.muli": lambda x, y, w: x * y, "arith.andi": lambda x, y, w: x & y,
    "arith.ori": lambda x, y, w: x | y, "arith.xori": lambda x, y, w: x ^ y,
    "arith.maxsi": lambda x, y, w: max(x, y), "arith.minsi": lambda x, y, w: min(x, y),
    "arith.maxui": lambda x, y, w: max(unsigned(x, w), unsigned(y, w)),
    "arith.minui": lambda x, y, w: min(unsigned(x, w), unsigned(y, w)),
    "arith.divsi": lambda x, y, w: truncated(x, y),
    "arith.remsi": lambda x, y, w: x - y * truncated(x, y),
    "arith.divui": lambda x, y, w: unsigned(x, w) // unsigned(y, w),
    "arith.remui": lambda x, y, w: unsigned(x, w) % unsigned(y, w),
    "arith.floordivsi": lambda x, y, w: x // y, "arith.ceildivsi": lambda x, y, w: -(-x // y),
    "arith.ceildivui": lambda x, y, w: -(-unsigned(x, w) // unsigned(y, w)),
    "arith.shli": lambda x, y, w: x << y, "arith.shrsi": lambda x, y, w: x >> y,
    "arith.shrui": lambda x, y, w: unsigned(x, w) >> y,
}

# Numbers of bits, of the bits themselves.
INTEGER_UNARY = {
    "math.absi": lambda x, y, w: abs(x), "math.ctpop": lambda x, y, w: bin(unsigned(x, w)).count("1"),
    "math.ctlz": lambda x, y, w: w - unsigned(x, w).bit_length(),
    "math.cttz": lambda x, y, w: ((unsigned(x, w) & -unsigned(x, w)).bit_length() - 1) % (w + 1),
}


# The double next to a multiple of pi/2: glibc's cos is off by 8 ulp there, its tan by 14.
HARDEST_ANGLE = 6381956970095103.0 * 2.0 ** 797
# Denormals, the ends of the functions' ranges, the seams of their formulas, and angles near
# multiples of pi/2 and around the bound of the short reduction.
SPECIAL_F64 = [5e-324, -5e-324, 2.2250738585072014e-308, -2.225073858507201e-308, 1e-310, 1e-17,
               -1e-17, 1.7976931348623157e308, -1.7976931348623157e308, 709.782712893384,
               709.7827128933841, 710.0, -708.4, -745.1332191019411, -745.13321910194122, -746.0,
               1023.9999999999999, 1024.0, -1022.5, -1074.0, -1075.5, -1100.0, -36.7, -37.5, -40.5,
               0.9999999999999999, 1.0000000000000002, -0.9999999999999999, 0.7071067811865476,
               0.41421356237309515, 0.34657359027997264, 0.55, -0.5499999999999999, 5.9, 5.95, 6.5,
               22.5, HARDEST_ANGLE, 1.5707963267948966, -3.141592653589793,
               2147483648.0, 2147483649.5, -2147483650.25, 1e22, -1e100, 1e300, 9007199254740993e200]


def float_values(kind, count, seed):
    """Random numbers of many magnitudes, after the special ones."""
    generator = np.random.default_rng(seed)
    special = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, -0.5, 1.5, 2.5, -2.5,
               1e-3, 3.0e38, -3.0e38, 1e-38, -1e-40, 88.7, 89.0, -87.3, -88.0, -104.0, 127.9,
               -126.5, 65504.0, 6e-8, 1e5, 3e9, 1e30]
    if kind == "f64":
        special += SPECIAL_F64
    spread = generator.standard_normal(count - len(special))
    spread *= 10.0 ** generator.uniform(-6, 2, spread.size)
    return from_float64(np.concatenate([special, spread]), kind)


def is_gpu(device):
    return device.split(":")[0] in ("sim", "cuda")


def allowance(op, kind, device, limit, x, answer):
    """Ulps allowed per element: infinite where the result may be flushed to 0."""
    allowed = np.full(x.shape, float(limit))
    if op in ("math.cos", "math.tan") and kind == "f64" and not is_gpu(device):
        allowed[x == HARDEST_ANGLE] = 8 if op == "math.cos" else 14
    if op not in ("math.exp", "math.exp2") or kind not in ("f32", "bf16"):
        return allowed
    if is_gpu(device) and op == "math.exp" and kind == "f32":
        # language.md: relative error at most 2^-22 + |x| 1.3 2^-24; an ulp is at least 2^-24.
        allowed = 4 + 1.3 * np.abs(x)
    elif is_gpu(device) and kind == "f32":
        allowed += np.abs(x) / 8
    allowed[np.abs(to_float64(answer, kind)) < 2.0 ** -125] = np.inf
    return allowed


def dealt_types(op, kinds):
    """Each type with the devices that have the op on it."""
    of = {kind: [] for kind in kinds}
    for _, kind, device in dealt(turned(op, kinds), lambda kind: op):
        of[kind].append(device)
    return of.items()


def turned(op, kinds):
    """The first of an op's types goes to every device: another one for another op."""
    first = zlib.crc32(op.encode()) % len(kinds)
    return kinds[first:] + kinds[:first]


def check_floats(report, fsm_run, folder, op, meaning, limit, operands):
    for kind, devices in dealt_types(op, FLOATS):
        arrays = [float_values(kind, 1000, seed) for seed in range(operands)]
        if operands == 2:  # Every special value meets every other.
            arrays[1] = np.roll(arrays[1], 17)
            arrays[1][500:529] = arrays[0][:29]
            arrays[0][500:529] = arrays[0][:29][::-1]
        wide = [to_float64(a, kind) for a in arrays]
        exact = [x.astype(np.longdouble) for x in wide] if limit else wide
        with np.errstate(all="ignore"):
            answer = from_float64(meaning(*exact), kind)
        wide_answer = to_float64(answer, kind)
        # bf16 and f16 compute in f32 and round once: one ulp more than exact at most.
        allowed = limit if kind in ("f32", "f64") else min(limit, 1)
        name = "unary.mlir" if operands == 1 else "binary.mlir"
        for device in devices:
            got = run(fsm_run, HERE / name, device, kind, arrays, arrays[0].shape, folder, grid=4,
                      scalars=[arrays[0].size], parameters={"OP": op, "T": kind})
            distance = ulps(got, answer, kind)
            if operands == 1 and is_gpu(device):  # A zero has the sign of the answer.
                signs = np.signbit(to_float64(got, kind)) != np.signbit(wide_answer)
                distance[(wide_answer == 0) & signs & (to_float64(got, kind) == 0)] = np.inf
            here = allowance(op, kind, device, allowed, wide[0], answer)
            report(f"{op} {kind} {device}", distance, here, arrays, got, answer)


def check_integers(report, fsm_run, folder, op, meaning, operands=2):
    generator = np.random.default_rng(7)
    for kind, devices in dealt_types(op, INTEGERS):
        dtype, info = STORAGE[kind], np.iinfo(STORAGE[kind])
        special = np.array([info.min, info.min + 1, -1, 0, 1, 2, info.max - 1, info.max], dtype)
        a = np.concatenate([np.repeat(special, 8),
                            generator.integers(info.min, info.max, 936, dtype, endpoint=True)])
        b = np.concatenate([np.tile(special, 8),
                            generator.integers(info.min, info.max, 936, dtype, endpoint=True)])
        valid = np.ones(1000, bool)
        if "sh" in op:
            b = np.concatenate([b[:64], generator.integers(0, info.bits, 936).astype(dtype)])
            valid = (b >= 0) & (b < info.bits)
        if "div" in op or "rem" in op:
            valid = (b != 0) & ~((a == info.min) & (b == -1))
        answer = wrapped(meaning)(a[valid], b[valid], info.bits)
        for device in devices:
            name = "unary.mlir" if operands == 1 else "binary.mlir"
            got = run(fsm_run, HERE / name, device, kind, [a, b][:operands], a.shape, folder, grid=4,
                      scalars=[a.size], parameters={"OP": op, "T": kind})[valid]
            report(f"{op} {kind} {device}", (got != answer).astype(float), 0,
                   [a[valid], b[valid]], got, answer)


def main():
    fsm_run = sys.argv[1]
    failures = []
    checks = 0

    def report(name, distance, allowed, arrays, got, answer):
        nonlocal checks
        checks += 1
        excess = np.where(np.isinf(allowed), 0.0, distance - np.where(np.isinf(allowed), 0, allowed))
        worst = int(np.nanargmax(excess))
        if excess[worst] > 0:
            failures.append(name)
            values = ", ".join(repr(a.ravel()[worst]) for a in arrays)
            print(f"{name}: {distance[worst]} ulp at ({values}): got {got.ravel()[worst]!r}, "
                  f"expected {answer.ravel()[worst]!r}; {int((excess > 0).sum())} wrong")

    with tempfile.TemporaryDirectory() as folder:
        for op, (meaning, limit) in UNARY.items():
            check_floats(report, fsm_run, folder, op, meaning, limit, 1)
        for op, (meaning, limit) in FLOAT_BINARY.items():
            check_floats(report, fsm_run, folder, op, meaning, limit, 2)
        for op, meaning in INTEGER_BINARY.items():
            check_integers(report, fsm_run, folder, op, meaning)
        for op, meaning in INTEGER_UNARY.items():
            check_integers(report, fsm_run, folder, op, meaning, operands=1)
    print(f"{checks} checks, {len(failures)} failed")
    return 0 if finish() and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
