"""With what a kernel is launched, at first and again: the same code must not run for arguments of which other things are true."""

import random
from collections import namedtuple

from .language import INTS

# How many programs along each axis, what the numbers are, the scalars of element types, and options that say where arrays begin.
Launch = namedtuple("Launch", "grid numbers scalars options")
# What code may be made for, and what is next to it.
NUMBERS = (1, 16, 17, 1, 8, 17, 0, 4, 5, 48)
# How the second launch differs, as the histogram counts it.
OTHERWISE = ("launched again with other numbers", "launched again from odd places", "launched again on one array")


def first_launch(kernel):
    return Launch(kernel.grid, tuple(kernel.numbers), (*(number for _, number in kernel.arguments), *kernel.known), ())


def second_launch(kernel):
    """A launch of which something else is true, as far as the kernel's promises and the lengths of its loops allow."""
    dice = random.Random(f"{kernel.seed} launches")
    numbers = tuple(dice.choice([n for n in NUMBERS if is_allowed(kernel, i, n)] or [old]) if dice.random() < 0.7 else old
                    for i, old in enumerate(kernel.numbers))
    scalars = tuple(dice.choice((1, 16, 17)) if element in INTS and element != "i1" else old for element, old in kernel.arguments)
    options = [f"--shift={letter}_{element}:{dice.choice((1, 1, 3, 5))}" for letter, element, _ in kernel.arrays()
               if "fsm.align" not in kernel.promises[letter, element] and dice.random() < 0.4]
    grid = kernel.grid
    if can_overlap(kernel) and dice.random() < 0.8:
        # Programs have parts of their own, but these would reach into one another's.
        grid = (1,)
        far = dice.choice((0, 0, 1, 3, 16, 64) if "fsm.align" not in kernel.promises["d", kernel.twin] else (0, 64))
        shifts = (f"--shift=d_{kernel.twin}:", f"--shift=b_{kernel.twin}:")[:1 + ("fsm.align" in kernel.promises["d", kernel.twin])]
        options = [option for option in options if not option.startswith(shifts)]
        options.append(f"--overlap=d_{kernel.twin}:b_{kernel.twin}:{far}")
    return Launch(grid, numbers, scalars + tuple(kernel.known), tuple(options))


def is_allowed(kernel, index, number):
    """Whether the kernel's promises hold for it, and no loop runs longer than its text was made for."""
    promise, size = kernel.number_promises[index]
    if promise == "equal_to" and number != size or promise == "divisible" and number % size:
        return False
    return number <= kernel.most_numbers[index]


def can_overlap(kernel):
    promises = [kernel.promises[letter, kernel.twin] for letter in "bd"] if kernel.twin else ["fsm.noalias"]
    return not any("fsm.noalias" in promise for promise in promises)


def otherwise(kernel):
    """How the second launch differs."""
    launch = second_launch(kernel)
    differs = (launch.numbers != tuple(kernel.numbers), any("shift" in o for o in launch.options),
               any("overlap" in o for o in launch.options))
    return [name for name, is_so in zip(OTHERWISE, differs) if is_so]
