"""Every float type to every other: nearest even or toward zero, with saturation or without; to f8 it saturates."""

from suite import formats
from suite.elementwise import Conversion

PAIRS = [(a, b) for a in formats.ALL_FLOATS for b in formats.ALL_FLOATS if a != b]
TEXT = "{{op}} {{0}} rounding = {} : {{T0}} -> {{R0}}"


class Convert(Conversion):
    """The references give bits, since they round in several ways."""

    def rounded(self, value, kind):
        return value


def reference(**how):
    def convert(x, target):
        saturate = how.get("saturate", False) or target in formats.EIGHTS
        return formats.encode(x, target, how.get("toward_zero", False), saturate)
    return convert


OP = Convert(PAIRS, None, variants={
    TEXT.format("nearest_even"): reference(),
    TEXT.format("toward_zero"): reference(toward_zero=True),
    TEXT.format("nearest_even saturate"): reference(saturate=True),
    TEXT.format("toward_zero saturate"): reference(toward_zero=True, saturate=True),
})
