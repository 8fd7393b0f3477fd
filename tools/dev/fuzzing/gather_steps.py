"""Steps that take elements from where indices say, put blocks together, and bring elements in order."""

from .language import ELEMENTS, INTS
from .registry import step
from .shape_steps import remember
from .values import NONE, either, size_of, type_of
from .writer import REGION

# A network of more is long for what it tries.
LONGEST = 33


def some_block(kernel, element, exact=False, most=REGION):
    """A block of the type along one of whose dimensions there are few enough elements, and that dimension."""
    value = kernel.some_block((element,), exact)
    axes = [i for i, extent in enumerate(value.shape) if extent <= most]
    if not axes:
        value = kernel.some((7,), element, exact)
        axes = [0]
    return value, kernel.dice.choice(axes)


def below(kernel, value, extent):
    """Numbers from 0 to an extent, of what any numbers are."""
    return kernel.binary("arith.remui", value, kernel.constant(value.shape, value.element, extent))


def offset(kernel, extent):
    """A number below an extent, in the text or found by the program."""
    if kernel.dice.random() < 0.5:
        return str(kernel.dice.randrange(extent))
    return below(kernel, kernel.some((), "i32", exact=True), extent).name


def cut(kernel, extent):
    """A part's extent."""
    return kernel.dice.choice((extent, extent, 1, max(1, extent // 2), max(1, extent - 1)))


@step(("fsm.gather",), ELEMENTS)
def gather(kernel, op, element):
    value, axis = some_block(kernel, element)
    others = size_of(value.shape) // value.shape[axis]
    count = kernel.dice.choice([n for n in (1, 2, 5, 16, 33, value.shape[axis]) if n * others <= REGION])
    shape = (*value.shape[:axis], count, *value.shape[axis + 1:])
    kind = kernel.dice.choice(("i32", "i32", "i64"))
    indices = below(kernel, kernel.some(shape, kind, exact=True), value.shape[axis])
    kernel.define(shape, element, f"{op} {value.name}[{indices.name}] axis {axis} : {value.type}, {indices.type} -> "
                  f"{type_of(shape, element)}", value.bound)
    remember(kernel, shape)


@step(("fsm.slice",), ELEMENTS)
def part(kernel, op, element):
    value = kernel.some_block((element,))
    shape = tuple(cut(kernel, extent) for extent in value.shape)
    offsets = ", ".join(offset(kernel, extent - part + 1) for extent, part in zip(value.shape, shape))
    kernel.define(shape, element, f"{op} {value.name}[{offsets}] : {value.type} -> {type_of(shape, element)}", value.bound)


@step(("fsm.extract",), ELEMENTS)
def extract(kernel, op, element):
    value = kernel.some_block((element,))
    offsets = ", ".join(offset(kernel, extent) for extent in value.shape)
    kernel.define((), element, f"{op} {value.name}[{offsets}] : {value.type}", value.bound)


@step(("fsm.cat",), ELEMENTS)
def cat(kernel, op, element):
    value, axis = some_block(kernel, element)
    others = size_of(value.shape) // value.shape[axis]
    values = [value]
    for _ in range(kernel.dice.choice((1, 1, 2))):
        extent = kernel.dice.choice((value.shape[axis], value.shape[axis], 1, 3))
        if (sum(v.shape[axis] for v in values) + extent) * others <= REGION:
            values.append(kernel.some((*value.shape[:axis], extent, *value.shape[axis + 1:]), element))
    shape = (*value.shape[:axis], sum(v.shape[axis] for v in values), *value.shape[axis + 1:])
    kernel.define(shape, element, f"{op} {', '.join(v.name for v in values)} axis {axis} : "
                  f"{', '.join(v.type for v in values)} -> {type_of(shape, element)}", either(*(v.bound for v in values)))


@step(("fsm.sort",), ELEMENTS)
def sort(kernel, op, element):
    value, axis = some_block(kernel, element, exact=True, most=LONGEST)
    flag = kernel.dice.choice(("", " descending"))
    kernel.define(value.shape, element, f"{op} {value.name} axis {axis}{flag} : {value.type}", value.bound)


@step(("fsm.topk",), ELEMENTS)
def top(kernel, op, element):
    value, axis = some_block(kernel, element, exact=True, most=LONGEST)
    shape = (*value.shape[:axis], cut(kernel, value.shape[axis]), *value.shape[axis + 1:])
    flag = kernel.dice.choice(("", " smallest"))
    values, indices = kernel.name(), kernel.name()
    kernel.write(f"{values}, {indices} = {op} {value.name} axis {axis}{flag} : {value.type} -> {type_of(shape, element)}")
    kernel.adopt([values], shape, element, value.bound)
    kernel.adopt([indices], shape, "i32")


@step(("fsm.histogram",), INTS)
def count(kernel, op, element):
    value = kernel.some_block((element,), exact=True)
    bins = (kernel.dice.choice((1, 2, 5, 16, 33, 64)),)
    kernel.define(bins, "i32", f"{op} {value.name} : {value.type} -> {type_of(bins, 'i32')}", NONE)


@step(("fsm.places",), ("i32",), times=4)
def places(kernel, op, element):
    """Offsets and a mask from lists of numbers that are small enough."""
    shape = kernel.shape(0)

    def numbers(low, high):
        words = []
        for _ in shape:
            if kernel.dice.random() < 0.5:
                words.append(str(kernel.dice.randrange(low, high)))
            else:
                number = below(kernel, kernel.some((), "i32", exact=True), high - low)
                words.append(kernel.binary("arith.addi", number, kernel.constant((), "i32", low)).name)
        return f"[{', '.join(words)}]"

    lists = [f" origin {numbers(-50, 100)}"] if kernel.dice.random() < 0.6 else []
    if len(shape) > 1 or kernel.dice.random() < 0.7:
        lists.append(f" strides {numbers(-3, 200)}")
    has_bounds = kernel.dice.random() < 0.8
    if has_bounds:
        lists.append(f" bounds {numbers(-20, 200)}")
    names = [kernel.name() for _ in range(1 + has_bounds)]
    kernel.write(f"{', '.join(names)} = {op}{''.join(lists)} : {type_of(shape, 'i32')}")
    kernel.adopt(names[:1], shape, "i32")
    kernel.adopt(names[1:], shape, "i1")
