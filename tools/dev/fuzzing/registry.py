"""The table of steps that kernels are made of. A step is a function of the kernel that it goes on writing."""

from collections import namedtuple

from .language import ABSENT

Step = namedtuple("Step", "function weight")
STEPS = []


def step(weight, needs=None):
    """Adds a function to the table, as often as `weight` says, unless the language still lacks the op that it needs."""

    def add(function):
        if needs not in ABSENT:
            STEPS.append(Step(function, weight))
        return function

    return add
