"""Within 2 ulp, of a large x within |x| / 8 more; a denormal may become 0."""

import numpy as np

from suite import exact
from suite.elementwise import floats
from suite.formats import is_close_to_zero


def allowance(kind, gpu, x, answer, allowed):
    del gpu
    if kind not in ("f32", "bf16"):
        return allowed
    return np.where(answer < 2 * is_close_to_zero(kind), np.inf, allowed + np.abs(x) / 8)


OP = floats(exact.extended(np.exp2), operands=1, ulps=2, allowance=allowance)
