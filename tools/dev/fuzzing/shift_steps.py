"""Loops that load and store a block which moves through a buffer, by less than its extent, by just that and by more.

What one iteration stores another one then loads or stores again, or does not by one element: so it shows whether
accesses are ordered that touch the same bytes, whichever threads of a program make them. Programs have regions of their
own, so the simulator has no race to report of a sound compiler.
"""

import numpy as np

from .control_steps import DEEPEST, MOST_TRIPS
from .index_sources import Sources
from .index_terms import SIGNED, Term
from .language import ELEMENTS, FLOATS, SMALL_FLOATS
from .registry import ACCESS, step
from .values import type_of
from .writer import REGION

SHAPES = [(16,), (32,), (33,), (64,), (100,), (128,), (128,), (256,), (4, 16), (8, 32), (3, 16), (16, 4)]
# A promise of more stages is not made.
MOST_STAGES = 6
COMPARISONS = ("slt", "sle", "sgt", "sge")


def places_in(source, shape):
    """Offsets of a block's elements: in a row, with gaps, or the other way about."""
    dice = source.kernel.dice
    choice = dice.random()
    if len(shape) > 1 and choice < 0.3:
        return source.transpose(source.rows(shape[::-1]), [1, 0])
    rows = source.rows(shape)
    if choice < 0.5:
        factor = source.constant(dice.choice((2, -1, 3)))
        return source.binary("muli", rows, source.splat(factor, shape))
    return rows


