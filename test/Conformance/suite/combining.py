"""Reductions and scans: how two elements are combined, and how far a sum of floats may be off."""

import math

import numpy as np

from suite import exact, formats, values
from suite.elementwise import Numbers
from suite.kernels import Kernel, block, refused, refused_of_blocks, size
from suite.launches import In, Out

KINDS = ("sum", "prod", "max", "min", "umax", "umin", "and", "or", "xor")
FLOAT_KINDS = KINDS[:4]
# Shape and axis: a row shorter and longer than a vector and a warp, rows and columns, one element, three dimensions.
PLACES = (((1,), 0), ((16,), 0), ((37,), 0), ((300,), 0), ((5, 37), 1), ((5, 37), 0), ((70, 1), 1), ((1, 33), 0),
          ((3, 4, 17), 1), ((130, 3), 0), ((2, 3, 2, 9), 3))
ALWAYS = (((37,), 0), ((5, 37), 1), ((5, 37), 0))
EPSILON = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8, "f32": 2.0 ** -24, "f64": 2.0 ** -53}


def types(kind):
    """The element types that a kind takes."""
    return formats.ALL_INTEGERS + (formats.FLOATS if kind in FLOAT_KINDS else ())


def integer_step(kind, width):
    """Combines two signed numbers."""
    def unsigned(x):
        return x & ((1 << width) - 1)
    return {"sum": lambda x, y: x + y, "prod": lambda x, y: x * y, "max": max, "min": min,
            "umax": lambda x, y: max(x, y, key=unsigned), "umin": lambda x, y: min(x, y, key=unsigned),
            "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}[kind]


def float_step(kind, propagate):
    return {"sum": lambda x, y: x + y, "prod": lambda x, y: x * y, "max": exact.pick(max, propagate),
            "min": exact.pick(min, propagate)}[kind]


def combined(kind, data, propagate, element):
    """All the partial results from the first element on; the last one is the reduction."""
    if not formats.is_float(element):
        step, width = integer_step(kind, formats.WIDTH[element]), formats.WIDTH[element]
        half = 1 << (width - 1)
        return list(_running(lambda a, b: (step(a, b) + half) % (2 * half) - half, data))
    return list(_running(float_step(kind, propagate), data))


def _running(step, data):
    total = None
    for number in data:
        total = number if total is None else step(total, number)
        yield total


def bounds(kind, data, element):
    """How far each partial sum or product may be off: a rounding of the accumulator's for each step, and that of the
    result."""
    if kind not in ("sum", "prod") or not formats.is_float(element):
        return [0.0] * len(data)
    step = "f64" if element == "f64" else "f32"
    with np.errstate(all="ignore"):
        numbers = np.asarray(data, np.float64)
        sizes = np.cumsum(np.abs(numbers)) if kind == "sum" else np.abs(np.cumprod(numbers))
        last = EPSILON[element] * np.abs(np.cumsum(numbers) if kind == "sum" else np.cumprod(numbers)) * 1.001
        found = EPSILON[step] * sizes * np.arange(1, numbers.size + 1) + (last if step != element else 0)
        tiny = math.ldexp(1.0, formats.SHAPE[element][1] - formats.SHAPE[element][0]) * numbers.size
        # What is made of zeros alone, or by one, is a zero.
        found += np.where(sizes == 0, 0.0, tiny)
    return np.nan_to_num(found, nan=0.0, posinf=math.inf).tolist()


VARIANTS = ("random", "nan", "all-nan", "infinities", "all-lowest", "zeros", "minus-zeros", "denormals", "extremes")
# A number that decides, at one place of rows of others: where it stands, what it is, and what the others are (None: random).
# Behind the last place an implementation pads the row; a maximum of the lowest number must not take what stands there.
LONE = {"nan-first": (0, math.nan, None), "nan-middle": (0.5, math.nan, None), "nan-last": (1, math.nan, None),
        "nan-of-lowest": (1, math.nan, -math.inf), "nan-of-highest": (0, math.nan, math.inf),
        "lowest-of-highest": (1, -math.inf, math.inf), "highest-of-lowest": (0, math.inf, -math.inf),
        "zero-first": (0, 0.0, -0.0), "zero-last": (1, 0.0, -0.0), "minus-zero-first": (0, -0.0, 0.0),
        "minus-zero-middle": (0.5, -0.0, 0.0), "minus-zero-last": (1, -0.0, 0.0)}
LONE_OF_SUMS = ("nan-first", "nan-last", "zero-last", "minus-zero-first")


def data_of(element, kind, shape, axis, variant):
    """Bits: random numbers with special ones at a row's ends and in its middle, or everywhere."""
    generator = values.dice(element, kind, shape, variant)
    if not formats.is_float(element):
        bits = generator.integers(0, (1 << formats.WIDTH[element]) - 1, shape, np.uint64, endpoint=True)
        if variant == "extremes":
            extremes = values.special(element)[:4]
            bits = np.array(extremes, np.uint64)[generator.integers(0, min(4, len(extremes)), shape)]
        return bits.astype(formats.BITS[formats.WIDTH[element]])
    numbers = generator.standard_normal(shape)
    rows = np.moveaxis(numbers, axis, -1)
    ends = [0, rows.shape[-1] // 2, -1]
    if variant in ("nan", "infinities"):
        rows[..., ends] = [math.nan] * 3 if variant == "nan" else [-math.inf, 1.0, math.inf]
    elif variant in LONE:
        place, one, others = LONE[variant]
        if others is not None:
            numbers[...] = others
        rows[..., int(place * (rows.shape[-1] - 1))] = one
    elif variant in ("all-nan", "all-lowest", "zeros", "minus-zeros"):
        numbers[...] = {"all-nan": math.nan, "all-lowest": -math.inf}.get(variant, -0.0)
        if variant == "zeros":
            rows[..., rows.shape[-1] // 3] = 0.0
    elif variant == "denormals":
        numbers *= formats.is_close_to_zero(element) / 8
    elif variant == "extremes":
        numbers[...] = float(formats.largest(element)) * np.where(generator.integers(0, 2, shape), 1, -1)
        if kind in ("sum", "prod"):  # Sums of few large ones do not overflow on the way.
            numbers /= 4096.0 if kind == "sum" else float(formats.largest(element))
    return formats.encode_all(numbers.reshape(-1), element).reshape(shape)


class Close(Numbers):
    """Numbers that may be off by a bound (0: the same number, with the sign of a zero)."""

    def __init__(self, kind, answers, numbers, off, describe=None):
        super().__init__(kind, answers, describe=describe)
        self.numbers, self.off = np.asarray(numbers), np.asarray(off)

    def wrong(self, got, device):
        wrong = super().wrong(got, device)
        if not formats.is_float(self.kind):
            return wrong
        seen = formats.decode_all(got, self.kind)
        with np.errstate(all="ignore"):
            near = (np.abs(seen - self.numbers) <= self.off) & (self.off > 0)
        zero = (seen == 0) & (self.numbers == 0) & (np.signbit(seen) != np.signbit(self.numbers)) & exact_zeros(self)
        return (wrong & ~near) | zero


def exact_zeros(check):
    """Where a zero is a sum of zeros of one sign, whose sign counts, and not a difference."""
    return check.off <= math.ldexp(1.0, -1000) if check.kind == "f64" else check.off < math.ldexp(1.0, -140)


def results(kind, bits, axis, element, propagate=False, reverse=False, scan=True):
    """Numbers, their bits and how far they may be off, in the shape of a scan or of a reduction."""
    rows = np.moveaxis(bits, axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    numbers, off = [], []
    for row in flat:
        data = [formats.decode(int(b), element) for b in (row[::-1] if reverse else row)]
        with np.errstate(all="ignore"):
            partial, bound = combined(kind, data, propagate, element), bounds(kind, data, element)
        partial, bound = (partial[::-1], bound[::-1]) if reverse else (partial, bound)
        numbers.append(partial if scan else partial[-1:])
        off.append(bound if scan else bound[-1:])
    shape = (*rows.shape[:-1], rows.shape[-1] if scan else 1)

    def shaped(array):
        array = np.moveaxis(array.reshape(shape), -1, axis)
        return array if scan else np.squeeze(array, axis)
    numbers = shaped(np.array(numbers, np.float64 if formats.is_float(element) else object))
    answers = np.array([formats.encode(n, element) for n in numbers.reshape(-1)], formats.BITS[formats.WIDTH[element]])
    return numbers.reshape(-1), answers, shaped(np.array(off)).reshape(-1)


def places(kind, element):
    """Shapes and axes: three for all, two in turns."""
    turn = KINDS.index(kind) + 4 * formats.ELEMENTS.index(element)
    others = [place for place in PLACES if place not in ALWAYS]
    return ALWAYS + (others[turn % len(others)], others[(turn + 3) % len(others)])


def variants(element, kind):
    if not formats.is_float(element):
        return ("random", "extremes")
    return VARIANTS + (LONE_OF_SUMS if kind in ("sum", "prod") else tuple(LONE))


def propagations(kind, element):
    """Whether NaN is propagated."""
    return (False, True) if kind in ("max", "min") and formats.is_float(element) else (False,)


def launch_of(line, kind, element, shape, axis, propagate=False, reverse=False, scan=False):
    """Each program takes another variant of the data; `line` gives the op from the source's name and its types."""
    result = shape if scan else shape[:axis] + shape[axis + 1:]
    kernel = Kernel(out="*" + element, source="*" + element)
    program = kernel.define("fsm.program_id x : i32")
    first = kernel.define(f"arith.muli {program}, {kernel.constant(size(shape))} overflow<nsw> : i32")
    target = kernel.define(f"arith.muli {program}, {kernel.constant(size(result))} overflow<nsw> : i32")
    source = kernel.load(kernel.moved("%source", element, first), element, shape)
    value = kernel.define(line(source, block(shape, element), block(result, element)))
    kernel.store(value, kernel.moved("%out", element, target), element, result)
    cases = variants(element, kind)
    data = [data_of(element, kind, shape, axis, variant) for variant in cases]
    found = [results(kind, bits, axis, element, propagate, reverse, scan) for bits in data]
    numbers, answers, off = (np.concatenate([part[i] for part in found]) for i in range(3))
    count = size(result)
    check = Close(element, answers, numbers, off, lambda i: f"{cases[i // count]} at {i % count}")
    flags = " propagate_nan" * propagate + " reverse" * reverse
    return kernel.launch(f"{kind} {element} {shape} axis {axis}{flags}",
                         [Out(element, answers.size), In(element, np.concatenate([bits.reshape(-1) for bits in data]))],
                         check, grid=len(data))


def refuse(name):
    """Kernels with the op on a type that it does not take."""
    def of(kind, element):
        text = formats.text_of(element)
        result = f" -> {text}" if name == "fsm.reduce" else ""
        line = f"%r = {name} <{kind}> {{}} axis 0 : tensor<4x{text}>{result}"
        if element == formats.POINTER:
            yield refused(line.format("%p"), p=element)
        else:
            yield refused_of_blocks(line.format("%b0"), element, 1)
    return of
