"""Steps that work element by element, on scalars and blocks: arithmetic, comparisons, choices, conversions, functions."""

from .language import (BITWISE, DIVISIONS, ELEMENTS, FLOAT_ORDERS, FLOATS, FUNCTIONS, INT_OPS, INT_ORDERS, INTS,
                       LARGEST, MINMAX, ROUNDINGS, SHIFTS, SMALL_FLOATS, WIDE_INTS)
from .registry import step
from .values import Bound, either, function_of, fused_of, product_of, rounded, sum_of, type_of

# Where a function's operand is cut off ("top": magnitudes are no larger, "low": no smaller); how steep the function is
# there at most, how large, and how many ulps language.md allows an f32.
SLOPES = {
    "math.exp": ("top", 4, 55, 55, 2.5), "math.exp2": ("top", 5, 23, 32, 2.7), "math.expm1": ("top", 4, 55, 54, 2),
    "math.log": ("low", 0.25, 4, 60, 2), "math.log2": ("low", 0.25, 6, 90, 2), "math.log1p": ("low", 0.25, 1, 60, 2),
    "math.rsqrt": ("low", 0.25, 4, 2, 2), "math.sin": ("top", 30, 1, 1, 2), "math.cos": ("top", 30, 1, 1, 2),
    "math.tanh": ("top", 60, 1, 1, 2), "math.erf": ("top", 60, 1.13, 1, 2),
}


def element_of(kernel, elements):
    """One of these types, sooner one that the kernel has values of."""
    mine = [e for e in elements if e in kernel.elements]
    return kernel.dice.choice(mine if mine and kernel.dice.random() < 0.7 else elements)


@step(5)
def integer(kernel):
    shape, element = kernel.shape(), element_of(kernel, tuple(INTS))
    op = kernel.dice.choice(INT_OPS)
    kernel.binary(op, kernel.some(shape, element), kernel.some(shape, element))


@step(2)
def shift(kernel):
    shape, element = kernel.shape(), element_of(kernel, WIDE_INTS)
    left, right = kernel.some(shape, element), kernel.masked(kernel.some(shape, element), INTS[element] - 1)
    kernel.binary(kernel.dice.choice(SHIFTS), left, right)


@step(4)
def divide(kernel):
    """By numbers from 1 to 63, or by odd ones from -31 to 31, of numbers that are not the smallest."""
    shape, element = kernel.shape(), element_of(kernel, WIDE_INTS)
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    if kernel.dice.random() < 0.5:
        right = kernel.masked(right, 63)
        right = kernel.binary("arith.ori", right, kernel.constant(shape, element, kernel.dice.choice((1, 8))))
    else:
        right = kernel.binary("arith.subi", kernel.masked(right, 62), kernel.constant(shape, element, 31))
        left = kernel.binary("arith.ori", left, kernel.constant(shape, element, 1))
    kernel.binary(kernel.dice.choice(DIVISIONS), left, right)


@step(0.7)
def absolute_integer(kernel):
    kernel.unary("math.absi", kernel.some(kernel.shape(), element_of(kernel, WIDE_INTS)))


