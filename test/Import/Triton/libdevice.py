"""Functions of libdevice on every device against NumPy, Python's math, and sums in many digits.

Usage: libdevice.py FSM_RUN [--devices=A,B].
"""

import math
import pathlib
import statistics
import sys
import tempfile
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "Device"))
sys.path.insert(0, str(HERE))
from device import DEVICES, finish, perform, ulps

import bessel

RANDOM = np.random.default_rng(23)
COUNT = 256
# Functions of one kernel.
TOGETHER = 12
KINDS = {"f": ("f32", np.float32), "d": ("f64", np.float64), "i": ("i32", np.int32), "l": ("i64", np.int64)}
ANY = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan]
getcontext().prec = 60


#=== Operands

def floats(letter, low=-10.0, high=10.0, also=()):
    """Numbers between, some of all sizes beside them."""
    dtype = KINDS[letter][1]
    x = RANDOM.uniform(low, high, COUNT).astype(dtype)
    x[:len(also)] = also
    return x


def wide(letter, also=ANY):
    """Numbers of all exponents."""
    info = np.finfo(KINDS[letter][1])
    x = np.ldexp(RANDOM.uniform(1, 2, COUNT), RANDOM.integers(info.minexp - 20, info.maxexp, COUNT))
    x = (x * RANDOM.choice([-1, 1], COUNT)).astype(KINDS[letter][1])
    x[:len(also)] = also
    return x


def integers(letter):
    info = np.iinfo(KINDS[letter][1])
    x = RANDOM.integers(info.min, info.max, COUNT, dtype=KINDS[letter][1], endpoint=True)
    x >>= RANDOM.integers(0, info.bits - 1, COUNT).astype(x.dtype)
    x[:6] = [0, 1, -1, info.max, info.min, 2]
    return x


def exactly(function, *operands):
    """A function of Python's numbers, element by element; NaN where it is not defined."""
    results = []
    for numbers in zip(*(operand.tolist() for operand in operands)):
        try:
            results.append(function(*numbers))
        except (ValueError, ZeroDivisionError):
            results.append(math.nan)
        except OverflowError:
            results.append(math.inf)
    return np.array(results)


#=== Answers

def rounded(value, mode):
    """An exact number, a Fraction, as f32: n, d, u or z."""
    if value == 0:
        return np.float32(0)
    with np.errstate(over="ignore"):
        near = np.float32(value.numerator / value.denominator if abs(value) < Fraction(2) ** 1000 else math.inf)
    # Two roundings are not one, so neighbours are looked at. To the nearest, infinity is where the next number would be.
    candidates = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    exact = [Fraction(float(c)) if np.isfinite(c) else Fraction(2) ** 128 * (1 if c > 0 else -1) for c in candidates]
    mode = {"z": "d" if value > 0 else "u"}.get(mode, mode)
    if mode == "d":
        return max(c for c, e in zip(candidates, exact) if c == -np.inf or (c != np.inf and e <= value))
    if mode == "u":
        return min(c for c, e in zip(candidates, exact) if c == np.inf or (c != -np.inf and e >= value))
    order = sorted(zip(exact, candidates), key=lambda p: (abs(p[0] - value), int(np.float32(p[1]).view(np.int32)) & 1))
    return order[0][1]


def directed(compute, mode, *operands):
    """What rational arithmetic says, of finite operands."""
    return np.array([rounded(compute(*(Fraction(x) for x in numbers)), mode)
                     for numbers in zip(*(operand.tolist() for operand in operands))], np.float32)


def to_whole(x, mode, low, high):
    """Saturated; NaN is 0."""
    with np.errstate(invalid="ignore"):
        whole = {"n": np.rint, "d": np.floor, "u": np.ceil, "z": np.trunc}[mode](x.astype(np.float64))
    return np.array([0 if math.isnan(w) else low if w <= low else high if w >= high else int(w) for w in whole.tolist()])


def frexp_exponent(x):
    return np.frexp(np.abs(x).astype(np.float64))[1] - 1


def remainder(x, y):
    return math.remainder(x, y)


