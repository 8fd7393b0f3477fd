"""Within 2 ulp; a denormal may become 0.

On a GPU f32 is within 2^-22 + |x| 1.3 2^-24 of the answer, an ulp of which is at least 2^-24 of it.
"""

import numpy as np

from suite import exact
from suite.elementwise import floats
from suite.formats import is_close_to_zero


def allowance(kind, gpu, x, answer, allowed):
    if kind not in ("f32", "bf16"):
        return allowed
    if gpu and kind == "f32":
        allowed = 4 + 1.3 * np.abs(x)
    return np.where(answer < 2 * is_close_to_zero(kind), np.inf, allowed)


OP = floats(exact.extended(np.exp), operands=1, ulps=2, allowance=allowance)
