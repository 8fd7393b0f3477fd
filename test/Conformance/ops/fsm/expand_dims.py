"""A new dimension of extent 1, anywhere."""

import numpy as np

from suite.shapes import moves

CASES = [((261,), 0), ((261,), 1), ((5, 37), 1), ((3, 2, 11), 3), ((2, 3, 5, 7), 2), ((1,), 0)]
OP = moves(CASES, lambda x, old, new, axis: f"fsm.expand_dims {x} axis {axis} : {old} -> {new}",
           lambda data, axis: np.expand_dims(data, axis))
