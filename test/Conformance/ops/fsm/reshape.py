"""Another shape; row-major order is kept."""

import numpy as np

from suite.shapes import moves

CASES = [((261,), (9, 29)), ((9, 29), (261,)), ((6, 35), (10, 21)), ((16, 64), (1024,)), ((4, 16), (2, 2, 4, 4)),
         ((2, 3, 5, 7), (7, 30)), ((1,), (1, 1, 1)), ((2, 65), (65, 2))]
OP = moves(CASES, lambda x, old, new, shape: f"fsm.reshape {x} : {old} -> {new}",
           lambda data, shape: np.reshape(data, shape))
