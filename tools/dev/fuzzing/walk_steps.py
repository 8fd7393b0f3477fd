"""A row whose length is one of a launch's numbers, walked block by block at the end of every third kernel: what a launch says of
that number says how often such loops run, and they may be written out. All by a dice of its own, which changes nothing else of a
kernel."""

import random

from .language import INTS, WIDTH
from .values import type_of

EVERY = 3
EXTENTS = (8, 16, 31, 64, 64, 100, 128)
# Of what is stored; no number of a launch is larger.
ROW = 512


class Walk:
    def __init__(self, kernel, dice):
        self.kernel, self.dice = kernel, dice
        self.element, self.extent, index = dice.choice(kernel.buffers), dice.choice(EXTENTS), dice.randrange(3)
        self.number = f"%n{index}"
        kernel.most_numbers[index] = min(kernel.most_numbers[index], ROW)
        self.block, self.places = type_of((self.extent,), self.element), type_of((self.extent,), "i32")
        self.zero, self.step = (kernel.constant((), "i32", n).name for n in (0, self.extent))
        self.range, self.ends = kernel.name(), kernel.name()
        kernel.write(f"{self.range} = fsm.range 0, {self.extent} : {self.places}")
        kernel.write(f"{self.ends} = fsm.splat {self.number} : {self.places}")

    def open(self, carried=None, kind=None):
        """A loop's first lines: a block of the row in memory, and which of it is there. Without its result where it hands nothing on."""
        kernel, names = self.kernel, [self.kernel.name() for _ in range(7)]
        result, i, body, first, at, mask, x = names
        ends = f" iter_args({body} = {carried}) -> ({kind})" if carried else ""
        kernel.write((f"{result} = " if carried else "") + f"scf.for {i} = {self.zero} to {self.number} step {self.step}{ends} : i32 {{")
        kernel.depth += 1
        kernel.write(f"{first} = fsm.splat {i} : {self.places}")
        kernel.write(f"{at} = arith.addi {first}, {self.range} overflow<nsw> : {self.places}")
        sides = f"slt, {at}, {self.ends}" if self.dice.random() < 0.8 else f"sgt, {self.ends}, {at}"
        kernel.write(f"{mask} = arith.cmpi {sides} : {self.places}")
        kernel.write(f"{x} = fsm.load %p_{self.element}[{at}], {mask} : !fsm.ptr<{self.element}>, {self.places} -> {self.block}")
        return result, body, at, mask, x

    def close(self, value=None, kind=None):
        if value:
            self.kernel.write(f"scf.yield {value} : {kind}")
        self.kernel.depth -= 1
        self.kernel.write("}")

    def last(self):
        """The last number that each element of a block has met."""
        kernel, start = self.kernel, self.kernel.constant((self.extent,), self.element, 1)
        result, body, _, mask, x = self.open(start.name, self.block)
        chosen = kernel.name()
        kernel.write(f"{chosen} = arith.select {mask}, {x}, {body} : {type_of((self.extent,), 'i1')}, {self.block}")
        self.close(chosen, self.block)
        self.keep(result, self.element)

    def total(self):
        """The sum of integers, of each element of a block or of all."""
        kernel, element = self.kernel, self.element
        whole = self.dice.random() < 0.5
        kind = element if whole else self.block
        start = kernel.constant(() if whole else (self.extent,), element, 1)
        result, body, _, _, x = self.open(start.name, kind)
        part, more = x, kernel.name()
        if whole:
            part = kernel.name()
            kernel.write(f"{part} = fsm.reduce <sum> {x} axis 0 : {self.block} -> {element}")
        kernel.write(f"{more} = arith.addi {body}, {part} : {kind}")
        self.close(more, kind)
        self.keep(result, element, () if whole else (self.extent,))

    def copy(self):
        """Stores the row, and in front of its end nothing else."""
        kernel = self.kernel
        base = kernel.place_for(self.element, ROW)
        if not base:
            return
        _, _, at, mask, x = self.open()
        kernel.write(f"fsm.store {x}, {base}[{at}], {mask} : {self.block}, !fsm.ptr<{self.element}>, {self.places}")
        self.close()

    def keep(self, name, element, shape=None):
        self.kernel.adopt([name], (self.extent,) if shape is None else shape, element, self.kernel.held(element))
        self.kernel.sink(self.kernel.values[-1])


def walk_row(kernel):
    dice = random.Random(f"{kernel.seed} walk")
    if dice.randrange(EVERY):
        return
    before, kernel.dice = kernel.dice, dice
    walk = Walk(kernel, dice)
    parts = [walk.last, walk.copy] + [walk.total] * (walk.element in INTS and WIDTH[walk.element] > 1)
    dice.shuffle(parts)
    for part in parts:
        part()
    kernel.note("walks", "to a launch's number")
    kernel.dice = before
