"""Steps that convert elements, from each type to each that the language has a way to."""

from .language import FLOATS, INTS, SMALL_FLOATS, WIDTH
from .registry import pair_step
from .required import formats
from .scalar_steps import finite
from .values import NONE, Bound, type_of
from .writer import small

ALL_FLOATS = (*FLOATS, *SMALL_FLOATS)
ALL = (*INTS, *ALL_FLOATS)
GROWING = [(a, b) for a in INTS for b in INTS if WIDTH[a] < WIDTH[b]]
GROWING_FLOATS = [(a, b) for a in FLOATS for b in FLOATS if WIDTH[a] < WIDTH[b]]


def target_of(op):
    """Op and target of a cell's name."""
    name, target = op.split(" to ")
    return name, target


@pair_step("arith.extsi", GROWING)
@pair_step("arith.extui", GROWING)
@pair_step("arith.trunci", [(b, a) for a, b in GROWING])
def resize_integer(kernel, op, element):
    op, to = target_of(op)
    value = kernel.some(kernel.shape(), element)
    kernel.define(value.shape, to, f"{op} {value.name} : {value.type} to {type_of(value.shape, to)}")


@pair_step("arith.sitofp", [(a, b) for a in INTS for b in FLOATS])
@pair_step("arith.uitofp", [(a, b) for a in INTS for b in FLOATS])
def to_float(kernel, op, element):
    op, to = target_of(op)
    kernel.int_to_float(kernel.some(kernel.shape(), element), to, op)


@pair_step("arith.fptosi", [(a, b) for a in FLOATS for b in INTS])
@pair_step("arith.fptoui", [(a, b) for a in FLOATS for b in INTS])
def to_integer(kernel, op, element):
    op, to = target_of(op)
    kernel.float_to_int(kernel.some(kernel.shape(), element, exact=True), to, op)


@pair_step("arith.extf", GROWING_FLOATS)
@pair_step("arith.truncf", [(b, a) for a, b in GROWING_FLOATS])
def resize_float(kernel, op, element):
    _, to = target_of(op)
    kernel.resize(kernel.limited_to(kernel.some(kernel.shape(), element), to), to)


@pair_step("fsm.convert", [(a, b) for a in ALL_FLOATS for b in ALL_FLOATS if a != b])
def convert_rounding(kernel, op, element):
    _, to = target_of(op)
    kernel.round_to(kernel.some(kernel.shape(), element), to)


@pair_step("arith.bitcast", [(a, b) for a in ALL for b in ALL if WIDTH[a] == WIDTH[b]])
def reinterpret(kernel, op, element):
    """Bits of one type as another; those that become a float are made to be a number first, and not a tiny one."""
    op, to = target_of(op)
    shape = kernel.shape()
    value = kernel.some(shape, element, exact=True)
    if kernel.specials and element in FLOATS:
        value = finite(kernel, value)
    bound = NONE
    if to not in INTS and element in INTS:
        value, bound = number_bits(kernel, value, to), Bound(2, 0, False)
    elif to not in INTS:
        if element in FLOATS and to != element:
            # No bits of a denormal.
            value = kernel.at_least(kernel.clamp(value), 0.25)
        size = max(value.bound.size, small(element))
        bound = value.bound if to == element else Bound(
            abs(formats.decode(formats.encode(size, element), to)), 0, False)
    kernel.define(shape, to, f"{op} {value.name} : {value.type} to {type_of(shape, to)}", bound)


def number_bits(kernel, value, to):
    """Bits whose exponent begins with 01, or 001 with ones behind it: magnitudes below 2 that are far from the least."""
    width = WIDTH[value.element]
    ones = kernel.constant(value.shape, value.element, ~(1 << (width - 2)))
    value = kernel.binary("arith.andi", value, ones)
    return kernel.binary("arith.ori", value, kernel.constant(value.shape, value.element, 1 << (width - 3)))
