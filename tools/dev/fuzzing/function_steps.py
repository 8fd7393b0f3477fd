"""Steps that compute functions of floats, where they are well-conditioned: devices may differ by some ulps of a result, and
by what their operands differ by, times the function's steepness."""

from collections import namedtuple

from .language import FLOATS, LARGEST
from .registry import small_step
from .scalar_steps import finite
from .values import Bound, function_of
from .writer import LONG

# Where a function's operand is cut off ("top": magnitudes are no larger, "low": no smaller, and none is negative); how steep
# the function is there at most, how large, and how many ulps language.md allows an f32.
Domain = namedtuple("Domain", "kind end steepness size ulps")
DOMAINS = {
    "math.exp": Domain("top", 4, 55, 55, 2.5), "math.exp2": Domain("top", 5, 23, 32, 2.7),
    "math.expm1": Domain("top", 4, 55, 54, 2), "math.log": Domain("low", 0.25, 4, 60, 2),
    "math.log2": Domain("low", 0.25, 6, 90, 2), "math.log10": Domain("low", 0.25, 1.8, 40, 2),
    "math.log1p": Domain("low", 0.25, 1, 60, 2), "math.rsqrt": Domain("low", 0.25, 4, 2, 2),
    "math.sin": Domain("top", 30, 1, 1, 2), "math.cos": Domain("top", 30, 1, 1, 2),
    "math.tan": Domain("top", 1.25, 10.1, 3.1, 2), "math.asin": Domain("top", 0.875, 2.1, 1.1, 2),
    "math.acos": Domain("top", 0.875, 2.1, 2.7, 2), "math.atan": Domain("top", 1000, 1, 1.6, 2),
    "math.sinh": Domain("top", 4, 27.4, 27.4, 2), "math.cosh": Domain("top", 4, 27.4, 27.4, 2),
    "math.tanh": Domain("top", 60, 1, 1, 2), "math.asinh": Domain("top", 1000, 1, 7.7, 2),
    "math.acosh": Domain("low", 1.25, 1.4, 60, 2), "math.atanh": Domain("top", 0.875, 4.3, 1.4, 2),
    "math.erf": Domain("top", 60, 1.13, 1, 2), "math.erfc": Domain("top", 60, 1.13, 2, 2),
    # No cube root of what is at least 1/4 exceeds it by more than a factor of 2.6; clamped to 1000, it is at most 10.
    "math.cbrt": Domain("low", 0.25, 0.85, 10, 2),
}


def ulps_of(element, allowed):
    return 2 if element == "f64" else allowed


@small_step(DOMAINS, FLOATS)
def function(kernel, op, element):
    domain = DOMAINS[op]
    value = kernel.some(kernel.shape(LONG), element)
    if kernel.specials:
        value = finite(kernel, value)
    if domain.kind == "top":
        value = kernel.clamp(value, domain.end)
    else:
        # No logarithm of a number up to this exceeds `size`.
        most = 1000 if op == "math.cbrt" else LARGEST["f64"]
        value = kernel.at_least(kernel.clamp(value, most) if value.bound.size > most else value, domain.end)
    kernel.unary(op, value, function_of(element, value.bound, domain.steepness, domain.size, ulps_of(element, domain.ulps)))


def two(kernel, element):
    """Two finite values of a shape."""
    shape = kernel.shape(LONG)
    values = [kernel.some(shape, element) for _ in range(2)]
    return [finite(kernel, value) for value in values] if kernel.specials else values


@small_step(("math.powf",), FLOATS)
def power(kernel, op, element):
    """x from 1/4 to 8, y from -3 to 3: the derivatives y x^(y-1) and x^y ln x are at most 768 and 1065."""
    base, exponent = two(kernel, element)
    base = kernel.at_least(kernel.clamp(base, 8), 0.25)
    exponent = kernel.clamp(exponent, 3)
    error = 768 * base.bound.error + 1065 * exponent.bound.error
    kernel.binary(op, base, exponent, function_of(element, Bound(512, error, False), 1, 512, ulps_of(element, 2)))


@small_step(("math.atan2",), FLOATS)
def angle(kernel, op, element):
    """Of exact coordinates, or at least 1/4 above the axis where the angle jumps, where it moves by 4 at most."""
    y, x = two(kernel, element)
    if not (x.exact and y.exact) or kernel.dice.random() < 0.3:
        y = kernel.at_least(y, 0.25)
    error = 4 * (x.bound.error + y.bound.error)
    kernel.binary(op, y, x, function_of(element, Bound(3.2, error, False), 1, 3.2, ulps_of(element, 2)))
