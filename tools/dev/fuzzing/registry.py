"""The table of steps that kernels are made of.

A step is a function of the kernel that it goes on writing, an op, and the element type that the op is to work on. What it
is registered for are cells of the histogram, by the names that language.md's ops have there. Kernels are dealt the cells
like cards, so that each occurs equally often, from four decks: SMALL, of ops that take a line or two, LARGE, ACCESS, of
ways to compute what an access goes to, and VIEWS, of chains of views.
"""

from collections import namedtuple

Cell = namedtuple("Cell", "op element function")
SMALL, LARGE, ACCESS, VIEWS = [], [], [], []


def step(ops, elements, times=1, deck=LARGE):
    """Registers a function for each op with each element type; each is dealt `times` times in a round."""

    def add(function):
        for op in ops:
            deck.extend([Cell(op, element, function) for element in elements] * times)
        return function

    return add


def small_step(ops, elements, times=1):
    return step(ops, elements, times, SMALL)


def pair_step(op, pairs, times=1):
    """Registers a conversion for each pair of a source and a target; the cells are lines of the target."""

    def add(function):
        for source, target in pairs:
            SMALL.extend([Cell(f"{op} to {target}", source, function)] * times)
        return function

    return add
