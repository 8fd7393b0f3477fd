"""Where a conversion decides: numbers halfway between two of the target, their neighbours, and the ends of both types."""

import math
from fractions import Fraction

from suite import formats


def of(source, target):
    """Bits of the source type. Each number stands with its neighbours, and with both signs."""
    if formats.is_float(source):
        numbers = halves(target) if formats.is_float(target) else bounds(target)
        found = [bits for number in numbers for bits in around(number, source)] + ends(source)
    elif formats.is_float(target):
        found = [(sign * number + d) for number in whole_halves(target, formats.WIDTH[source]) for sign in (1, -1)
                 for d in (-1, 0, 1)]
    else:
        found = [(sign << width) + d for width in (formats.WIDTH[target] - 1, formats.WIDTH[target]) for sign in (1, -1)
                 for d in (-1, 0, 1)]
    width = formats.WIDTH[source]
    return list(dict.fromkeys(bits & ((1 << width) - 1) for bits in found))


def halves(kind):
    """Between two neighbours of a float type, from below the least number to above the largest."""
    precision, least, top = formats.SHAPE[kind]
    for exponent in (least - precision, least - precision + 1, least - 1, least, least + 1, -1, 0, 1, 10, top - 1, top):
        ulp = Fraction(2) ** (max(exponent, least) - precision + 1)
        power = Fraction(2) ** exponent
        yield from (power + ulp / 2, power + 3 * ulp / 2, 2 * power - ulp / 2)
    yield formats.largest(kind) + Fraction(2) ** (top - precision)


def whole_halves(kind, width):
    """The same of whole numbers that fit so many bits. Next to those that a wider float cannot hold, a conversion by way
    of that one rounds twice."""
    precision, _, top = formats.SHAPE[kind]
    for exponent in {precision, precision + 1, precision + 2, 15, 23, 24, 25, 30, 31, 52, 53, 54, 55, 61, 62, 63}:
        if precision <= exponent < width and exponent <= top:
            half = 1 << (exponent - precision)
            yield from ((1 << exponent) + half, (1 << exponent) + 3 * half, (2 << exponent) - half)


def bounds(kind):
    """The ends of an integer type, read with a sign and without, and halves."""
    width = formats.WIDTH[kind]
    for end in ((1 << (width - 1)), 1 << width):
        yield from (end + Fraction(d, 2) for d in (-3, -2, -1, 0, 1, 2))
    yield from (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(5, 2))


def around(number, kind):
    """The number of the type that is nearest, the two beside it, and their negatives."""
    bits, sign = formats.encode(number, kind), 1 << (formats.WIDTH[kind] - 1)
    for near in (bits - 1, bits, bits + 1):
        if 0 <= near < sign and not math.isnan(formats.decode(near, kind)):
            yield from (near, near | sign)


def ends(kind):
    """The least and largest denormal and normal numbers."""
    precision, _, _ = formats.SHAPE[kind]
    normal = 1 << (precision - 1)
    largest = formats.encode(formats.largest(kind), kind)
    sign = 1 << (formats.WIDTH[kind] - 1)
    return [bits | s for bits in (0, 1, normal - 1, normal, normal + 1, largest - 1, largest) for s in (0, sign)]
