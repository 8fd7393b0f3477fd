"""Within 2 ulp, on a GPU of a large f32 within |x| / 8 more; a denormal may become 0."""

import numpy as np

from suite import exact
from suite.elementwise import floats
from suite.formats import is_close_to_zero


def allowance(kind, gpu, x, answer, allowed):
    if kind not in ("f32", "bf16"):
        return allowed
    if gpu and kind == "f32":
        allowed = allowed + np.abs(x) / 8
    return np.where(answer < 2 * is_close_to_zero(kind), np.inf, allowed)


OP = floats(exact.extended(np.exp2), operands=1, ulps=2, allowance=allowance)
