"""Steps that promise, assert and print what is so, and one that never chooses what may be anything."""

from .language import ELEMENTS, INTS
from .registry import step
from .values import size_of, type_of

# Elements that one print may have, and how often it may be performed.
MOST_PRINTED = 128
MOST_PRINTS = 8


def bounded(kernel, shape, element="i32"):
    """Numbers from 0 to 63, and the same number of 64s."""
    return kernel.masked(kernel.some(shape, element), 63), kernel.constant(shape, element, 64)


@step(("fsm.assume",), ("i1",))
def assume(kernel, op, element):
    low, high = bounded(kernel, ())
    condition = kernel.define((), element, f"arith.cmpi {kernel.dice.choice(('slt', 'ult', 'ne'))}, {low.name}, {high.name} : i32")
    kernel.write(f"{op} {condition.name}")


@step(("fsm.assert",), ("i1",), times=2)
def certain(kernel, op, element):
    low, high = bounded(kernel, kernel.shape(0.3), kernel.dice.choice(("i32", "i64", "i16")))
    condition = kernel.define(low.shape, element, f"arith.cmpi slt, {low.name}, {high.name} : {low.type}")
    kernel.write(f'{op} {condition.name}, "out of range" : {condition.type}')


@step(("fsm.hint",), INTS)
def hint(kernel, op, element):
    """Multiples of 8, equal numbers, or numbers that count up."""
    shape, choice = kernel.shape(0.4), kernel.dice.randrange(3)
    rank = max(1, len(shape))
    value, promise = kernel.some(shape, element), f"multiple_of = array<i64: {', '.join(['1'] * rank)}>"
    if choice == 0 and element != "i1":
        value = kernel.masked(value, -8)
        promise = f"multiple_of = array<i64: {', '.join(['8'] * rank)}>"
    elif choice == 1 and shape:
        value = kernel.define(shape, element, f"fsm.splat {kernel.some((), element).name} : {type_of(shape, element)}")
        promise = f"max_constancy = array<i64: {', '.join(str(e & -e) for e in shape)}>"
    elif shape and element == "i32":
        value = kernel.places(shape)
        promise = f"max_contiguous = array<i64: {', '.join(['1'] * (rank - 1) + [str(shape[-1] & -shape[-1])])}>"
    kernel.define(shape, element, f"{op} {value.name} {{{promise}}} : {value.type}")


@step(("fsm.print",), ELEMENTS)
def show(kernel, op, element):
    """The lines are compared; of a NaN nothing says which sign it has."""
    if kernel.trips > MOST_PRINTS:
        return
    shape = kernel.dice.choice([s for s in kernel.shapes if size_of(s) <= MOST_PRINTED] + [()])
    values = [kernel.some(shape if kernel.dice.random() < 0.7 else (), element, exact=True)]
    if kernel.dice.random() < 0.3:
        values.append(kernel.some((), "i32"))
    if kernel.specials and element not in INTS:
        values = [kernel.some((), "i32"), kernel.constant((), element, kernel.number(element))]
    mode = " hex" if element in INTS and kernel.dice.random() < 0.3 else ""
    kernel.write(f'{op} "value"{mode} {", ".join(v.name for v in values)} : {", ".join(v.type for v in values)}')


@step(("ub.poison",), ELEMENTS)
def anything(kernel, op, element):
    """One side of a choice that is never made."""
    value = kernel.some(kernel.shape(0.4), element)
    poison = kernel.define(value.shape, element, f"{op} : {value.type}", hide=True)
    no = kernel.constant((), "i1", 0) if kernel.dice.random() < 0.4 else negative(kernel)
    kernel.define(value.shape, element, f"arith.select {no.name}, {poison.name}, {value.name} : {value.type}", value.bound)


def negative(kernel):
    """False, which only a launch may see."""
    return kernel.define((), "i1", f"arith.cmpi slt, %n0, {kernel.constant((), 'i32', 0).name} : i32", hide=True)


@step(("fsm.num_programs", "fsm.program_id"), ("i32",))
def place_in_grid(kernel, op, element):
    kernel.define((), element, f"{op} {kernel.dice.choice('xyz')} : {element}")
