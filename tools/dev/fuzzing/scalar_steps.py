"""Steps that work element by element, on scalars and blocks: arithmetic, comparisons, choices."""

from .language import (COUNTS, DIVISIONS, ELEMENTS, FLOAT_ORDERS, FLOATS, INT_OPS, INT_ORDERS, INTS, MINMAX, ROUNDINGS, SHIFTS,
                       UPPER_HALF, WIDE_INTS)
from .registry import small_step
from .values import Bound, either, function_of, fused_of, product_of, rounded, sum_of, type_of, ulp
from .writer import LONG, small

@small_step(INT_OPS, INTS)
def integer(kernel, op, element):
    shape = kernel.shape()
    kernel.binary(op, kernel.some(shape, element), kernel.some(shape, element))


@small_step(UPPER_HALF, WIDE_INTS)
def upper_half(kernel, op, element):
    shape = kernel.shape()
    kernel.binary(op, kernel.some(shape, element), kernel.some(shape, element))


@small_step(SHIFTS, INTS)
def shift(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.masked(kernel.some(shape, element), INTS[element] - 1)
    kernel.binary(op, left, right)


@small_step(DIVISIONS, WIDE_INTS)
def divide(kernel, op, element):
    """By numbers from 1 to 63, or by odd ones from -31 to 31, of numbers that are not the smallest."""
    shape = kernel.shape(LONG)
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    if kernel.dice.random() < 0.5:
        right = kernel.masked(right, 63)
        right = kernel.binary("arith.ori", right, kernel.constant(shape, element, kernel.dice.choice((1, 8))))
    else:
        right = kernel.binary("arith.subi", kernel.masked(right, 62), kernel.constant(shape, element, 31))
        left = kernel.binary("arith.ori", left, kernel.constant(shape, element, 1))
    kernel.binary(op, left, right)


@small_step(DIVISIONS, ("i1",))
def divide_truths(kernel, op, element):
    """By true, which is -1 to a signed division; -1 by -1 has no result."""
    shape = kernel.shape()
    left, one = kernel.some(shape, element), kernel.constant(shape, element, 1)
    if "ui" not in op:
        left = kernel.binary("arith.andi", left, kernel.constant(shape, element, 0))
    kernel.binary(op, left, kernel.binary("arith.ori", kernel.some(shape, element), one))


@small_step(("math.absi", *COUNTS), INTS)
def of_an_integer(kernel, op, element):
    kernel.unary(op, kernel.some(kernel.shape(), element))


@small_step(("arith.cmpi",), INTS)
def compare_integers(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.define(shape, "i1", f"{op} {kernel.dice.choice(INT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@small_step(("arith.cmpf",), FLOATS)
def compare_floats(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element, exact=True), kernel.some(shape, element, exact=True)
    kernel.define(shape, "i1", f"{op} {kernel.dice.choice(FLOAT_ORDERS)}, {left.name}, {right.name} : {left.type}")


@small_step(("arith.addf", "arith.subf"), FLOATS)
def add_floats(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    size = left.bound.size + right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    kernel.binary(op, left, right, sum_of(element, left.bound, right.bound))


@small_step(("arith.mulf", "math.fma"), FLOATS)
def multiply(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    if kernel.specials and not (left.exact and right.exact):
        # Infinity times what may be 0 or nearly so.
        left, right = finite(kernel, left), finite(kernel, right)
    size = left.bound.size * right.bound.size
    left, right = kernel.limited(left, size), kernel.limited(right, size)
    product = product_of(element, left.bound, right.bound)
    if op == "arith.mulf" and kernel.dice.random() < 0.8:
        kernel.binary(op, left, right, product)
        return
    third = kernel.clamp(kernel.some(shape, element))
    if op == "arith.mulf":
        contracted(kernel, left, right, third, product)
        return
    kernel.define(shape, element, f"{op} {left.name}, {right.name}, {third.name} : {left.type}",
                  fused_of(element, left.bound, right.bound, third.bound))


def contracted(kernel, left, right, third, product):
    """A product and a sum that may be rounded as one; the product's rounding is then missing."""
    flag, element = " fastmath<contract>", left.element
    part = kernel.define(left.shape, element, f"arith.mulf {left.name}, {right.name}{flag} : {left.type}", product, hide=True)
    bound = sum_of(element, product, third.bound)
    if not (bound.whole and bound.error == 0 and bound.size < 1 << 8):
        bound = Bound(bound.size, bound.error + ulp(element, product.size) + ulp(element, bound.size), False)
    kernel.define(left.shape, element, f"arith.addf {part.name}, {third.name}{flag} : {left.type}", bound)


@small_step(MINMAX, FLOATS)
def least_or_greatest(kernel, op, element):
    shape = kernel.shape()
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    kernel.binary(op, left, right, either(left.bound, right.bound))


@small_step(("arith.negf", "math.absf"), FLOATS)
def sign(kernel, op, element):
    value = kernel.some(kernel.shape(), element)
    kernel.unary(op, value, value.bound)


@small_step(("math.copysign",), FLOATS)
def copy_sign(kernel, op, element):
    shape = kernel.shape()
    value, other = kernel.some(shape, element, exact=True), kernel.some(shape, element, exact=True)
    if kernel.specials:
        # A NaN has a sign, but which one nothing says.
        zero = kernel.constant(shape, element, 0)
        other = kernel.binary("arith.maxnumf", other, zero, other.bound)
    kernel.binary(op, value, other, value.bound)


@small_step(ROUNDINGS, FLOATS)
def round_whole(kernel, op, element):
    value = kernel.some(kernel.shape(), element, exact=True)
    kernel.unary(op, value, Bound(value.bound.size + 1, 0, True))


@small_step(("arith.remf",), FLOATS)
def remainder(kernel, op, element):
    shape = kernel.shape(LONG)
    left = kernel.some(shape, element, exact=True)
    right = kernel.at_least(kernel.clamp(kernel.some(shape, element, exact=True)), 1.0)
    whole = left.bound.whole and right.bound.whole
    kernel.binary(op, left, right, Bound(min(left.bound.size, right.bound.size), 0, whole))


@small_step(("arith.divf", "fsm.div_rn"), FLOATS)
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
        op = "fsm.div_rn" if kernel.specials and not (left.exact and right.exact) else op
    kernel.binary(op, left, right, exact)


@small_step(("math.sqrt", "fsm.sqrt_rn"), FLOATS)
def square_root(kernel, op, element):
    """Of 1/4 and more: no steeper than 1. Rounded correctly, whoever does it."""
    value = kernel.at_least(kernel.some(kernel.shape(), element), 0.25)
    kernel.unary(op, value, rounded(element, max(1, value.bound.size), value.bound.error))


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


@small_step(("arith.select",), ELEMENTS)
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


@small_step(("fsm.philox",), ("i32",))
def philox(kernel, op, element):
    shape = kernel.shape()
    words = [kernel.some(shape, "i32").name for _ in range(6)]
    name = kernel.name()
    kernel.write(f"{name}:4 = {op} counter {', '.join(words[:4])} key {', '.join(words[4:])} : {type_of(shape, element)}")
    kernel.adopt([f"{name}#{i}" for i in range(4)], shape, element)
