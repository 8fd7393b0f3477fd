"""Steps on rows of more elements than a piece, which a GPU walks piece by piece where the kernel says so: of what can be walked.

A step has values of its own, made by the steps of other files, and leaves in sinks what nothing has used. What it loads nobody
stores to, for a load is made again in each loop that needs it.
"""

import contextlib
import math
import re

from . import convert_steps, function_steps, reduce_steps, scalar_steps
from .registry import LARGE, SMALL, step
from .values import size_of, type_of
from .writer import BEHIND_LONGEST, LONGEST, ROWS

PIECES = (128, 256, 512)
SHAPES = [(n,) for n in (513, 600, 769, 1000, 1024, 1025, 1537)] + [(2, 700), (3, 513), (600, 2)]
# The shortest row of kernels that have a long one, and how many of these have as many elements as a power of two.
LEAST_LONG, POWERS = 1 << 11, 0.15
# Of each row.
MOST_SUNK = 4
# How far behind a row's place the other of two is stored: into the same piece of it, the next, or one further away.
BETWEEN_ROWS = (0, 1, 7, 64, 100, 128, 200, 300, 511)
ELEMENTWISE = [cell for cell in SMALL if cell.function.__module__ in (m.__name__ for m in (convert_steps, function_steps, scalar_steps))
               and not cell.element.startswith("f8") and "f8" not in cell.op]


def along(functions):
    return [cell for cell in LARGE if cell.function in functions and not cell.element.startswith("f8")]


SCANS, TUPLES = along((reduce_steps.scan,)), along((reduce_steps.combine,))
REDUCTIONS = along((reduce_steps.reduce,))


def long_shape(dice):
    """A row of any order of magnitude, more often a short one, which is run sooner; every fourth block has a short dimension beside it."""
    size = int(LEAST_LONG * (LONGEST / LEAST_LONG) ** (dice.random() ** 2))
    if dice.random() < POWERS:
        size = 1 << size.bit_length()
    if dice.random() < 0.75:
        return (size,)
    other = dice.choice((2, 3, 5))
    return (other, size // other) if dice.random() < 0.7 else (size // other, other)


def load(kernel, shape, element):
    """From what all programs share and none stores to."""
    start = kernel.masked(kernel.some((), "i32"), 1023) if kernel.dice.random() < 0.5 else \
        kernel.constant((), "i32", kernel.dice.choice((0, 16, 1)))
    base = kernel.define((), "ptr", f"fsm.offset %w_{element}, {start.name} : !fsm.ptr<{element}>, i32", hide=True)
    held = kernel.held(element)
    if not shape:
        return kernel.define((), element, f"fsm.load {base.name} : !fsm.ptr<{element}> -> {element}", held)
    places = kernel.masked(kernel.some(shape, "i32"), 1023) if kernel.dice.random() < 0.3 else kernel.places(shape)
    mask = kernel.mask(shape)
    extra = f", {mask.name}" if mask else ""
    return kernel.define(shape, element, f"fsm.load {base.name}[{places.name}]{extra} : !fsm.ptr<{element}>, {places.type} -> "
                         f"{type_of(shape, element)}", held)


@contextlib.contextmanager
def row(kernel, shape, elements):
    """While a row's steps are written the kernel knows no other block."""
    before, first = (kernel.values, kernel.shapes, kernel.buffers), len(kernel.lines)
    kernel.values, kernel.shapes, kernel.buffers = [v for v in kernel.values if not v.shape], [shape], elements
    kernel.load = lambda shape, element: load(kernel, shape, element)
    yield
    made = [v for v in kernel.values if v not in before[0] and all(extent <= min(PIECES) for extent in v.shape)]
    del kernel.load
    kernel.values, kernel.shapes, kernel.buffers = before
    kernel.values += made
    kernel.walked_lines.update(range(first, len(kernel.lines)))


def sink(kernel):
    """Of the long values some, the last of all and those that nothing has used."""
    long = [v for v in kernel.values if size_of(v.shape) > min(PIECES)]
    used = set(re.findall(r"%\w+(?:#\d+)?", "\n".join(line.partition(" = ")[2] for line in kernel.lines)))
    unused = [v for v in long if v.name not in used]
    for value in (unused or long[-1:])[-MOST_SUNK:]:
        kernel.sink(value)


def sink_over(kernel, shape):
    """Stores two rows, the second over a part of the first, or in front of it: their order is seen in what is left."""
    values = [v for v in kernel.values if v.shape == shape and v.exact and v.element != "i1"]
    if not values:
        return
    second = values[-1]
    first = kernel.dice.choice([v for v in values if v.element == second.element])
    starts = [0, kernel.dice.choice(BETWEEN_ROWS)]
    kernel.dice.shuffle(starts)
    kernel.sink_at((first, second), starts)
    kernel.note("rows", "stored over another")


@step(("rows",), ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"), times=2)
def walked(kernel, op, element):
    if len(kernel.here) > 1 or kernel.rows.keys() - kernel.walked_elements:
        return
    dice = kernel.dice
    shape = long_shape(dice) if kernel.has_long_row else dice.choice(SHAPES)
    elements = list(dict.fromkeys((element, dice.choice(("i32", "f32", "i16")))))
    for other in elements:
        kernel.rows[other] = LONGEST + BEHIND_LONGEST if kernel.has_long_row else ROWS[other]
        kernel.walked_elements.add(other)
    with row(kernel, shape, elements):
        kernel.some(shape, element)
        for turn in range(dice.randrange(2, 5) if kernel.has_long_row else dice.randrange(3, 8)):
            deck = dice.choice((SCANS, SCANS, TUPLES, REDUCTIONS, ELEMENTWISE, ELEMENTWISE))
            cell = dice.choice([c for c in deck if c.element == element] or deck) if turn < 2 else dice.choice(deck)
            before, kernel.wanted = kernel.wanted, cell.element
            cell.function(kernel, cell.op, cell.element)
            kernel.wanted = before
            kernel.note("rows", cell.op.split(" ")[0])
        sink(kernel)
        if dice.random() < 0.5:
            sink_over(kernel, shape)


def extents_of(line):
    """Of the blocks that a line names; an element is taken out of all of a block at once, and all at once are counted, and sorted."""
    blocks = [[int(extent) for extent in text.split("x")[:-1]] for text in re.findall(r"tensor<((?:\d+x)+)", line)]
    if any(op in line for op in ("fsm.extract", "fsm.histogram", "fsm.sort", "fsm.topk", "fsm.slice")):
        return [math.prod(block) for block in blocks]
    return [extent for block in blocks for extent in block]


def piece_of(kernel):
    """How many elements of a block the kernel says that it be at along a dimension; nothing where a block of another step has more, or where
    a pointer may lead anywhere, so that stores would seem to reach what is loaded again, nor of a long row, of which the compiler decides."""
    if not kernel.walked_elements or kernel.has_long_row or kernel.uses_addresses() or kernel.uses_table:
        return 0
    others = [line for number, line in enumerate(kernel.lines) if number not in kernel.walked_lines] + kernel.functions
    most = max((extent for line in others for extent in extents_of(line)), default=1)
    return kernel.dice_of_frame.choice([piece for piece in PIECES if piece >= most] or [0])


# What a kernel with a long row is dealt: one step, by turns on each type.
LONG_ROW = [cell for cell in LARGE if cell.function is walked]
