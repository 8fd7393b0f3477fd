"""Dimensions in another order: dimension i of the result is dimension order[i] of the source."""

import numpy as np

from suite.shapes import moves

CASES = [((5, 37), (1, 0)), ((64, 16), (1, 0)), ((33, 65), (1, 0)), ((1, 7), (1, 0)), ((3, 4, 5), (2, 0, 1)),
         ((3, 4, 5), (0, 2, 1)), ((2, 3, 5, 7), (3, 1, 0, 2)), ((2, 3, 1, 5, 2), (4, 2, 0, 3, 1)), ((261,), (0,))]
OP = moves(CASES, lambda x, old, new, order: f"fsm.transpose {x} order {list(order)} : {old} -> {new}", np.transpose)