def erf_inverse(x):
    """By Newton's steps from the normal distribution's quantile, in f64."""
    if abs(x) >= 1:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    guess = statistics.NormalDist().inv_cdf(0.5 + x / 2) / math.sqrt(2)
    for _ in range(3):
        error = math.erf(guess) - x if abs(guess) < 1 else ((1 - abs(x)) - math.erfc(abs(guess))) * math.copysign(1, x)
        guess -= error * math.sqrt(math.pi) / 2 * math.exp(guess * guess)
    return guess


def erfc_scaled(x):
    """By the integral of exp(-t^2 - 2 x t), in f64, where erfc vanishes."""
    if x < 5:
        return math.exp(x * x) * math.erfc(x)
    t = np.linspace(0, 20 / x, 200001)
    values = np.exp(-t * t - 2 * x * t)
    return 2 / math.sqrt(math.pi) * float(np.sum((values[1:-1:2] * 4)) + np.sum(values[2:-1:2] * 2) + values[0] + values[-1]) * (t[1] - t[0]) / 3


def words(x):
    return x.astype(np.int64) & 0xffffffff


def to_i32(x):
    return np.asarray(x, np.int64).astype(np.uint32).view(np.int32)


def bytes_chosen(x, y, s):
    whole = words(x) | words(y) << 32
    result = np.zeros(COUNT, np.int64)
    for byte in range(4):
        place = (words(s) >> 4 * byte & 7) * 8
        result |= (whole.view(np.uint64) >> place.astype(np.uint64) & 255).astype(np.int64) << 8 * byte
    return to_i32(result)


#=== Cases: a name, its types, the operands, the answer, and by how many places of the last digit it may be off