@step(1.5)
def compare_integers(kernel):
    shape, element = kernel.shape(), element_of(kernel, tuple(INTS))
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.define(shape, "i1", f"arith.cmpi {kernel.dice.choice(INT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@step(1.5)
def compare_floats(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left, right = kernel.some(shape, element, exact=True), kernel.some(shape, element, exact=True)
    kernel.define(shape, "i1", f"arith.cmpf {kernel.dice.choice(FLOAT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@step(4)
def add_floats(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    size = left.bound.size + right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    kernel.binary(kernel.dice.choice(("arith.addf", "arith.subf")), left, right, sum_of(element, left.bound, right.bound))


@step(2)
def multiply(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    size = left.bound.size * right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    if kernel.dice.random() < 0.6:
        kernel.binary("arith.mulf", left, right, product_of(element, left.bound, right.bound))
        return
    third = kernel.clamp(kernel.some(shape, element))
    kernel.define(shape, element, f"math.fma {left.name}, {right.name}, {third.name} : {left.type}",
                  fused_of(element, left.bound, right.bound, third.bound))


@step(3)
def least_or_greatest(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.binary(kernel.dice.choice(MINMAX), left, right, either(left.bound, right.bound))


@step(3)
def signs(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    value = kernel.some(shape, element)
    choice = kernel.dice.randrange(3)
    if choice < 2:
        kernel.unary(("arith.negf", "math.absf")[choice], value, value.bound)
    elif kernel.specials:
        # A NaN has a sign, but which one nothing says.
        kernel.unary("arith.negf", value, value.bound)
    else:
        value = kernel.some(shape, element, exact=True)
        sign = kernel.some(shape, element, exact=True)
        kernel.binary("math.copysign", value, sign, value.bound)


@step(3)
def round_whole(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    value = kernel.some(shape, element, exact=True)
    kernel.unary(kernel.dice.choice(ROUNDINGS), value, Bound(value.bound.size + 1, 0, True))


@step(1.2)
def remainder(kernel):
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left = kernel.some(shape, element, exact=True)
    right = kernel.at_least(kernel.clamp(kernel.some(shape, element, exact=True)), 1.0)
    whole = left.bound.whole and right.bound.whole
    kernel.binary("arith.remf", left, right, Bound(min(left.bound.size, right.bound.size), 0, whole))


@step(1.5)
def quotient(kernel):
    """By magnitudes of at least 1/4: |a/b - a'/b'| <= (|a - a'| + |a'/b'| |b - b'|) / |b|."""
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    left = kernel.some(shape, element)
    left = kernel.limited(left, 4 * left.bound.size)
    right = kernel.at_least(kernel.some(shape, element), 0.25)
    a, b = left.bound, right.bound
    error = 4 * a.error + 16 * a.size * b.error
    exact = rounded(element, 4 * a.size, error)
    if kernel.has("fsm.div_rn") and kernel.dice.random() < 0.5:
        kernel.binary("fsm.div_rn", left, right, exact)
    elif element == "f64":
        kernel.binary("arith.divf", left, right, exact)
    elif not kernel.specials:
        kernel.binary("arith.divf", left, right, function_of(element, Bound(0, error, False), 1, 4 * a.size, 2))


@step(1.2)
def square_root(kernel):
    """Of 1/4 and more: no steeper than 1. Rounded correctly, whoever does it."""
    shape, element = kernel.shape(), element_of(kernel, FLOATS)
    value = kernel.at_least(kernel.some(shape, element), 0.25)
    bound = rounded(element, max(1, value.bound.size), value.bound.error)
    if kernel.has("fsm.sqrt_rn") and kernel.dice.random() < 0.5:
        kernel.unary("fsm.sqrt_rn", value, bound)
    else:
        kernel.unary("math.sqrt", value, bound)


@step(8)
def function(kernel):
    if kernel.specials:
        return round_whole(kernel)
    op, shape, element = kernel.dice.choice(FUNCTIONS), kernel.shape(), element_of(kernel, FLOATS)
    kind, end, steepness, size, ulps = SLOPES[op]
    value = kernel.some(shape, element)
    if kind == "top":
        value = kernel.clamp(value, end)
    else:
        # No logarithm of a number up to this exceeds `size`.
        value = kernel.at_least(kernel.clamp(value) if value.bound.size > LARGEST["f64"] else value, end)
    return kernel.unary(op, value, function_of(element, value.bound, steepness, size, 2 if element == "f64" else ulps))


@step(3)
def choose(kernel):
    shape = kernel.shape()
    element = kernel.dice.choice(ELEMENTS)
    condition, left, right = kernel.some(shape, "i1"), kernel.some(shape, element), kernel.some(shape, element)
    kinds = left.type
    if shape and kernel.dice.random() < 0.2:
        condition = kernel.some((), "i1")
    elif shape:
        kinds = f"{condition.type}, {left.type}"
    kernel.define(shape, element, f"arith.select {condition.name}, {left.name}, {right.name} : {kinds}",
                  either(left.bound, right.bound))


@step(6)
def convert(kernel):
    """From any type to any other."""
    elements = [e for e in ELEMENTS if e not in SMALL_FLOATS]
    old = kernel.dice.choice(elements)
    kernel.convert(kernel.some(kernel.shape(), old), kernel.dice.choice([e for e in elements if e != old]))


@step(3, needs="fsm.convert")
def convert_rounding(kernel):
    floats = (*FLOATS, *SMALL_FLOATS)
    old = kernel.dice.choice(floats)
    kernel.round_to(kernel.some(kernel.shape(), old), kernel.dice.choice([e for e in floats if e != old]))


@step(2.5)
def reinterpret(kernel):
    """A float's bits, and floats from bits that differ in the sign only: any bits may be a NaN or infinite."""
    pairs = {"f16": "i16", "bf16": "i16", "f32": "i32", "f64": "i64"}
    element = element_of(kernel, FLOATS)
    shape, bits = kernel.shape(), pairs[element]
    value = kernel.some(shape, element, exact=True)
    if kernel.specials:
        return
    kind, float_kind = type_of(shape, bits), type_of(shape, element)
    word = kernel.define(shape, bits, f"arith.bitcast {value.name} : {float_kind} to {kind}")
    if kernel.dice.random() < 0.7:
        sign = kernel.constant(shape, bits, -(1 << (INTS[bits] - 1)))
        word = kernel.binary(kernel.dice.choice(BITWISE[1:]), word, sign)
        kernel.define(shape, element, f"arith.bitcast {word.name} : {kind} to {float_kind}", value.bound)


@step(1, needs="fsm.philox")
def philox(kernel):
    shape = kernel.shape()
    words = [kernel.some(shape, "i32").name for _ in range(6)]
    name = kernel.name()
    kernel.write(f"{name}:4 = fsm.philox counter {', '.join(words[:4])} key {', '.join(words[4:])} : {type_of(shape, 'i32')}")
    kernel.adopt([f"{name}#{i}" for i in range(4)], shape, "i32")
