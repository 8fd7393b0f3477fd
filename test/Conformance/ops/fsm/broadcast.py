"""Repetition along dimensions of extent 1."""

import numpy as np

from suite.shapes import moves

CASES = [((1, 37), (5, 37)), ((33, 1), (33, 7)), ((1, 1), (3, 129)), ((1, 3, 1), (2, 3, 65)), ((1,), (261,)),
         ((2, 1, 3, 1, 2), (2, 4, 3, 5, 2)), ((4, 8), (4, 8))]
OP = moves(CASES, lambda x, old, new, shape: f"fsm.broadcast {x} : {old} -> {new}",
           lambda data, shape: np.broadcast_to(data, shape))
