"""Repetition along dimensions of extent 1, and along those that the source lacks."""

import numpy as np

from suite.shapes import moves

CASES = [((1, 37), (5, 37)), ((33, 1), (33, 7)), ((1, 1), (3, 129)), ((1, 3, 1), (2, 3, 65)), ((1,), (261,)),
         ((2, 1, 3, 1, 2), (2, 4, 3, 5, 2)), ((4, 8), (4, 8)), ((37,), (5, 37), [1]), ((33,), (33, 7), [0]),
         ((3, 5), (3, 4, 5), [0, 2]), ((1, 3), (2, 3, 65), [0, 1]), ((1,), (3, 129), [1]), ((4, 8), (4, 8), [0, 1]),
         ((2,), (3, 2, 1, 5, 2), [1])]


def line(x, old, new, shape, dims=None):
    return f"fsm.broadcast {x}{f' dims {dims}' if dims else ''} : {old} -> {new}"


def answer(data, shape, dims=None):
    if dims:
        data = np.expand_dims(data, tuple(i for i in range(len(shape)) if i not in dims))
    return np.broadcast_to(data, shape)


OP = moves(CASES, line, answer)
