"""Each way to compare floats: the ordered ones are false for NaN, the others true; -0 equals +0."""

import math
import operator

from suite import formats
from suite.elementwise import Elementwise

TEXT = "{{op}} {}, {{0}}, {{1}} : {{T0}}"
ORDERS = {"eq": operator.eq, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le,
          "ne": operator.ne}


def unordered(x, y):
    return math.isnan(x) or math.isnan(y)


def compare(order, with_nan):
    return lambda x, y: with_nan if unordered(x, y) else order(x, y)


VARIANTS = {TEXT.format(first + name): compare(order, first == "u")
            for name, order in ORDERS.items() for first in "ou"}
VARIANTS |= {TEXT.format("ord"): lambda x, y: not unordered(x, y), TEXT.format("uno"): unordered,
             TEXT.format("true"): lambda x, y: True, TEXT.format("false"): lambda x, y: False}
OP = Elementwise(formats.FLOATS, results=["i1"], variants=VARIANTS)
