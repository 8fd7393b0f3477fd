"""Products of every type, of single matrices and batches of any extents, within (K + 2) eps of the sum of magnitudes.

The two types of f8 may meet. Infinities and NaN come out where IEEE 754 has them, whatever the order of the sum. Sums of f16
may be in f16, those of i8 stay in their range, and those of f8 be cut as tensor cores do.
"""

import numpy as np

from suite import formats, values
from suite.elementwise import Numbers
from suite.kernels import Kernel, Structured, block, refused, refused_of_blocks
from suite.launches import In, Out

SUMS = {"f16": "f32", "bf16": "f32", "f8E4M3FN": "f32", "f8E5M2": "f32", "f32": "f32", "i8": "i32", "f64": "f64"}
# Batch (0: none), rows, inner extent, columns.
EXTENTS = ((0, 1, 1, 1), (0, 16, 16, 16), (0, 17, 5, 33), (0, 64, 32, 16), (0, 3, 100, 1), (0, 1, 7, 65), (3, 5, 9, 4),
           (2, 16, 8, 17), (0, 128, 64, 64))
# Sums of f16 may be cut.
EPSILON = {"f16": 2.0 ** -10, "f32": 2.0 ** -24, "f64": 2.0 ** -53}
# What the rounding of operands may add, as a part of the sum of magnitudes (tf32 has 11 bits).
PRECISIONS = {"ieee": 0.0, "tf32": 2.0 ** -9, "tf32x3": 2.0 ** -18, "bf16x3": 2.0 ** -14, "bf16x6": 2.0 ** -20}
# How many products one becomes.
PARTS = {"tf32x3": 3, "bf16x3": 3, "bf16x6": 6}
# Their numbers below the normal ones are multiples of this.
STEPS = {"ieee": 0.0, "tf32": 2.0 ** -136, "tf32x3": 2.0 ** -136, "bf16x3": 2.0 ** -133, "bf16x6": 2.0 ** -133}
# Of f8, tensor cores cut each of 33 terms, the old sum among them, behind so many bits of the largest.
SHORT_TERMS, SHORT_BITS = 33, 13
VARIANTS = ("random", "special", "denormals", "zeros")


class Within(Numbers):
    """Finite numbers within a bound, others as they are."""

    def __init__(self, kind, numbers, bound):
        super().__init__(kind, formats.encode_all(numbers, kind))
        self.numbers, self.bound = numbers, bound

    def wrong(self, got, device):
        seen = formats.decode_all(got, self.kind)
        with np.errstate(all="ignore"):
            near = np.abs(seen - self.numbers) <= self.bound
        return ~np.where(np.isfinite(self.numbers), near, (seen == self.numbers) | (np.isnan(seen) & np.isnan(self.numbers)))


