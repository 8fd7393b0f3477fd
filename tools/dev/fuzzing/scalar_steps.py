"""Steps that work element by element, on scalars and blocks: arithmetic, comparisons, choices, conversions, functions."""

from .language import (BITWISE, DIVISIONS, ELEMENTS, FLOAT_ORDERS, FLOATS, FUNCTIONS, INT_OPS, INT_ORDERS, INTS, LARGEST, MINMAX,
                       ROUNDINGS, SHIFTS, SMALL_FLOATS, WIDE_INTS, WIDTH)
from .registry import step
from .values import Bound, either, function_of, fused_of, product_of, rounded, sum_of, type_of
from .writer import small

# Where a function's operand is cut off ("top": magnitudes are no larger, "low": no smaller); how steep the function is
# there at most, how large, and how many ulps language.md allows an f32.
SLOPES = {
    "math.exp": ("top", 4, 55, 55, 2.5), "math.exp2": ("top", 5, 23, 32, 2.7), "math.expm1": ("top", 4, 55, 54, 2),
    "math.log": ("low", 0.25, 4, 60, 2), "math.log2": ("low", 0.25, 6, 90, 2), "math.log1p": ("low", 0.25, 1, 60, 2),
    "math.rsqrt": ("low", 0.25, 4, 2, 2), "math.sin": ("top", 30, 1, 1, 2), "math.cos": ("top", 30, 1, 1, 2),
    "math.tanh": ("top", 60, 1, 1, 2), "math.erf": ("top", 60, 1.13, 1, 2),
}


@step(INT_OPS, INTS)
def integer(kernel, op, element):
    shape = kernel.shape()
    kernel.binary(op, kernel.some(shape, element), kernel.some(shape, element))


