"""Where the terms of an access begin: scalars and blocks with facts that a compiler can know, or nearly."""

import numpy as np

from .index_terms import WORLDS, Terms, divisor, in_groups, signed
from .values import size_of

# Numbers that are multiples of much and of little, of both signs.
NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64, 100, 128, -1, -2, -3, -4, -7, -8, -12, -16, -24, -32, -64)
FACTORS = (2, 4, 8, 16, 64, 3, 12)
# What ranges begin at, below and above 0.
FIRSTS = (0, 0, 0, 0, 16, 64, 8, -16, -64, -128, 1, 3, 6, -1, -3, -6, -10)
# Multiples of much, below 0 as well, and a few that are not.
STARTS = (0, 0, 16, 64, -16, -64, 1, 3, 6, -3)
# What a range becomes before anything else, so that groups of it are equal, consecutive or neither.
CHANGES = (("muli", (2, 4, 8, -1, 3)), ("divui", (2, 4, 8, 3)), ("divsi", (2, 4, 8, 3)), ("shrsi", (1, 2, 3)), ("shrui", (1, 2)),
           ("andi", (1, 3, 7, 15, -2, -4, -8, -16)), ("remsi", (4, 8, 16, 5, 12)), ("remui", (4, 8, 16, 3)),
           ("xori", (1, 3, 4, 7, 16)), ("ori", (1, 3, 4, 8)), ("subi", (4, 8, 5)))


