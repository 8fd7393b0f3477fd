"""Chains of views: a block, a mask and offsets go through reshapes, transposes, splits, joins and broadcasts side by side.

Extents are short, odd or prime, so that rows end within a vector and a number has to be carried from one dimension to the next.
Between two views the block is changed element by element, combined along a dimension, and loaded under the mask at the offsets; at
the end it is stored so. Which element came to which place shows, for elements differ and no op on the way rounds.
"""

from .language import ELEMENTS, FLOATS, INT_KINDS, INTS, SMALL_FLOATS
from .memory_steps import LOAD_HINTS, STORE_HINTS
from .reduce_steps import back, folded
from .registry import VIEWS, step
from .shape_steps import remember
from .values import NONE, either, size_of, type_of

SHORT = (1, 2, 3, 4, 5, 6, 7)
LONG = (8, 9, 11, 13, 15, 16, 17, 19, 23, 31, 32, 33)
# The most elements and dimensions of a block on the way.
LARGEST, MOST_DIMS = 640, 5
# What chains are made of, and how rows end where they are stored: each has a row in the histogram.
KINDS = ("fsm.reshape", "fsm.transpose", "fsm.split", "fsm.join", "fsm.broadcast", "element-wise", "combined", "loaded", "stored",
         "short rows", "odd rows", "whole rows", "offsets that came along", "a mask that came along")


def factors_of(number):
    """Its prime factors."""
    found, factor = [], 2
    while number > 1:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return found


def some_extents(dice):
    """Of up to four dimensions, the last of which is often short."""
    shape = [dice.choice(SHORT if dice.random() < 0.6 else LONG)]
    while len(shape) < dice.choice((1, 2, 2, 3, 4)):
        extent = dice.choice(SHORT if dice.random() < 0.5 else LONG)
        if size_of(shape) * extent <= LARGEST:
            shape.insert(0, extent)
    return tuple(shape)


