"""A step whose ops repeat, as those of a frontend do that writes loops out: the same steps by the same dice, each time on what
the time before has left, with a number that moves.
"""

from .language import INTS
from .memory_steps import Memory
from .registry import step
from .row_steps import ELEMENTWISE, REDUCTIONS
from .values import size_of, type_of
from .writer import REGION

COPIES = range(4, 9)
# By how much a number moves, and what is added to that in turns.
STEPS, TURNS = (0, 1, 16, -16, 17), ((0,), (0,), (0, 1))


class Moving:
    """A number for each copy, as small as may be."""

    def __init__(self, dice, copies):
        self.step, self.turns = dice.choice(STEPS), dice.choice(TURNS)
        self.first = -min(0, self.step * (copies - 1)) + dice.choice((0, 1, 16))

    def of(self, copy):
        return self.first + copy * self.step + self.turns[copy % len(self.turns)]


def load_at(kernel, moving, copy, shape, element):
    """A block from a place that moves."""
    begin = kernel.constant((), "i32", moving.of(copy))
    base = kernel.define((), "ptr", f"fsm.offset %p_{element}, {begin.name} : !fsm.ptr<{element}>, i32", hide=True)
    places = kernel.places(shape)
    return kernel.define(shape, element, f"fsm.load {base.name}[{places.name}] : !fsm.ptr<{element}>, {places.type} -> "
                         f"{type_of(shape, element)}", Memory.held(kernel, element))


def change_by(kernel, value, number):
    """An integer with a number that moves in it. No sums of constants are left to fold."""
    three, moved = (kernel.constant(value.shape, value.element, n) for n in (3, number % (1 << (INTS[value.element] - 1))))
    value = kernel.binary("arith.muli", value, three)
    return kernel.binary(kernel.dice.choice(("arith.xori", "arith.addi")), value, moved)


def last_like(kernel, value):
    """What was made last that may be handed on in the place of a value: it follows from what the copy was given."""
    fitting = [v for v in kernel.values if (v.shape, v.element) == (value.shape, value.element) and v.exact]
    return kernel.carriable(fitting[-1])


def copy_of(kernel, cells, moving, copy, carried):
    """Writes the group once; what it hands on."""
    dice, given = kernel.dice, carried[0]
    if given.element in kernel.buffers and size_of(given.shape) + moving.of(copy) <= REGION and given.shape:
        load_at(kernel, moving, copy, given.shape, given.element)
    if INTS.get(given.element, 1) > 1:
        change_by(kernel, given, moving.of(copy))
    for cell in cells:
        before, kernel.wanted = kernel.wanted, cell.element
        cell.function(kernel, cell.op, cell.element)
        kernel.wanted = before
    if dice.random() < 0.2:
        kernel.store(given)
    return [last_like(kernel, v) for v in carried]


@step(("repeat",), ("i8", "i16", "i32", "i64", "f32", "f64"))
def repeated(kernel, op, element):
    if kernel.depth > 2:
        return
    dice, shapes = kernel.dice, list(kernel.shapes)
    if element not in kernel.buffers:
        element = dice.choice([e for e in kernel.buffers if e in INTS and e != "i1"] or [element])
    carried, copies = kernel.carried(element), dice.choice(COPIES)
    if element in kernel.buffers:
        # Of constants all would be folded.
        carried.insert(0, kernel.carriable(kernel.load(dice.choice((carried[0].shape, (), kernel.shape(0))), element)))
    moving = Moving(dice, copies)
    decks = [dice.choice((ELEMENTWISE, ELEMENTWISE, REDUCTIONS)) for _ in range(dice.randrange(1, 4))]
    cells = [dice.choice([cell for cell in deck if cell.element in (element, "i32")] or deck) for deck in decks]
    outside, state = list(kernel.values), dice.getstate()
    for copy in range(copies):
        dice.setstate(state)
        kernel.shapes, kernel.values = list(shapes), list(carried)
        carried = copy_of(kernel, cells, moving, copy, carried)
    kernel.note("repeats", copies)
    kernel.shapes, kernel.values = shapes, outside + carried
