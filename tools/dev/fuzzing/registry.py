"""The table of steps that kernels are made of.

A step is a function of the kernel that it goes on writing, an op, and the element type that the op is to work on. What it
is registered for are cells of the histogram. Kernels are dealt the cells like cards, so that each occurs equally often.
Steps that hold other steps are not dealt but come up by weight.
"""

from collections import namedtuple

from .language import ABSENT

Cell = namedtuple("Cell", "op element function")
Holder = namedtuple("Holder", "function weight")
CELLS, HOLDERS = [], []


def step(ops, elements, times=1):
    """Registers a function for each op with each element type; each is dealt `times` times in a round."""

    def add(function):
        for op in ops:
            if op.split()[0] not in ABSENT:
                CELLS.extend([Cell(op, element, function) for element in elements] * times)
        return function

    return add


def holder(weight):
    """Registers a step that holds others; it is told its path."""

    def add(function):
        HOLDERS.append(Holder(function, weight))
        return function

    return add