class Sources(Terms):
    """Terms that a step begins with; `inside` are scalars of the loop around it."""

    def __init__(self, kernel):
        super().__init__(kernel)
        self.inside = []

    # Scalars.

    def scalar(self):
        dice = self.kernel.dice
        if dice.random() < 0.25:
            return self.constant(dice.choice(NUMBERS))
        value = self.unknown()
        if dice.random() < 0.6:
            value = self.binary("muli", value, self.constant(dice.choice(FACTORS)))
        if dice.random() < 0.4:
            value = self.binary(dice.choice(("addi", "addi", "subi")), value, self.constant(dice.choice(NUMBERS)))
        return self.promised(value) if dice.random() < 0.3 else value

    def unknown(self):
        """The loop's number, an argument, data, or the number of the program."""
        dice, choice = self.kernel.dice, self.kernel.dice.random()
        if self.inside and choice < 0.6:
            return self.convert(dice.choice(self.inside), "i32", "extsi")
        return self.data if choice < 0.75 else self.program() if choice > 0.9 else self.argument(dice.randrange(2))

    def number(self, number, kind="i32"):
        """This number, known to the compiler or, mostly, not; then often with what divides it."""
        dice = self.kernel.dice
        number = signed(number, kind)
        if dice.random() < 0.35 or abs(number) >= 1 << 31:
            return self.constant(number, kind)
        index = dice.randrange(2)
        factor = divisor(np.array([number]))
        if factor > 1 and dice.random() < 0.5:
            # What is multiplied is hidden, but not what with.
            value = self.binary("addi", self.argument(index), self.constant(number // factor - self.kernel.known[index]))
            return self.convert(self.binary("muli", value, self.constant(factor)), kind, "extsi")
        value = self.binary("addi", self.argument(index), self.constant(number - self.kernel.known[index]))
        return self.convert(self.promised(value) if dice.random() < 0.7 else value, kind, "extsi")

    def promised(self, value):
        """The scalar with a promise that is true in all worlds."""
        dice, kernel = self.kernel.dice, self.kernel
        factor = divisor(value.numbers)
        factor >>= dice.choice((0, 0, 0, 1)) if factor > 1 else 0
        if dice.random() < 0.5:
            return self.define((), value.kind, f"fsm.hint {value.name} {{multiple_of = array<i64: {factor}>}} : {value.kind}",
                               value.numbers)
        if value.name.startswith("%m") and kernel.depth > 1:
            return value
        if value.least >= 0 and dice.random() < 0.4:
            order, bound = dice.choice((("sge", 0), ("sgt", -1)))
            condition = self.compare(order, value, self.constant(bound, value.kind))
        else:
            op, by = dice.choice((("remsi", factor), ("remui", factor), ("andi", factor - 1)))
            rest = self.binary(op, value, self.constant(by, value.kind))
            condition = self.compare("eq", rest, self.constant(0, value.kind))
        kernel.write(f"fsm.assume {condition.name}")
        return value

    # Blocks.

    def equal(self, number, shape, kind):
        """A block of one number."""
        if self.kernel.dice.random() < 0.65:
            return self.splat(self.constant(number, kind), shape)
        return self.splat(self.number(number, kind), shape)

    def vector(self, extent):
        dice = self.kernel.dice
        first = dice.choice((*FIRSTS, -extent, -(extent // 2), extent))
        value = self.range(first, extent)
        if dice.random() < 0.5:
            return value
        op, numbers = dice.choice(CHANGES)
        other = self.splat(self.constant(dice.choice(numbers)), value.shape)
        if op == "subi" and dice.random() < 0.5:
            return self.binary(op, other, value)
        return self.binary(op, value, other)

    def block(self, shape):
        """A block of i32 that runs along some of its dimensions."""
        dice, choice = self.kernel.dice, self.kernel.dice.random()
        if choice < 0.65:
            return self.clean(shape)
        if len(shape) == 1:
            value = self.vector(shape[0])
        elif choice < 0.85:
            value = self.reshape(self.vector(size_of(shape)), shape)
        else:
            value = self.along_axes(shape)
        if dice.random() < 0.3:
            value = self.binary(dice.choice(("addi", "addi", "subi")), value, self.splat(self.scalar(), shape))
        return self.hinted(value) if dice.random() < 0.1 else value

    def clean(self, shape):
        """A block that runs, mostly from a multiple of much on, along its last dimension or another; so nothing but what it
        becomes next keeps it from being accessed by whole vectors."""
        dice = self.kernel.dice
        if len(shape) > 1 and dice.random() < 0.3:
            order = list(range(len(shape)))
            while order == sorted(order):
                dice.shuffle(order)
            return self.transpose(self.clean_rows(tuple(shape[order.index(i)] for i in range(len(shape)))), order)
        return self.clean_rows(shape)

    def clean_rows(self, shape):
        dice, size = self.kernel.dice, size_of(shape)
        value = self.reshape(self.range(dice.choice((*STARTS, -size, -(size // 2))), size), shape)
        if dice.random() < 0.4:
            number = self.binary("muli", self.unknown(), self.constant(dice.choice((8, 16, 32, 64))))
            value = self.binary(dice.choice(("addi", "addi", "subi")), value, self.splat(number, shape))
        return value

    def along_axes(self, shape):
        """A sum of vectors, each along a dimension and scaled."""
        dice, total = self.kernel.dice, None
        order = list(range(len(shape)))
        if dice.random() < 0.5:
            dice.shuffle(order)
        strides, step = {}, 1
        for axis in reversed(order):
            strides[axis] = dice.choice((0, 1, 4, 100)) if dice.random() < 0.15 else step
            step *= shape[axis]
        for axis, extent in enumerate(shape):
            part = self.vector(extent) if dice.random() < 0.3 else self.range(0, extent)
            if strides[axis] != 1:
                part = self.binary("muli", part, self.splat(self.constant(strides[axis]), part.shape))
            part = self.spread(part, shape, axis)
            total = self.binary("addi", total, part) if total else part
        return total

    def rows(self, shape):
        """The numbers from 0 on in row-major order."""
        if self.kernel.dice.random() < 0.7:
            return self.reshape(self.range(0, size_of(shape)), shape)
        total, step = None, 1
        for axis in reversed(range(len(shape))):
            part = self.range(0, shape[axis])
            if step != 1:
                part = self.binary("muli", part, self.splat(self.constant(step), part.shape))
            part = self.spread(part, shape, axis)
            total = self.binary("addi", part, total) if total else part
            step *= shape[axis]
        return total

    def hinted(self, value):
        """The block with a promise of groups that is true in all worlds."""
        rank = len(value.shape)
        kind, step = self.kernel.dice.choice((("max_contiguous", 1), ("max_contiguous", 1), ("max_constancy", 0)))
        groups = [in_groups(value.numbers, WORLDS + axis, step) for axis in range(rank)]
        promise = f"{kind} = array<i64: {', '.join(map(str, groups))}>"
        if step:
            starts = [divisor(np.take(value.numbers, range(0, value.shape[axis], groups[axis]), WORLDS + axis))
                      for axis in range(rank)]
            promise += f", multiple_of = array<i64: {', '.join(map(str, starts))}>"
        return self.define(value.shape, value.kind, f"fsm.hint {value.name} {{{promise}}} : {value.type}", value.numbers)