class Loop:
    """A loop whose number moves a block by `move` elements from one iteration to the next."""

    def __init__(self, source, move, room):
        self.source, self.kernel, dice = source, source.kernel, source.kernel.dice
        fitting = max(1, min(room // max(1, abs(move)), 8, MOST_TRIPS // self.kernel.trips))
        self.trips = dice.randrange(1, fitting + 1) if dice.random() < 0.3 else fitting
        self.stride = dice.choice([n for n in (1, 1, 2, 3, 4) if move % n == 0])
        self.factor = move // self.stride
        self.kind = dice.choice(("i32", "i32", "i32", "i64", "i16"))
        first = dice.choice((0, 0, 0, 0, 1, 3, -2, -7))
        end = first + (self.trips - 1) * self.stride + dice.randrange(1, self.stride + 1)
        lower = source.constant(first, self.kind) if dice.random() < 0.8 else source.number(first, self.kind)
        upper = source.number(end, self.kind)
        by = source.constant(self.stride, self.kind)
        self.kernel.count += 1
        numbers = first + self.stride * np.arange(self.trips, dtype=np.int64).reshape(1, -1, 1)
        self.number = Term(f"%i{self.kernel.count}", (), self.kind, numbers)
        self.head = f"scf.for {self.number.name} = {lower.name} to {upper.name} step {by.name}"

    def moved(self, factor):
        """The loop's number times the factor; a scalar of i32."""
        source = self.source
        number = source.convert(self.number, "i32", "extsi")
        if factor == 1:
            return number
        if factor < 0 and self.kernel.dice.random() < 0.5:
            return source.binary("subi", source.constant(0), self.moved(-factor))
        return source.binary("muli", number, source.constant(factor), promises=0.8)


class Place:
    """Where an access goes in each iteration: a pointer, offsets, and the numbers that they make together."""

    def __init__(self, loop, element, places, start):
        source, dice = loop.source, loop.kernel.dice
        by_pointer = dice.choice((0, 0, loop.factor, loop.factor, dice.randrange(-3, 20)))
        kind = f"!fsm.ptr<{element}>"
        self.start, self.kind, self.offsets, moves = start, kind, places, [source.constant(start)]
        if by_pointer:
            moves.append(loop.moved(by_pointer))
        if by_pointer != loop.factor:
            rest = source.splat(loop.moved(loop.factor - by_pointer), places.shape)
            self.offsets = source.binary("addi", *dice.sample((places, rest), 2))
        self.name = self.buffer = f"%p_{element}"
        self.moved = np.zeros((1, 1, 1), np.int64)
        dice.shuffle(moves)
        for move in moves:
            self.name = source.define((), "ptr", f"fsm.offset {self.name}, {move.name} : {kind}, i32", None).name
            self.moved = self.moved + move.numbers
        numbers = self.offsets.numbers + self.moved.reshape(*self.moved.shape, *(1,) * len(places.shape))
        self.numbers = np.broadcast_to(numbers, (1, loop.trips, 1, *places.shape))

    def hide(self, source):
        """The same place by another way, which says nothing of the buffer; the pointer has to be one into it."""
        if self.moved.min() < 0 or self.moved.max() >= REGION:
            return
        if source.kernel.dice.random() < 0.6:
            # No pass knows that it is this one.
            zero = source.constant(0)
            never = source.compare("slt", source.argument(0), zero)
            self.name = source.define((), "ptr", f"arith.select {never.name}, {self.buffer}, {self.name} : {self.kind}", None).name
            return
        address = source.define((), "ptr", f"fsm.ptr_to_int {self.name} : {self.kind} -> i64", None).name
        self.name = source.define((), "ptr", f"fsm.int_to_ptr {address} : i64 -> {self.kind}", None).name


def promised_stages(loads, stores):
    """The most stages whose promise holds: that no iteration loads what those before it have stored."""
    turns = range(loads.shape[1])
    loaded, stored = ([set(numbers[0, i].flat) for i in turns] for numbers in (loads, stores))
    for stages in range(2, MOST_STAGES + 1):
        back = stages - 1
        if any(i >= back and loaded[i] & stored[i - back] for i in turns):
            return stages - 1
    return MOST_STAGES


def changed(kernel, value):
    """Another block, such that what is changed twice shows."""
    shape, element = value.shape, value.element
    if element in SMALL_FLOATS:
        return value
    if element in FLOATS:
        return kernel.unary("arith.negf", value, value.bound)
    if element == "i1":
        return kernel.binary("arith.xori", value, kernel.constant(shape, element, 1))
    return kernel.binary("arith.addi", kernel.binary("arith.muli", value, kernel.constant(shape, element, 5)),
                         kernel.constant(shape, element, 1))


def element_for(kernel):
    element = kernel.dice.choice(kernel.buffers if kernel.dice.random() < 0.7 else ELEMENTS)
    if kernel.specials and element in FLOATS:
        element = kernel.dice.choice(("i32", "i16", "i8"))
    kernel.need(element)
    return element


def open_loop(kernel, loop, element):
    kernel.write(loop.head + f" : {loop.kind} {{")
    kernel.depth += 1
    kernel.stored = True
    kernel.written.add(element)
    return len(kernel.values)


def close_loop(kernel, op, loads, stores, outside):
    """Ends the loop, with as many stages as the promise allows or fewer."""
    kernel.depth -= 1
    del kernel.values[outside:]
    most, text = promised_stages(loads, stores), ""
    if kernel.dice.random() < 0.6:
        kernel.hinted = True
        kernel.most_stages = min(kernel.most_stages, most)
        text = f" {{fsm.num_stages = {kernel.dice.randrange(1, most + 1)} : i32}}"
    kernel.note("access", op)
    kernel.note("promise", most if text else "none")
    kernel.write("}" + text)


def load_from(kernel, place, element, mask=""):
    shape = place.offsets.shape
    return kernel.define(shape, element, f"fsm.load {place.name}[{place.offsets.name}]{mask} : {place.kind}, {place.offsets.type} -> "
                         f"{type_of(shape, element)}", kernel.held(element), hide=True)


def store_to(kernel, place, value, mask=""):
    kernel.write(f"fsm.store {value.name}, {place.name}[{place.offsets.name}]{mask} : {value.type}, {place.kind}, "
                 f"{place.offsets.type}")


def distance(dice, how, spread):
    """Elements, less than what a block reaches over, just that, or more; in either direction."""
    if how == "less":
        number = dice.choice((1, spread // 2 + 1, max(1, spread - 1), spread, spread, spread))
    else:
        number = spread + 1 if how == "extent" else dice.choice((spread + 2, spread + 3, 2 * spread + 2))
    return number * dice.choice((1, 1, -1))


HOWS = ("less", "extent", "more")
# Iterations between the store of an element and its load.
TURNS = (1, 1, 2, 2, 3, 4)


def walked(kernel, element, how):
    """A loop with a block that moves as far as told: the source, the loop and the block's places."""
    source, dice = Sources(kernel), kernel.dice
    places = places_in(source, dice.choice(SHAPES))
    spread = places.most - places.least
    move = distance(dice, how, spread)
    # Nothing is further away than twice what the block reaches over.
    return source, Loop(source, move, REGION - 3 * spread - 8), places, spread


def start_of(places, loop, slack=0):
    """Such that no element lies before the region."""
    moves = loop.number.numbers * loop.factor
    return slack - places.least - int(moves.min())


@step(("move by less",), ("",), times=2, deck=ACCESS)
@step([f"move by {how}" for how in HOWS], ("",), times=2, deck=ACCESS)
def move(kernel, op, element):
    """Changes a block in place and moves on."""
    if kernel.depth > DEEPEST:
        return
    how, element = op.removeprefix("move by "), element_for(kernel)
    source, loop, places, _ = walked(kernel, element, how)
    outside = open_loop(kernel, loop, element)
    place = Place(loop, element, places, start_of(places, loop))
    value = load_from(kernel, place, element)
    store_to(kernel, place, changed(kernel, value))
    if kernel.dice.random() < 0.3:
        # Once more, in the other order.
        store_to(kernel, place, changed(kernel, load_from(kernel, place, element)))
    close_loop(kernel, op, place.numbers, place.numbers, outside)


@step([f"shift by {how}" for how in (*HOWS, "turns")], ("",), times=2, deck=ACCESS)
@step(("shift by turns",), ("",), times=2, deck=ACCESS)
def shift(kernel, op, element):
    """Loads a block some elements away from where it stores one, by the same pointer or by one of unknown origin."""
    if kernel.depth > DEEPEST:
        return
    dice, how, element = kernel.dice, op.removeprefix("shift by "), element_for(kernel)
    source, loop, places, spread = walked(kernel, element, dice.choice(HOWS))
    apart = -dice.choice(TURNS) * loop.factor * loop.stride if how == "turns" else distance(dice, how, spread)
    first = start_of(places, loop, max(0, -apart))
    last = first + places.most + int((loop.number.numbers * loop.factor).max()) + max(0, apart)
    if last >= REGION:
        return
    outside = open_loop(kernel, loop, element)
    target = Place(loop, element, places, first)
    origin = Place(loop, element, places, first + apart)
    if dice.random() < 0.5:
        dice.choice((target, origin)).hide(source)
    if dice.random() < 0.7:
        store_to(kernel, target, changed(kernel, load_from(kernel, origin, element)))
    else:
        before = load_from(kernel, target, element)
        store_to(kernel, target, changed(kernel, before))
        store_to(kernel, target, changed(kernel, load_from(kernel, origin, element)))
    both = np.concatenate([origin.numbers, target.numbers], axis=-1)
    close_loop(kernel, op, both, target.numbers, outside)


@step(("rows",), ("",), times=2, deck=ACCESS)
def rows(kernel, op, element):
    """Changes the beginning of a row and moves on to the next; what is promised of the two numbers is true, and may be enough."""
    if kernel.depth > DEEPEST:
        return
    dice, element = kernel.dice, element_for(kernel)
    source, extent = Sources(kernel), dice.choice((32, 64, 100, 128))
    count = dice.randrange(1, extent + 1)
    apart = max(1, count + dice.choice((0, 1, 28, -1, -1, -count // 2)))
    loop = Loop(source, 1, 7)
    loop.factor, loop.stride = apart, 1
    length, pitch = source.number(count), source.number(apart)
    for _ in range(dice.choice((0, 1, 1, 1, 2))):
        left, right = dice.sample((length, pitch), 2)
        order = dice.choice([o for o in COMPARISONS if SIGNED[o](left.numbers, right.numbers).all()])
        kernel.write(f"fsm.assume {source.compare(order, left, right).name}")
    along = source.range(0, extent)
    mask = source.compare("slt", along, source.splat(length, along.shape))
    start = -apart * loop.number.least
    base = source.define((), "ptr", f"fsm.offset %p_{element}, {source.constant(start).name} : !fsm.ptr<{element}>, i32", None)
    outside = open_loop(kernel, loop, element)
    number = source.convert(loop.number, "i32", "extsi")
    offset = source.binary("muli", *dice.sample((number, pitch), 2), promises=0.8)
    place = Place.__new__(Place)
    place.kind, place.offsets = f"!fsm.ptr<{element}>", along
    place.name = source.define((), "ptr", f"fsm.offset {base.name}, {offset.name} : {place.kind}, i32", None).name
    value = load_from(kernel, place, element, f", {mask.name}")
    store_to(kernel, place, changed(kernel, value), f", {mask.name}")
    numbers = np.arange(count).reshape(1, 1, 1, -1) + offset.numbers.reshape(1, -1, 1, 1)
    close_loop(kernel, op, numbers, numbers, outside)