def operand(kind, shape, side, variant):
    """Bits of a matrix. Special numbers stand at the corners and inside; each row has one kind of them."""
    generator = values.dice("dot", kind, shape, side, variant)
    if kind == "i8":
        low = -128 if variant in ("special", "denormals") else -128 * (variant == "random")
        high = {"random": 128, "special": -126}.get(variant, 1)
        return generator.integers(low, high, shape).astype(np.int8).view(np.uint8)
    numbers = generator.standard_normal(shape)
    if variant == "special" and side == "left":
        numbers[..., 0, 0] = np.inf
        numbers[..., -1, -1] = np.nan
        numbers[..., shape[-2] // 2, shape[-1] // 2] = -np.inf
    elif variant == "special":
        numbers[..., 0, -1] = 0.0
        numbers[..., -1, 0] = np.inf
    elif variant == "denormals" and side == "left":
        numbers *= formats.is_close_to_zero(kind) / 4
    elif variant == "zeros":
        numbers *= -0.0
    return formats.encode_all(numbers.reshape(-1), kind).reshape(shape)


def product(kind, other, total, left, right, acc):
    """The numbers, the sums of magnitudes, and those of the factors alone, without a rounding that counts."""
    wide = np.longdouble if kind == "f64" else np.float64
    x, y, c = (formats.decode_all(bits.reshape(-1), k).astype(wide).reshape(bits.shape)
               for bits, k in ((left, kind), (right, other), (acc, total)))
    with np.errstate(all="ignore"):
        ones = np.ones_like(c)
        return x @ y + c, np.abs(x) @ np.abs(y) + np.abs(c), np.abs(x).sum(-1)[..., None] * ones \
            + np.abs(y).sum(-2)[..., None, :] * ones


def one(kind, extents, precision=None, other=None, total=None, accumulate=None, saturate=False):
    """Each program multiplies other matrices. The right ones have elements of the type `other`, if there is one."""
    other, total = other or kind, total or SUMS[kind]
    batch, rows, inner, columns = extents
    front = (batch,) if batch else ()
    shapes = [(*front, rows, inner), (*front, inner, columns), (*front, rows, columns)]
    kernel = Kernel(out="*" + total, left="*" + kind, right="*" + other, acc="*" + total)
    program, names = kernel.define("fsm.program_id x : i32"), []
    for name, shape, element in zip(("left", "right", "acc"), shapes, (kind, other, total)):
        first = kernel.define(f"arith.muli {program}, {kernel.constant(int(np.prod(shape)))} : i32")
        names.append(kernel.load(kernel.moved("%" + name, element, first), element, shape))
    types = f"{block(shapes[0], kind)}, {block(shapes[1], other)} -> {block(shapes[2], total)}"
    mode = (f" precision = {precision}" if precision else "") + (f" accumulate = {accumulate}" if accumulate else "") \
        + (" saturate" if saturate else "")
    result = kernel.define(f"fsm.dot {', '.join(names)}{mode} : {types}")
    kernel.store(result, kernel.moved("%out", total, first), total, shapes[2])
    left, right = (np.stack([operand(element, shape, side, variant) for variant in VARIANTS])
                   for side, shape, element in (("left", shapes[0], kind), ("right", shapes[1], other)))
    # Where products have both signs, no order of the sum may leave the range.
    acc = np.stack([operand_of_sum(total, shapes[2], variant, inner * 2 ** 14 if saturate and variant == "random" else 0)
                    for variant in VARIANTS])
    arguments = [Out(total, acc.size), In(kind, left), In(other, right), In(total, acc)]
    if kind == "i8":
        exact = left.view(np.int8).astype(np.int64) @ right.view(np.int8).astype(np.int64) + acc.view(np.int32)
        if saturate:
            exact = exact.clip(-2 ** 31, 2 ** 31 - 1)
        check = Numbers(total, exact.astype(np.int32).reshape(-1).view(np.uint32))
    else:
        numbers, sizes, factors = (array.reshape(-1).astype(np.float64)
                                   for array in product(kind, other, total, left, right, acc))
        part = (inner + 2) * EPSILON[total] * PARTS.get(precision, 1) + PRECISIONS.get(precision, 0)
        if accumulate:
            part += -(-inner // 32) * SHORT_TERMS * 2.0 ** -SHORT_BITS
        least = formats.is_close_to_zero(total) * 2 * EPSILON[total] * (inner + 2)
        bound = part * sizes + least
        with np.errstate(all="ignore"):
            bound += STEPS[precision] * factors if precision else 0
        check = Within(total, numbers, bound)
    return kernel.launch(f"{extents}{mode} {other} {total}", arguments, check, grid=len(VARIANTS))


def operand_of_sum(kind, shape, variant, room):
    generator = values.dice("acc", kind, shape, variant)
    if kind == "i32":
        top = (1 << 31) - room
        return generator.integers(-top, top, shape).astype(np.int32).view(np.uint32)
    numbers = generator.standard_normal(shape) * (variant not in ("zeros", "denormals"))
    return formats.encode_all(numbers.reshape(-1), kind).reshape(shape)


def make(kind):
    modes = PRECISIONS if kind == "f32" else [None]
    mixed = {"f8E4M3FN": "f8E5M2", "f8E5M2": "f8E4M3FN"}.get(kind)
    made = [one(kind, extents, mode) for extents in EXTENTS for mode in modes]
    if mixed:
        made += [one(kind, extents, other=mixed, accumulate=accumulate) for extents in EXTENTS for accumulate in (None, 32)]
        made += [one(kind, extents, accumulate=1 << 20) for extents in EXTENTS]
    if kind == "f16":
        made += [one(kind, extents, total="f16") for extents in EXTENTS]
    if kind == "i8":
        made += [one(kind, extents, saturate=True) for extents in EXTENTS]
    return made


def refuse(kind):
    text = formats.text_of(kind)
    line = f"%r = fsm.dot {{0}}, {{0}}, {{0}} : tensor<4x4x{text}>, tensor<4x4x{text}> -> tensor<4x4x{text}>"
    if kind == formats.POINTER:
        yield refused(line.format("%p"), p=kind)
    else:
        yield refused_of_blocks(line.format("%b0"), kind, 1, (4, 4))


OP = Structured(tuple(SUMS), make, refuse)