class Chain:
    """A block, and what says where it comes from and goes to: offsets no two of which are equal, and a mask, each of them there or
    not. They have one shape."""

    def __init__(self, kernel, element):
        self.kernel, self.dice, self.element = kernel, kernel.dice, element
        self.shape = some_extents(self.dice)
        kernel.need(element)
        self.block = self.distinct_elements() if self.dice.random() < 0.6 else kernel.some(self.shape, element, exact=True)
        self.offsets, self.reach = kernel.distinct(self.shape) if self.dice.random() < 0.7 else (None, 0)
        self.mask = self.some_mask() if self.dice.random() < 0.7 else None

    def note(self, kind):
        self.kernel.note("views", kind)

    def distinct_elements(self):
        """Elements that differ, as far as the type has so many numbers."""
        return self.kernel.convert(self.kernel.places(self.shape), self.element)

    def some_mask(self):
        return self.kernel.mask(self.shape) or self.kernel.some(self.shape, "i1")

    def all(self, shape, view):
        """Everything of the chain becomes what `view` makes of it, a value by its name and type."""
        self.block, self.offsets, self.mask = (value and self.viewed(value, shape, view)
                                               for value in (self.block, self.offsets, self.mask))
        self.shape = shape

    def viewed(self, value, shape, view):
        return self.kernel.define(shape, value.element, view(value, type_of(shape, value.element)), value.bound)

    # Views.

    def reshape(self):
        size = size_of(self.shape)
        shape = [1] * self.dice.choice((1, 2, 2, 3, 3, 4))
        for factor in factors_of(size):
            shape[self.dice.randrange(len(shape))] *= factor
        if tuple(shape) == self.shape:
            shape = [*shape, 1] if len(shape) < MOST_DIMS else [size]
        self.all(tuple(shape), lambda value, kind: f"fsm.reshape {value.name} : {value.type} -> {kind}")

    def transpose(self):
        if len(self.shape) == 1:
            self.reshape()
        order = list(range(len(self.shape)))
        self.dice.shuffle(order)
        shape = tuple(self.shape[i] for i in order)
        self.all(shape, lambda value, kind: f"fsm.transpose {value.name} order {order} : {value.type} -> {kind}")

    def split(self):
        """One half of each, and of the block sometimes both: a choice between them, or joined in the other order."""
        if self.shape[-1] != 2 or len(self.shape) == 1:
            size = size_of(self.shape)
            if size % 2:
                return self.join()
            shape = self.dice.choice(((size // 2, 2), *(((f, size // f // 2, 2)) for f in (2, 3, 5, 7) if size // 2 % f == 0)))
            self.all(shape, lambda value, kind: f"fsm.reshape {value.name} : {value.type} -> {kind}")
        shape, halves = self.shape[:-1], {}
        for name in ("block", "offsets", "mask"):
            value = getattr(self, name)
            if value:
                result = self.kernel.name()
                self.kernel.write(f"{result}:2 = fsm.split {value.name} : {value.type} -> {type_of(shape, value.element)}")
                self.kernel.adopt([f"{result}#0", f"{result}#1"], shape, value.element, value.bound)
                halves[name] = self.kernel.values[-2:]
        side, self.shape = self.dice.randrange(2), shape
        for name, values in halves.items():
            setattr(self, name, values[side])
        if self.dice.random() < 0.5:
            self.put_together(*reversed(halves["block"]))
        return None

    def join(self):
        if len(self.shape) == MOST_DIMS or 2 * size_of(self.shape) > LARGEST:
            return self.reshape()
        other = self.kernel.some(self.shape, self.element, exact=True) if self.dice.random() < 0.5 else self.distinct_elements()
        self.put_together(*self.dice.sample((self.block, other), 2))
        return None

    def put_together(self, left, right):
        """Two blocks joined. Their offsets are, too, those of one half behind those of the other."""
        kernel, shape = self.kernel, (*self.shape, 2)
        kind = type_of(shape, left.element)
        self.block = kernel.define(shape, left.element, f"fsm.join {left.name}, {right.name} : {left.type} -> {kind}",
                                   either(left.bound, right.bound))
        for name in ("offsets", "mask"):
            value = getattr(self, name)
            if not value:
                continue
            other = value
            if name == "offsets":
                other = kernel.binary("arith.addi", value, kernel.constant(value.shape, "i32", self.reach))
                self.reach *= 2
            setattr(self, name, kernel.define(shape, value.element, f"fsm.join {value.name}, {other.name} : {value.type} -> "
                                              f"{type_of(shape, value.element)}"))
        self.shape = shape

    def broadcast(self):
        """Repeated along a dimension of extent 1 or a new one. Offsets that come up several times would be stored to in any order."""
        extent = self.dice.choice((2, 3, 5, 7))
        if extent * size_of(self.shape) > LARGEST or len(self.shape) == MOST_DIMS:
            return self.reshape()
        axis, wide = self.dice.randrange(len(self.shape) + 1), self.shape
        self.all((*wide[:axis], 1, *wide[axis:]),
                 lambda value, kind: f"fsm.expand_dims {value.name} axis {axis} : {value.type} -> {kind}")
        self.offsets = None
        self.all((*wide[:axis], extent, *wide[axis:]),
                 lambda value, kind: f"fsm.broadcast {value.name} : {value.type} -> {kind}")
        return None

    # What is done between them.

    def change(self):
        """Element by element, without rounding."""
        kernel, block, dice = self.kernel, self.block, self.dice
        if self.element in INTS:
            self.block = kernel.binary(dice.choice(("arith.addi", "arith.xori", "arith.subi")), block,
                                       kernel.some(self.shape, self.element) if dice.random() < 0.5 else self.distinct_elements())
        elif self.element in FLOATS and dice.random() < 0.5:
            self.block = kernel.unary("arith.negf", block, block.bound)
        else:
            condition, other = self.mask or kernel.some(self.shape, "i1"), self.distinct_elements()
            self.block = kernel.define(self.shape, self.element, f"arith.select {condition.name}, {block.name}, {other.name} : "
                                       f"{condition.type}, {block.type}", either(block.bound, other.bound))
        self.note("element-wise")

    def combine(self):
        """Along a dimension: what comes of it is repeated, or the block has one dimension fewer."""
        kernel, dice = self.kernel, self.dice
        if self.element in SMALL_FLOATS:
            return self.change()
        kind = dice.choice(INT_KINDS) if self.element in INTS else dice.choice(("max", "min"))
        axis = dice.randrange(len(self.shape))
        value, bound = folded(kernel, kind, self.block, self.shape[axis])
        if dice.random() < 0.4:
            self.block = kernel.define(self.shape, value.element, f"fsm.scan <{kind}> {value.name} axis {axis} : {value.type}", bound)
        else:
            shape = self.shape[:axis] + self.shape[axis + 1:]
            result = kernel.define(shape, value.element, f"fsm.reduce <{kind}> {value.name} axis {axis} : {value.type} -> "
                                   f"{type_of(shape, value.element)}", bound)
            if not shape:
                self.block = kernel.define(self.shape, value.element, f"fsm.splat {result.name} : {self.block.type}", bound)
            elif self.shape[axis] > 1 and dice.random() < 0.6:
                back(kernel, result, self.shape, axis)
                self.block = kernel.values[-1]
            elif shape:
                self.block, self.shape, self.offsets, self.mask = result, shape, None, None
        self.note("combined")
        return None

    def load(self):
        """From memory, under the mask, what is left out being the block's."""
        kernel = self.kernel
        offsets, reach = self.places_in_memory()
        other = kernel.clamp(self.block)
        if kernel.wholes and not other.bound.whole or self.element in SMALL_FLOATS and other.bound.size > 16:
            other = kernel.constant(self.shape, self.element, kernel.number(self.element))
        mask = self.mask or self.some_mask()
        hint = self.dice.choice(("",) * 8 + LOAD_HINTS)
        base = kernel.pointer(self.element, reach)
        held = kernel.held(self.element)
        self.block = kernel.define(self.shape, self.element, f"fsm.load {base.name}[{offsets.name}], {mask.name}, {other.name}{hint} : "
                                   f"!fsm.ptr<{self.element}>, {offsets.type}, other {other.type} -> {other.type}",
                                   either(held, other.bound) if self.element not in INTS else NONE)
        self.note("loaded")

    def places_in_memory(self):
        """The offsets that came along, or new ones."""
        if self.offsets and self.reach <= 2 * LARGEST:
            self.note("offsets that came along")
            return self.offsets, self.reach
        return self.kernel.distinct(self.shape)

    def store(self):
        kernel = self.kernel
        value = kernel.storable(self.block)
        kernel.stored = True
        kernel.written.add(value.element)
        offsets, reach = self.places_in_memory()
        mask = self.mask or kernel.mask(self.shape)
        if self.mask:
            self.note("a mask that came along")
        last = self.shape[-1]
        self.note("short rows" if last <= 7 else "whole rows" if last & (last - 1) == 0 else "odd rows")
        extra = (f", {mask.name}" if mask else "") + self.dice.choice(("",) * 8 + STORE_HINTS)
        base = kernel.pointer(value.element, reach)
        kernel.write(f"fsm.store {value.name}, {base.name}[{offsets.name}]{extra} : {value.type}, !fsm.ptr<{value.element}>, "
                     f"{offsets.type}")
        self.note("stored")


BY_NAME = {f"fsm.{view.__name__}": view for view in (Chain.reshape, Chain.transpose, Chain.split, Chain.join, Chain.broadcast)}
BETWEEN = (Chain.change, Chain.change, Chain.combine, Chain.load)


@step(BY_NAME, ELEMENTS, deck=VIEWS)
def chain(kernel, op, element):
    """Three to seven views, of which the op is one."""
    links = Chain(kernel, element)
    views = [op, *kernel.dice.choices(list(BY_NAME), weights=(3, 3, 2, 2, 1), k=kernel.dice.randint(2, 6))]
    kernel.dice.shuffle(views)
    for name in views:
        BY_NAME[name](links)
        links.note(name)
        if kernel.dice.random() < 0.4:
            kernel.dice.choice(BETWEEN)(links)
    remember(kernel, links.shape)
    if links.shape:
        links.store()
