"""The numbers that ops are tried on, and the places of a block where they stand.

Numbers are bits (unsigned). Every special number stands at every place where a block, a vector of a CPU, a warp of a
GPU or the padding begins or ends; every pair of special numbers occurs.
"""

import itertools
import math
import zlib

import numpy as np

from suite import formats

# Extent of a block: odd, so that its last vector and its last warp are partly padding.
EXTENT = 261
PLACES = (0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, EXTENT - 1)
RANDOM = 200

# Denormals, the ends of the functions' ranges, the seams of their formulas, and angles near multiples of pi/2. The
# double next to a multiple of pi/2 by the least amount comes first: glibc's cos is off by 8 ulp there.
HARDEST_ANGLE = 6381956970095103.0 * 2.0 ** 797
SPECIAL = {
    "any": (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0),
    "f8E4M3FN": (448.0, -448.0, 2.0 ** -9, -2.0 ** -9, 2.0 ** -6, 2.0 ** -6 - 2.0 ** -9, 240.0),
    "f8E5M2": (57344.0, -57344.0, 2.0 ** -16, -2.0 ** -16, 2.0 ** -14, 2.0 ** -14 - 2.0 ** -16),
    "f16": (65504.0, -65504.0, 2.0 ** -24, -2.0 ** -24, 2.0 ** -14, 2.0 ** -14 - 2.0 ** -24, 1.001, 11.09, -17.33, 2048.0, 0.333),
    "bf16": (3.39e38, -3.39e38, 2.0 ** -133, -2.0 ** -133, 2.0 ** -126, 2.0 ** -126 - 2.0 ** -133, 88.7, -87.3, 256.0, 0.333, 1e5),
    "f32": (3.4028234663852886e38, -3.4028234663852886e38, 2.0 ** -149, -2.0 ** -149, 2.0 ** -126,
            2.0 ** -126 - 2.0 ** -149, -1e-40, 3e9, 65504.0,
            1e5, 88.7, 89.0, -87.3, -88.0, -104.0, 127.9, -126.5, 1e-3, 6e-8, 1e30, 1e-38, 16777216.0,
            1.0000001192092896, 0.9999999403953552, 0.333),
    "f64": (HARDEST_ANGLE, 5e-324, -5e-324, 2.2250738585072014e-308, -2.225073858507201e-308, 1e-310, 1e-17,
            1.7976931348623157e308, -1.7976931348623157e308, 709.782712893384, 709.7827128933841, 710.0, -708.4,
            -745.1332191019411, -745.13321910194122, -746.0, 1023.9999999999999, 1024.0, -1022.5, -1074.0, -1075.5,
            -36.7, -37.5, -40.5, 0.9999999999999999, 1.0000000000000002, 0.7071067811865476, 0.41421356237309515,
            0.34657359027997264, 0.55, -0.5499999999999999, 5.9, 5.95, 6.5, 22.5, 1.5707963267948966,
            -3.141592653589793, 2147483648.0, 2147483649.5, -2147483650.25, 1e22, -1e100, 1e300,
            9007199254740993e200, 3.4028235677973366e38, 9007199254740992.0),
}


def dice(*words):
    """A generator of random numbers that is always the same for the same words."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, words)).encode()))


def unique(values):
    return list(dict.fromkeys(values))


def special(kind):
    """Bits of the numbers that are tried in any case."""
    width = formats.WIDTH[kind]
    if kind == "i1":
        return [0, 1]
    if not formats.is_float(kind):
        top = 1 << (width - 1)
        return unique([top, top + 1, 2 * top - 1, 0, 1, 2, 3, 7, width - 1, top - 2, top - 1, 0x55555555 & (2 * top - 1)])
    numbers = SPECIAL["any"] + SPECIAL[kind]
    return unique(formats.encode(number, kind) for number in numbers)


def random(kind, count, *words):
    """Bits of random numbers of many magnitudes."""
    generator, width = dice(kind, *words), formats.WIDTH[kind]
    if not formats.is_float(kind):
        bits = generator.integers(0, 1 << width, count, np.uint64, endpoint=False) if width < 64 \
            else generator.integers(0, (1 << 64) - 1, count, np.uint64, endpoint=True)
        shifts = generator.integers(0, width, count).astype(np.uint64)
        return [int(b) >> int(s) if i % 2 else int(b) for i, (b, s) in enumerate(zip(bits, shifts))]
    low, high = {"f16": (-4, 3), "f8E4M3FN": (-2, 2), "f8E5M2": (-3, 3)}.get(kind, (-6, 2))
    numbers = generator.standard_normal(count) * 10.0 ** generator.uniform(low, high, count)
    return [formats.encode(float(number), kind) for number in numbers]


def everything(kind):
    """All the values of a type of at most 8 bits, or the special ones and random ones."""
    if formats.WIDTH[kind] <= 8:
        return list(range(1 << formats.WIDTH[kind]))
    return unique(special(kind) + random(kind, RANDOM, "everything"))


def tuples(kinds):
    """What an op with operands of these types is tried on: lists of the bits of each operand."""
    if len(kinds) == 1:
        return [[bits] for bits in everything(kinds[0])]
    specials = [special(kind) for kind in kinds]
    if len(kinds) > 2:  # All triples would be too many.
        specials = [bits[:14] for bits in specials]
    chosen = [list(pair) for pair in itertools.product(*specials)]
    others = zip(*(random(kind, RANDOM, position) for position, kind in enumerate(kinds)))
    return chosen + [list(pair) for pair in others]


def arrange(operands):
    """Indices of tuples: so many blocks that each tuple stands somewhere, and each value of the first operand at each of
    PLACES, with others in between."""
    firsts = {}
    for index, bits in enumerate(operands):
        firsts.setdefault(bits[0], []).append(index)
    groups = list(firsts.values())[:64]
    blocks = max(len(groups), -(-len(operands) // (EXTENT - len(PLACES))))
    indices = np.zeros((blocks, EXTENT), np.int64)
    rest = np.setdiff1d(np.arange(EXTENT), PLACES)
    indices[:, rest] = np.resize(np.arange(len(operands)), (blocks, rest.size))
    for block in range(blocks):
        for number, place in enumerate(PLACES):
            group = groups[(block + number) % len(groups)]
            indices[block, place] = group[(block // len(groups) + number) % len(group)]
    return indices