@step(SHIFTS, WIDE_INTS)
def shift(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.masked(kernel.some(shape, element), INTS[element] - 1)
    kernel.binary(op, left, right)


@step(DIVISIONS, WIDE_INTS)
def divide(kernel, op, element):
    """By numbers from 1 to 63, or by odd ones from -31 to 31, of numbers that are not the smallest."""
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    if kernel.dice.random() < 0.5:
        right = kernel.masked(right, 63)
        right = kernel.binary("arith.ori", right, kernel.constant(shape, element, kernel.dice.choice((1, 8))))
    else:
        right = kernel.binary("arith.subi", kernel.masked(right, 62), kernel.constant(shape, element, 31))
        left = kernel.binary("arith.ori", left, kernel.constant(shape, element, 1))
    kernel.binary(op, left, right)


@step(("math.absi",), WIDE_INTS)
def absolute_integer(kernel, op, element):
    kernel.unary(op, kernel.some(kernel.shape(), element))


@step(("arith.cmpi",), INTS)
def compare_integers(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.define(shape, "i1", f"{op} {kernel.dice.choice(INT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@step(("arith.cmpf",), FLOATS)
def compare_floats(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element, exact=True), kernel.some(shape, element, exact=True)
    kernel.define(shape, "i1", f"{op} {kernel.dice.choice(FLOAT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@step(("arith.addf", "arith.subf"), FLOATS)
def add_floats(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    size = left.bound.size + right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    kernel.binary(op, left, right, sum_of(element, left.bound, right.bound))


@step(("arith.mulf", "math.fma"), FLOATS)
def multiply(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    size = left.bound.size * right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    if op == "arith.mulf":
        kernel.binary(op, left, right, product_of(element, left.bound, right.bound))
        return
    third = kernel.clamp(kernel.some(shape, element))
    kernel.define(shape, element, f"{op} {left.name}, {right.name}, {third.name} : {left.type}",
                  fused_of(element, left.bound, right.bound, third.bound))


@step(MINMAX, FLOATS)
def least_or_greatest(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.binary(op, left, right, either(left.bound, right.bound))


@step(("arith.negf", "math.absf"), FLOATS)
def sign(kernel, op, element):
    value = kernel.some(kernel.shape(), element)
    kernel.unary(op, value, value.bound)


@step(("math.copysign",), FLOATS)
def copy_sign(kernel, op, element):
    shape = kernel.shape()
    value, other = kernel.some(shape, element, exact=True), kernel.some(shape, element, exact=True)
    if kernel.specials:
        # A NaN has a sign, but which one nothing says.
        zero = kernel.constant(shape, element, 0)
        other = kernel.binary("arith.maxnumf", other, zero, other.bound)
    kernel.binary(op, value, other, value.bound)


@step(ROUNDINGS, FLOATS)
def round_whole(kernel, op, element):
    value = kernel.some(kernel.shape(), element, exact=True)
    kernel.unary(op, value, Bound(value.bound.size + 1, 0, True))


@step(("arith.remf",), FLOATS)
def remainder(kernel, op, element):
    shape = kernel.shape()
    left = kernel.some(shape, element, exact=True)
    right = kernel.at_least(kernel.clamp(kernel.some(shape, element, exact=True)), 1.0)
    whole = left.bound.whole and right.bound.whole
    kernel.binary(op, left, right, Bound(min(left.bound.size, right.bound.size), 0, whole))


@step(("arith.divf", "fsm.div_rn"), FLOATS)
def quotient(kernel, op, element):
    """By magnitudes of at least 1/4: |a/b - a'/b'| <= (|a - a'| + |a'/b'| |b - b'|) / |b|."""
    shape = kernel.shape()
    left = kernel.some(shape, element)
    left = kernel.limited(left, 4 * left.bound.size)
    right = kernel.at_least(kernel.some(shape, element), 0.25)
    a, b = left.bound, right.bound
    error = 4 * a.error + 16 * a.size * b.error
    exact = rounded(element, 4 * a.size, error)
    if op == "arith.divf" and element != "f64":
        exact = function_of(element, Bound(0, error, False), 1, 4 * a.size, 2)
        # An infinite or missing quotient must not depend on an error.
        op = "fsm.div_rn" if kernel.specials else op
    kernel.binary(op, left, right, exact)


@step(("math.sqrt", "fsm.sqrt_rn"), FLOATS)
def square_root(kernel, op, element):
    """Of 1/4 and more: no steeper than 1. Rounded correctly, whoever does it."""
    value = kernel.at_least(kernel.some(kernel.shape(), element), 0.25)
    kernel.unary(op, value, rounded(element, max(1, value.bound.size), value.bound.error))


@step(FUNCTIONS, FLOATS)
def function(kernel, op, element):
    kind, end, steepness, size, ulps = SLOPES[op]
    value = kernel.some(kernel.shape(), element)
    if kernel.specials:
        value = finite(kernel, value)
    if kind == "top":
        value = kernel.clamp(value, end)
    else:
        # No logarithm of a number up to this exceeds `size`.
        value = kernel.at_least(kernel.clamp(value) if value.bound.size > LARGEST["f64"] else value, end)
    kernel.unary(op, value, function_of(element, value.bound, steepness, size, 2 if element == "f64" else ulps))


def finite(kernel, value):
    """The value, or 1 where it is infinite or NaN: where an error begins, neither may hang on it."""
    magnitude = kernel.define(value.shape, value.element, f"math.absf {value.name} : {value.type}", hide=True)
    most = kernel.constant(value.shape, value.element, small(value.element))
    inside = "tensor<" + "x".join(map(str, value.shape)) + "xi1>, " if value.shape else ""
    is_small = kernel.define(value.shape, "i1", f"arith.cmpf ole, {magnitude.name}, {most.name} : {value.type}", hide=True)
    one = kernel.constant(value.shape, value.element, 1)
    bound = Bound(small(value.element), value.bound.error, value.bound.whole)
    return kernel.define(value.shape, value.element, f"arith.select {is_small.name}, {value.name}, {one.name} : "
                         f"{inside}{value.type}", bound, hide=True)


@step(("arith.select",), ELEMENTS)
def choose(kernel, op, element):
    shape = kernel.shape()
    condition, left, right = kernel.some(shape, "i1"), kernel.some(shape, element), kernel.some(shape, element)
    kinds = left.type
    if shape and kernel.dice.random() < 0.2:
        condition = kernel.some((), "i1")
    elif shape:
        kinds = f"{condition.type}, {left.type}"
    kernel.define(shape, element, f"{op} {condition.name}, {left.name}, {right.name} : {kinds}",
                  either(left.bound, right.bound))


def narrower(elements, element):
    return [e for e in elements if WIDTH[e] < WIDTH[element]]


def wider(elements, element):
    return [e for e in elements if WIDTH[e] > WIDTH[element]]


@step(("arith.extsi", "arith.extui"), ("i1", "i8", "i16", "i32"))
@step(("arith.trunci",), WIDE_INTS)
def resize_integer(kernel, op, element):
    value = kernel.some(kernel.shape(), element)
    to = kernel.dice.choice((narrower if op == "arith.trunci" else wider)(INTS, element))
    kernel.define(value.shape, to, f"{op} {value.name} : {value.type} to {type_of(value.shape, to)}")


@step(("arith.sitofp", "arith.uitofp"), INTS)
def to_float(kernel, op, element):
    kernel.int_to_float(kernel.some(kernel.shape(), element), kernel.dice.choice(FLOATS), op)


@step(("arith.fptosi", "arith.fptoui"), FLOATS)
def to_integer(kernel, op, element):
    kernel.float_to_int(kernel.some(kernel.shape(), element, exact=True), kernel.dice.choice(tuple(INTS)), op)


@step(("arith.extf",), ("f16", "bf16", "f32"))
@step(("arith.truncf",), ("f32", "f64"))
def resize_float(kernel, op, element):
    value = kernel.some(kernel.shape(), element)
    to = kernel.dice.choice((narrower if op == "arith.truncf" else wider)(FLOATS, element))
    kernel.resize(kernel.limited_to(value, to), to)


@step(("fsm.convert",), (*FLOATS, *SMALL_FLOATS))
def convert_rounding(kernel, op, element):
    floats = (*FLOATS, *SMALL_FLOATS)
    kernel.round_to(kernel.some(kernel.shape(), element), kernel.dice.choice([e for e in floats if e != element]))


PAIRS = {"f16": "i16", "bf16": "i16", "f32": "i32", "f64": "i64"}


@step(("arith.bitcast",), FLOATS)
def reinterpret(kernel, op, element):
    """A float's bits, and floats from bits that differ in the sign only: any bits may be a NaN or infinite."""
    shape, bits = kernel.shape(), PAIRS[element]
    value = kernel.some(shape, element, exact=True)
    if kernel.specials:
        value = finite(kernel, value)
    kind, float_kind = type_of(shape, bits), type_of(shape, element)
    word = kernel.define(shape, bits, f"arith.bitcast {value.name} : {float_kind} to {kind}")
    if kernel.dice.random() < 0.9:
        top = kernel.constant(shape, bits, -(1 << (INTS[bits] - 1)))
        word = kernel.binary(kernel.dice.choice(BITWISE[1:]), word, top)
        kernel.define(shape, element, f"arith.bitcast {word.name} : {kind} to {float_kind}", value.bound)


@step(("fsm.philox",), ("i32",))
def philox(kernel, op, element):
    shape = kernel.shape()
    words = [kernel.some(shape, "i32").name for _ in range(6)]
    name = kernel.name()
    kernel.write(f"{name}:4 = {op} counter {', '.join(words[:4])} key {', '.join(words[4:])} : {type_of(shape, element)}")
    kernel.adopt([f"{name}#{i}" for i in range(4)], shape, element)