def float_cases(letter):
    """Of f32 or f64."""
    f = "f" if letter == "f" else ""
    dtype = KINDS[letter][1]
    x, y, z, w = (floats(letter) for _ in range(4))
    a, b = wide(letter), wide(letter)
    a[20:40], b[20:40] = x[20:40], a[20:40]
    n = RANDOM.integers(-2200, 2200, COUNT).astype(np.int32)
    n[50:] = RANDOM.integers(-30, 30, COUNT - 50)
    finite = np.where(np.isfinite(a) & (a != 0), a, dtype(1))
    whole = np.float64
    yield f"nextafter{f}", 3 * letter, (a, b), np.nextafter(a, b), 0
    yield f"logb{f}", 2 * letter, (finite,), frexp_exponent(finite), 0
    yield f"ilogb{f}", "i" + letter, (finite,), frexp_exponent(finite), 0
    yield f"ldexp{f}", 2 * letter + "i", (a, n), np.ldexp(a, n), 0
    yield f"scalbn{f}", 2 * letter + "i", (a, n), np.ldexp(a, n), 0
    yield f"fdim{f}", 3 * letter, (x, y), np.maximum(x - y, 0), 0
    yield f"remainder{f}", 3 * letter, (a, b), exactly(remainder, a, b), 0
    yield f"remainder{f}", 3 * letter, (x, y), exactly(remainder, x, y), 0
    yield f"llrint{f}", "l" + letter, (x,), np.rint(x), 0
    yield f"llround{f}", "l" + letter, (x,), np.trunc(x + np.copysign(0.5, x)), 0
    yield f"nearbyint{f}", 2 * letter, (x * dtype(0.5),), np.rint(x * dtype(0.5)), 0
    yield f"hypot{f}", 3 * letter, (a, b), exactly(math.hypot, a, b), 1 + (letter == "d")
    yield f"norm3d{f}", 4 * letter, (x, y, z), np.sqrt(whole(x) ** 2 + whole(y) ** 2 + whole(z) ** 2), 3
    yield f"norm4d{f}", 5 * letter, (x, y, z, w), exactly(math.hypot, x, y, z, w), 3
    yield f"rhypot{f}", 3 * letter, (x, y), 1 / np.hypot(whole(x), whole(y)), 3
    yield f"rnorm3d{f}", 4 * letter, (x, y, z), 1 / np.sqrt(whole(x) ** 2 + whole(y) ** 2 + whole(z) ** 2), 3
    yield f"rnorm4d{f}", 5 * letter, (x, y, z, w), 1 / exactly(math.hypot, x, y, z, w), 3
    yield f"rcbrt{f}", 2 * letter, (x,), 1 / np.cbrt(whole(x)), 3
    yield f"powi{f}", 2 * letter + "i", (x, n[::-1] // 60), np.power(whole(x), n[::-1] // 60), 4
    yield f"exp10{f}", 2 * letter, (x,), np.power(10, whole(x)), 3
    for tag, suffix in (("isnan", letter), ("isinf", letter), ("signbit", letter)):
        yield tag + suffix, "i" + letter, (a,), getattr(np, tag)(a), 0
    yield ("finitef" if f else "isfinited"), "i" + letter, (a,), np.isfinite(a), 0


def special_cases(letter):
    f = "f" if letter == "f" else ""
    half = floats(letter, -8, 8, np.arange(-8, 8.1, 0.25))
    # Of halves of a turn less whole ones, which is exact.
    turns = np.float64(half) - 2 * np.rint(np.float64(half) / 2)
    quarter = np.rint(turns * 2)
    angle = (turns - quarter / 2) * np.pi
    sines = np.choose(quarter.astype(int) % 4, [np.sin(angle), np.cos(angle), -np.sin(angle), -np.cos(angle)])
    cosines = np.choose(quarter.astype(int) % 4, [np.cos(angle), -np.sin(angle), -np.cos(angle), np.sin(angle)])
    yield f"sinpi{f}", 2 * letter, (half,), sines, 3
    yield f"cospi{f}", 2 * letter, (half,), cosines, 3
    x = floats(letter, -20, 171 if letter == "d" else 35, [0.5, 1, 1.5, 2, 2.5, 3, 8, 7.99, 1e-5])
    yield f"tgamma{f}", 2 * letter, (x,), exactly(math.gamma, x), 20
    x = floats(letter, -20, 40, [0.5, 1, 1.5, 2, 2.5, 3, 8, 7.99, 1e-30, 1e5])
    x[100:] = floats(letter, 0, 9)[100:]
    yield f"lgamma{f}", 2 * letter, (x,), exactly(math.lgamma, x), ("near", 30)
    x = floats(letter, -1, 1, [0, 0.85, -0.85, 0.999, 1, -1, 1e-6])
    yield f"erfinv{f}", 2 * letter, (x,), exactly(erf_inverse, x), 20
    x = floats(letter, 0.001, 1.999, [1, 0.001, 1.9])
    yield f"erfcinv{f}", 2 * letter, (x,), exactly(lambda v: erf_inverse(1 - v), x), ("near", 20)
    x = floats(letter, 0.0001, 0.9999, [0.5, 0.075, 0.925])
    yield f"normcdfinv{f}", 2 * letter, (x,), exactly(statistics.NormalDist().inv_cdf, x), ("near", 20)
    x = floats(letter, -6, 6, [0, -5, 5])
    yield f"normcdf{f}", 2 * letter, (x,), exactly(lambda v: math.erfc(-v / math.sqrt(2)) / 2, x), 40
    x = floats(letter, -3, 30, [0, 10, 10.01])
    yield f"erfcx{f}", 2 * letter, (x,), exactly(erfc_scaled, x), ("about", 2e-9)
    for name, function, low in (("j0", bessel.j0, -30), ("j1", bessel.j1, -30), ("y0", bessel.y0, 1e-3), ("y1", bessel.y1, 1e-3),
                                ("cyl_bessel_i0", bessel.i0, -30), ("cyl_bessel_i1", bessel.i1, -30)):
        x = floats(letter, low, 30, [8, 7.99, 1e-3, 0.5])
        yield name + f, 2 * letter, (x,), exactly(function, x), ("near", 20) if name[0] in "jy" else 20


def integer_cases():
    x, y, z = (integers("i") for _ in range(3))
    p, q = integers("l"), integers("l")
    bits, long_bits = floats("f"), floats("d")
    unsigned = lambda v: [number & 0xffffffff for number in v.tolist()]
    pairs = list(zip(x.tolist(), y.tolist(), z.tolist()))
    upairs = list(zip(unsigned(x), unsigned(y), unsigned(z)))
    yield "abs", "ii", (x,), np.abs(x), 0
    yield "llabs", "ll", (p,), np.abs(p), 0
    yield "brev", "ii", (x,), to_i32([int(f"{v:032b}"[::-1], 2) for v in unsigned(x)]), 0
    yield "brevll", "ll", (p,), np.array([int(f"{v & (1 << 64) - 1:064b}"[::-1], 2) for v in p.tolist()], np.uint64).view(np.int64), 0
    yield "byte_perm", "iiii", (x, y, z), bytes_chosen(x, y, z), 0
    yield "clz", "ii", (x,), [32 - v.bit_length() for v in unsigned(x)], 0
    yield "clzll", "il", (p,), [64 - (v & (1 << 64) - 1).bit_length() for v in p.tolist()], 0
    yield "ffs", "ii", (x,), [(v & -v).bit_length() for v in x.tolist()], 0
    yield "ffsll", "il", (p,), [(v & -v).bit_length() for v in p.tolist()], 0
    yield "popc", "ii", (x,), [bin(v).count("1") for v in unsigned(x)], 0
    yield "popcll", "il", (p,), [bin(v & (1 << 64) - 1).count("1") for v in p.tolist()], 0
    yield "hadd", "iii", (x, y), [(a + b) >> 1 for a, b, _ in pairs], 0
    yield "rhadd", "iii", (x, y), [(a + b + 1) >> 1 for a, b, _ in pairs], 0
    yield "uhadd", "iii", (x, y), to_i32([(a + b) >> 1 for a, b, _ in upairs]), 0
    yield "urhadd", "iii", (x, y), to_i32([(a + b + 1) >> 1 for a, b, _ in upairs]), 0
    yield "sad", "iiii", (x, y, z), to_i32([abs(a - b) + c & 0xffffffff for a, b, c in pairs]), 0
    yield "usad", "iiii", (x, y, z), to_i32([abs(a - b) + c & 0xffffffff for a, b, c in upairs]), 0
    low = lambda v: (v & 0xffffff) - ((v & 0x800000) << 1)
    yield "mul24", "iii", (x, y), to_i32([low(a) * low(b) & 0xffffffff for a, b, _ in pairs]), 0
    yield "umul24", "iii", (x, y), to_i32([(a & 0xffffff) * (b & 0xffffff) & 0xffffffff for a, b, _ in upairs]), 0
    yield "mulhi", "iii", (x, y), [a * b >> 32 for a, b, _ in pairs], 0
    yield "umulhi", "iii", (x, y), to_i32([a * b >> 32 for a, b, _ in upairs]), 0
    yield "mul64hi", "lll", (p, q), np.array([a * b >> 64 for a, b in zip(p.tolist(), q.tolist())]), 0
    yield "float_as_int", "if", (bits,), bits.view(np.int32), 0
    yield "int_as_float", "fi", (bits.view(np.int32),), bits, 0
    yield "double_as_longlong", "ld", (long_bits,), long_bits.view(np.int64), 0
    yield "longlong_as_double", "dl", (long_bits.view(np.int64),), long_bits, 0
    high, lower = (long_bits.view(np.int64) >> 32).astype(np.int32), to_i32(long_bits.view(np.int64) & 0xffffffff)
    yield "double2hiint", "id", (long_bits,), high, 0
    yield "double2loint", "id", (long_bits,), lower, 0
    yield "hiloint2double", "dii", (high, lower), long_bits, 0


def rounded_cases():
    """Of each way to round, by rational arithmetic."""
    pairs = [np.ldexp(RANDOM.uniform(1, 2, COUNT), RANDOM.integers(-8, 8, COUNT)).astype(np.float32) * RANDOM.choice([-1, 1], COUNT).astype(np.float32)
             for _ in range(3)]
    a, b, c = pairs
    # Results beyond all numbers, and below.
    a[:4], b[:4] = [3e38, -3e38, 1e-38, -1e-38], [3e38, 3e38, 1e-7, 1e-7]
    x, whole = wide("d", ANY), integers("i")
    x[11:100] = floats("d", -3e9, 3e9)[11:100]
    finite = floats("d", -1e6, 1e6, [1e39, -1e39, 1e-46])
    names = {"add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q, "div": lambda p, q: p / q}
    for mode in "nduz":
        for name, compute in names.items():
            answer = directed(compute, mode, a, b)
            # A sum of numbers that cancel is -0 where it is rounded down.
            if name in ("add", "sub"):
                answer[(answer == 0) & (mode == "d")] = -0.0
            yield f"f{name}_r{mode}", "fff", (a, b), answer, 0
        yield f"fmaf_r{mode}", "ffff", (a, b, c), directed(lambda p, q, r: p * q + r, mode, a, b, c), 0
        yield f"frcp_r{mode}", "ff", (c,), directed(lambda p: 1 / p, mode, c), 0
        roots = np.abs(c)
        yield f"fsqrt_r{mode}", "ff", (roots,), [rounded(Fraction(Decimal(v).sqrt()), mode) for v in roots.tolist()], 0
        yield f"double2float_r{mode}", "fd", (finite,), directed(lambda p: p, mode, finite), 0
        yield f"int2float_r{mode}", "fi", (whole,), directed(lambda p: p, mode, whole), 0
        yield f"uint2float_r{mode}", "fi", (whole,), directed(lambda p: p, mode, whole.view(np.uint32)), 0
        yield f"int2double_r{mode}", "di", (whole,), whole, 0
        yield f"float2int_r{mode}", "if", (x.clip(-1e30, 1e30).astype(np.float32),), to_whole(x.clip(-1e30, 1e30).astype(np.float32), mode, -2**31, 2**31 - 1), 0
        yield f"double2ll_r{mode}", "ld", (x,), to_whole(x, mode, -2**63, 2**63 - 1), 0
        yield f"double2uint_r{mode}", "id", (x,), to_i32(to_whole(x, mode, 0, 2**32 - 1)), 0
    yield "dadd_rn", "ddd", (x, x[::-1].copy()), x + x[::-1], 0
    yield "fma_rn", "dddd", (finite, finite, finite), [float(Fraction(v) ** 2 + Fraction(v)) for v in finite.tolist()], 0
    yield "frsqrt_rn", "ff", (np.abs(c),), 1 / np.sqrt(np.abs(c).astype(np.longdouble)), 0
    yield "saturatef", "ff", (floats("f", -1, 2, [np.nan, np.inf, -np.inf]),), None, 0
    for name, function in (("fast_expf", np.exp), ("fast_sinf", np.sin), ("fast_cosf", np.cos), ("fast_log2f", np.log2), ("fast_logf", np.log)):
        operand = np.abs(a[4:]) if "log" in name else floats("f", -3, 3)
        operand = np.resize(operand, COUNT)
        yield name, "ff", (operand,), function(operand.astype(np.float64)), ("about", 1e-6)


def cases():
    """All, in one order."""
    for letter in "fd":
        yield from float_cases(letter)
        yield from special_cases(letter)
    yield from integer_cases()
    for name, types, operands, answer, bound in rounded_cases():
        if name == "saturatef":
            answer = np.nan_to_num(operands[0], nan=0, posinf=1, neginf=0).clip(0, 1)
        yield name, types, operands, answer, bound


#=== Kernels


def kernel_of(cases):
    """TTIR that stores each function of what it loads."""
    lines, parameters = [], []

    def pointer(kind):
        parameters.append(f"%p{len(parameters)}: !tt.ptr<{kind}>")
        place, blocks = len(parameters) - 1, f"tensor<{COUNT}x!tt.ptr<{kind}>>"
        lines.append(f"%s{place} = tt.splat %p{place} : !tt.ptr<{kind}> -> {blocks}")
        lines.append(f"%a{place} = tt.addptr %s{place}, %at : {blocks}, tensor<{COUNT}xi32>")
        return place, blocks

    for index, (name, types, *_) in enumerate(cases):
        kinds = [KINDS[letter][0] for letter in types]
        loaded = []
        for kind in kinds[1:]:
            place, blocks = pointer(kind)
            loaded.append(f"%v{place}")
            lines.append(f"{loaded[-1]} = tt.load %a{place} : {blocks}")
        place, blocks = pointer(kinds[0])
        tensors = [f"tensor<{COUNT}x{kind}>" for kind in kinds]
        lines.append(f'%r{index} = tt.extern_elementwise {", ".join(loaded)} {{libname = "", libpath = "", pure = true, symbol = "__nv_{name}"}} : '
                     f'({", ".join(tensors[1:])}) -> {tensors[0]}')
        lines.append(f"tt.store %a{place}, %r{index} : {blocks}")
    at = f"%at = tt.make_range {{end = {COUNT} : i32, start = 0 : i32}} : tensor<{COUNT}xi32>"
    return f"tt.func public @functions({', '.join(parameters)}) {{\n" + "\n".join([at, *lines, "tt.return"]) + "\n}\n"


def fault(case, got):
    """What is wrong, or nothing."""
    name, types, operands, answer, bound = case
    kind, dtype = KINDS[types[0]]
    with np.errstate(over="ignore", invalid="ignore"):
        answer = np.asarray(answer).astype(dtype)
    if dtype not in (np.float32, np.float64):
        wrong = got != answer
    elif isinstance(bound, tuple) and bound[0] == "near":
        # About zeros of the function, of 1.
        scale = np.maximum(np.abs(answer.astype(np.float64)), 1)
        wrong = ~(np.abs(got.astype(np.float64) - answer) <= bound[1] * np.finfo(dtype).eps * scale) & (got != answer)
    elif isinstance(bound, tuple):
        limit = max(bound[1], 2 * np.finfo(dtype).eps)
        wrong = ~(np.abs(got.astype(np.float64) - answer) <= limit * np.abs(answer.astype(np.float64))) & (got != answer)
    else:
        wrong = ulps(got, answer, kind) > bound
        if bound == 0:
            wrong |= (np.signbit(got) != np.signbit(answer)) & ~np.isnan(answer)
    wrong &= ~(np.isnan(got) & np.isnan(answer)) if dtype in (np.float32, np.float64) else True
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        given = ", ".join(str(operand[at]) for operand in operands)
        return f"{name}({given}) is {got[at]}, not {answer[at]}; {int(wrong.sum())} of {COUNT}"
    return None


def launch(fsm_run, device, together, folder):
    source = folder / "functions.ttir"
    source.write_text(kernel_of(together))
    command, outputs = [str(source), f"--device={device}", "--grid=1"], []
    for case in together:
        for operand in case[2]:
            name = folder / f"in{len(command)}.npy"
            np.save(name, operand)
            command.append(f"--arg=@{name}")
        outputs.append(len(command) - 3)
        command.append(f"--arg={KINDS[case[1][0]][0]}[{COUNT}]")
    perform(fsm_run, command + [f"--out={place}:{folder / f'out{place}.npy'}" for place in outputs])
    for case, place in zip(together, outputs):
        if sentence := fault(case, np.load(folder / f"out{place}.npy")):
            yield sentence


def main():
    with np.errstate(all="ignore"):
        wrong, all_cases = 0, list(cases())
    with tempfile.TemporaryDirectory() as folder:
        for device in DEVICES:
            for first in range(0, len(all_cases), TOGETHER):
                for sentence in launch(sys.argv[1], device, all_cases[first:first + TOGETHER], pathlib.Path(folder)):
                    print(f"FAIL on {device}: {sentence}")
                    wrong += 1
    print(f"{len(all_cases)} functions on {len(DEVICES)} devices, {wrong} wrong")
    sys.exit(0 if finish() and not wrong else 1)


main()
