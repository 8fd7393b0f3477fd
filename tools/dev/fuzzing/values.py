"""Values of a kernel, and what is known of the floats among them.

A Bound holds for every element of a value that is finite:

- size: no magnitude is larger, on the interpreter;
- error: no device differs from the interpreter by more. Elements of error 0 have the same bits everywhere;
- whole: all are whole numbers.

Most float ops are rounded correctly by every device, so from equal operands they give equal bits, and the error stays
0. It begins with an op whose answer is a matter of the device: a sum of numbers that are not whole in an order of its
own, `arith.divf`, `math.exp`. From there it grows with each op, by the rules below. `u` is half an ulp of 1,
2^-precision, so that a correctly rounded result x is within u |x| of the exact one, and two devices that round
different numbers differ by at most what the numbers differ by and 2 u |x|.
"""

from collections import namedtuple

from .language import COMPUTED_IN, PRECISION, TINY

Bound = namedtuple("Bound", "size error whole")
NONE = Bound(0, 0, True)


class Value:
    """An SSA value: its shape is () for a scalar."""

    __slots__ = ("name", "shape", "element", "bound", "reach")

    def __init__(self, name, shape, element, bound=NONE):
        self.name, self.shape, self.element, self.bound = name, shape, element, bound
        # Of offsets no two of which are equal, the number behind the largest.
        self.reach = 0

    @property
    def type(self):
        return type_of(self.shape, self.element)

    @property
    def exact(self):
        return self.bound.error == 0


def type_of(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element


def size_of(shape):
    size = 1
    for extent in shape:
        size *= extent
    return size


def ulp(element, size):
    """At most one unit in the last place of a number of this magnitude."""
    return 2.0 ** (1 - PRECISION[element]) * size + TINY[element]


def rounded(element, size, error, whole=False):
    """A correctly rounded result: `error` is what the exact results differ by."""
    return Bound(size, error + ulp(element, size + error) if error else 0, whole)


def sum_of(element, a, b):
    return rounded(element, a.size + b.size, a.error + b.error, a.whole and b.whole)


def product_of(element, a, b):
    error = a.size * b.error + b.size * a.error + a.error * b.error
    return rounded(element, a.size * b.size, error, a.whole and b.whole)


def fused_of(element, a, b, c):
    """a * b + c, rounded once."""
    error = a.size * b.error + b.size * a.error + a.error * b.error + c.error
    return rounded(element, a.size * b.size + c.size, error, a.whole and b.whole and c.whole)


def either(*bounds):
    return Bound(max(b.size for b in bounds), max(b.error for b in bounds), all(b.whole for b in bounds))


def is_summed_exactly(accumulator, bound, count):
    """Whether a sum of so many is a whole number at each step, in any order, that the accumulator holds."""
    return bound.whole and bound.error == 0 and bound.size * count <= 2 ** PRECISION[accumulator]


def total_of(element, bound, count, accumulator=None):
    """The sum of `count` elements in any order, in the type that sums are computed in, then rounded to `element`.

    Each of the count - 1 additions rounds a partial sum of magnitude count * size at most: off by (count - 1) u count
    size for either device, whatever the order (Higham, Accuracy and Stability, 4.2, to first order; 1 % covers the rest).
    """
    accumulator = accumulator or COMPUTED_IN[element]
    size = bound.size * count
    if is_summed_exactly(accumulator, bound, count):
        return Bound(size, 0, True)
    if count == 1:
        return bound
    error = count * bound.error + 2.02 * (count - 1) * 2.0 ** -PRECISION[accumulator] * size + TINY[accumulator]
    if accumulator != element:
        error += ulp(element, size)
    return Bound(size, error, False)


def power_of(element, bound, count):
    """The product of `count` elements in any order; they are at most 1 unless the product is small and whole.

    A product of numbers up to 1 that are off by e is off by count e at most; each multiplication adds u.
    """
    accumulator = COMPUTED_IN[element]
    if bound.whole and bound.error == 0 and bound.size**count <= 2 ** PRECISION[accumulator]:
        return Bound(bound.size**count, 0, True)
    error = 1.01 * count * (bound.error + 2 * 2.0 ** -PRECISION[accumulator]) + count * TINY[accumulator]
    if accumulator != element:
        error += ulp(element, 1)
    return Bound(1, error, False)


def function_of(element, bound, steepness, size, ulps):
    """A function of at most this steepness and magnitude, which an f32 or f64 device gets to within `ulps`.

    The half formats compute it in f32 and round it: two devices give the same number or neighbours.
    """
    apart = 2 * ulps if COMPUTED_IN[element] == element else 1.05
    return Bound(size, steepness * bound.error + apart * ulp(element, size), False)
