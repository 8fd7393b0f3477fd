"""Each way to compare integers; i1 as a signed number is 0 or -1."""

from suite import formats
from suite.elementwise import Elementwise

TEXT = "{{op}} {}, {{0}}, {{1}} : {{T0}}"


def unsigned(compare):
    return lambda x, y, w: compare(x % (1 << w), y % (1 << w))


OP = Elementwise(formats.ALL_INTEGERS, results=["i1"], variants={
    TEXT.format("eq"): lambda x, y, w: x == y,
    TEXT.format("ne"): lambda x, y, w: x != y,
    TEXT.format("slt"): lambda x, y, w: x < y,
    TEXT.format("sle"): lambda x, y, w: x <= y,
    TEXT.format("sgt"): lambda x, y, w: x > y,
    TEXT.format("sge"): lambda x, y, w: x >= y,
    TEXT.format("ult"): unsigned(lambda x, y: x < y),
    TEXT.format("ule"): unsigned(lambda x, y: x <= y),
    TEXT.format("ugt"): unsigned(lambda x, y: x > y),
    TEXT.format("uge"): unsigned(lambda x, y: x >= y),
})
