"""Steps that access parts of tensors, which begin and end inside of them or not."""

from .language import ELEMENTS
from .registry import step
from .values import size_of, type_of
from .writer import REGION

MOST_DIMS = 5


def below(kernel, low, high):
    """A number of a range as text: one in the text, or one that the program finds."""
    if kernel.dice.random() < 0.5:
        return str(kernel.dice.randrange(low, high))
    value = kernel.some((), "i32", exact=True)
    number = kernel.binary("arith.remui", value, kernel.constant((), "i32", high - low))
    return kernel.binary("arith.addi", number, kernel.constant((), "i32", low)).name


def some_shape(kernel):
    """The extents of a part."""
    shape = kernel.shape(0)
    return shape if len(shape) <= MOST_DIMS else (size_of(shape),)


def some_tensor(kernel, shape, element):
    """A descriptor of a tensor whose elements lie apart, its type, and coordinates of a part of it."""
    dice, sizes = kernel.dice, []
    more = 0 if dice.random() < 0.6 else dice.randrange(1 + MOST_DIMS - len(shape))
    for extent in (*(dice.choice((1, 2, 3)) for _ in range(more)), *shape):
        room = REGION // 4 // size_of(sizes)
        sizes.append(max(1, min(room, dice.choice((extent, extent, extent + 1, extent - 1, max(1, extent // 2))))))
    strides, reach = [], 1
    for size in reversed(sizes):
        strides.insert(0, reach)
        reach *= size
        if reach <= REGION // 8 and dice.random() < 0.3:
            reach += dice.choice((1, 3))
    base = kernel.pointer(element, reach)
    kind = f"!fsm.descriptor<{len(sizes)} x {element}>"
    words = [below(kernel, size, size + 1) for size in sizes], [below(kernel, stride, stride + 1) for stride in strides]
    texts = [f"[{', '.join(numbers)}]" for numbers in words]
    name = kernel.name()
    kernel.write(f"{name} = fsm.descriptor {base.name} sizes {texts[0]} strides {texts[1]} : !fsm.ptr<{element}> -> {kind}")
    first = [below(kernel, 0, 1) if dice.random() < 0.5 else below(kernel, -(size // 2) - 1, size + 1) for size in sizes]
    return f"{name}[{', '.join(first)}]", kind


@step(("fsm.load_tile",), ELEMENTS)
def load(kernel, op, element):
    kernel.need(element)
    shape = some_shape(kernel)
    held = kernel.held(element)
    part, kind = some_tensor(kernel, shape, element)
    kernel.define(shape, element, f"fsm.load_tile {part} : {kind} -> {type_of(shape, element)}", held)


@step(("fsm.store_tile",), ELEMENTS)
def store(kernel, op, element):
    kernel.need(element)
    value = kernel.storable(kernel.some(some_shape(kernel), element, exact=True))
    if len(value.shape) > MOST_DIMS:
        return
    kernel.stored = True
    kernel.written.add(value.element)
    part, kind = some_tensor(kernel, value.shape, value.element)
    kernel.write(f"{op} {value.name}, {part} : {value.type}, {kind}")
