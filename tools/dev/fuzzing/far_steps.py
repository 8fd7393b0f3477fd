"""At the end of every third kernel: rows whose number times their distance wraps in 32 bits where a mask leaves them out, and random
words for many numbers of 16 bits, whose keys a thread has once. By a dice of its own, which changes nothing else of a kernel."""

from .ahead_steps import Ahead, Loop
from .values import Bound, Value, type_of
from .writer import own_dice

# Of the numbers of kernels, beside those of ahead_steps.
EVERY, REST = 3, 2
# The first number that an i32 does not hold.
LIMIT = 1 << 31
WIDTHS = (2, 4, 4, 8, 16)


class Far(Ahead):
    def rows(self):
        """Rows counted up or down, beyond either end of what an i32 holds, which the mask leaves out; loaded, in a loop or not, and
        stored."""
        kernel, dice = self.kernel, self.dice
        element = self.integers()
        kernel.need(element)
        width = dice.choice(WIDTHS)
        count = dice.choice([n for n in (16, 32, 64, 100, 128, 256) if n * width <= 1024])
        beyond = dice.choice((0, 1, 2, count // 4, count // 2))
        isDown, isBelow = dice.random() < 0.6, dice.random() < 0.3
        # The rows that are there: [first, behind).
        first, behind = (-LIMIT // width, -LIMIT // width + count - beyond) if isBelow else (LIMIT // width - count + beyond, LIMIT // width)
        begin = (behind - 1 + (0 if isBelow else beyond)) if isDown else first - (beyond if isBelow else 0)
        shape = (count, width)
        row = self.counted(count, begin, isDown)
        mask = self.masked(row, first, behind, isBelow)
        tile = self.spread(row, shape)
        away = self.times(tile, width)
        place = self.define(shape, "i32", f"arith.addi {away.name}, {self.columns(shape).name} overflow<nsw> : {away.type}")
        mask = self.spread(mask, shape)
        back = kernel.constant((), "i64", -first * width)
        base = self.define((), "ptr", f"fsm.offset %p_{element}, {back.name} : !fsm.ptr<{element}>, i64").name
        x = self.loaded(base, element, place, mask)
        to = kernel.place_for(element, count * width)
        if to and dice.random() < 0.7:
            to = self.define((), "ptr", f"fsm.offset {to}, {back.name} : !fsm.ptr<{element}>, i64").name
            kernel.write(f"fsm.store {x.name}, {to}[{place.name}], {mask.name} : {x.type}, !fsm.ptr<{element}>, {place.type}")
        else:
            kernel.sink(x)
        if dice.random() < 0.5:
            self.in_loop(base, element, place, mask)
        kernel.note("far", f"rows counted {'down' if isDown else 'up'} {'below' if isBelow else 'above'}")

    def number(self, number):
        """A constant, or one that a launch is thought to change."""
        value = self.kernel.constant((), "i32", (number + LIMIT) % (2 * LIMIT) - LIMIT)
        if self.dice.random() < 0.5:
            none = self.made("arith.andi", Value("%n0", (), "i32"), 0)
            value = self.made("arith.addi", value, none)
        return value

    def counted(self, count, begin, isDown):
        kernel = self.kernel
        place, begin = kernel.places((count,)), self.number(begin)
        begins = self.define((count,), "i32", f"fsm.splat {begin.name} : {place.type}")
        return self.define((count,), "i32", f"arith.{'subi' if isDown else 'addi'} {begins.name}, {place.name} overflow<nsw> : {place.type}")

    def masked(self, row, first, behind, isBelow):
        end = self.number(first - 1 if isBelow else behind)
        ends = self.define(row.shape, "i32", f"fsm.splat {end.name} : {row.type}")
        sides, order = (ends.name, row.name) if isBelow else (row.name, ends.name), "slt"
        if self.dice.random() < 0.3:
            sides, order = sides[::-1], "sgt"
        return self.define(row.shape, "i1", f"arith.cmpi {order}, {', '.join(sides)} : {row.type}")

    def spread(self, row, shape):
        column = self.define((shape[0], 1), row.element, f"fsm.expand_dims {row.name} axis 1 : {row.type} -> "
                             f"{type_of((shape[0], 1), row.element)}")
        return self.define(shape, row.element, f"fsm.broadcast {column.name} : {column.type} -> {type_of(shape, row.element)}")

    def columns(self, shape):
        place = self.kernel.places(shape[1:])
        line = self.define((1, shape[1]), "i32", f"fsm.expand_dims {place.name} axis 0 : {place.type} -> {type_of((1, shape[1]), 'i32')}")
        return self.define(shape, "i32", f"fsm.broadcast {line.name} : {line.type} -> {type_of(shape, 'i32')}")

    def times(self, row, width):
        """By a constant, or by a scalar."""
        if self.dice.random() < 0.5:
            by = self.kernel.constant(row.shape, "i32", width)
        else:
            by = self.define(row.shape, "i32", f"fsm.splat {self.number(width).name} : {row.type}")
        return self.define(row.shape, "i32", f"arith.muli {row.name}, {by.name} overflow<nsw> : {row.type}")

    def loaded(self, base, element, place, mask):
        other = self.kernel.constant((), element, 1)
        return self.define(place.shape, element, f"fsm.load {base}[{place.name}], {mask.name}, {other.name} : !fsm.ptr<{element}>, "
                           f"{place.type} -> {type_of(place.shape, element)}", self.kernel.held(element))

    def in_loop(self, base, element, place, mask):
        kernel = self.kernel
        loop = Loop(kernel, 3)
        total = loop.carry(kernel.constant(place.shape, "i32", 1))
        loop.open()
        moved = self.define((), "ptr", f"fsm.offset {base}, {loop.number.name} : !fsm.ptr<{element}>, i32").name
        loop.next(total, self.mixed(total, self.loaded(moved, element, place, mask)))
        loop.close(self.dice.choice((0, 2, 3)))

    def words(self):
        """Four random words for each counter; numbers of 16 bits beside them are kept where their word is less, and divided."""
        kernel, dice = self.kernel, self.dice
        element, count = dice.choice(("f16", "bf16")), dice.choice((64, 128, 256))
        kernel.need(element)
        shape, words = (count, 4), (count,)
        counter = self.counted(count, dice.choice((0, 5, 1 << 20)), False)
        of = kernel.constant(words, "i32", 0).name
        keys = [self.define(words, "i32", f"fsm.splat {self.number(key).name} : {type_of(words, 'i32')}").name for key in (7, -1640531527)]
        name = kernel.name()
        kernel.write(f"{name}:4 = fsm.philox counter {counter.name}, {of}, {of}, {of} key {', '.join(keys)} : {counter.type}")
        pair = type_of((count, 2), "i32")
        low, high = (self.define((count, 2), "i32", f"fsm.join {name}#{i}, {name}#{i + 2} : {counter.type} -> {pair}") for i in (0, 1))
        both = self.define((count, 2, 2), "i32", f"fsm.join {low.name}, {high.name} : {pair} -> {type_of((count, 2, 2), 'i32')}")
        word = self.define(shape, "i32", f"fsm.reshape {both.name} : {both.type} -> {type_of(shape, 'i32')}")
        place = kernel.places(shape)
        ends = self.define(shape, "i32", f"fsm.splat {self.number(dice.choice((4 * count, 4 * count - 3, 5))).name} : {place.type}")
        mask = self.define(shape, "i1", f"arith.cmpi slt, {place.name}, {ends.name} : {place.type}")
        x = self.loaded(f"%p_{element}", element, place, mask)
        wide = type_of(shape, "f32")
        x = self.define(shape, "f32", f"arith.extf {x.name} : {x.type} to {wide}", x.bound)
        if dice.random() < 0.7:
            by = self.define(shape, "f32", f"fsm.splat {kernel.constant((), 'f32', 0.9).name} : {wide}")
            x = self.define(shape, "f32", f"fsm.div_rn {x.name}, {by.name} : {wide}", Bound(1e38, 0, False))
        limit = self.define(shape, "i32", f"fsm.splat {self.number(dice.choice((0, 1 << 30, -1 << 30))).name} : {place.type}")
        keep = self.define(shape, "i1", f"arith.cmpi {dice.choice(('slt', 'ult'))}, {word.name}, {limit.name} : {place.type}")
        zero = kernel.constant(shape, "f32", 0)
        y = self.define(shape, "f32", f"arith.select {keep.name}, {x.name}, {zero.name} : {keep.type}, {wide}", Bound(1e38, 0, False))
        y = self.define(shape, element, f"arith.truncf {y.name} : {wide} to {type_of(shape, element)}", Bound(1e38, 0, False))
        to = kernel.place_for(element, 4 * count)
        if to:
            kernel.write(f"fsm.store {y.name}, {to}[{place.name}], {mask.name} : {y.type}, !fsm.ptr<{element}>, {place.type}")
        kernel.note("far", "random words")


def go_far(kernel):
    if kernel.seed % EVERY != REST or kernel.has_long_row:
        return
    with own_dice(kernel, "far") as dice:
        far = Far(kernel, dice)
        far.rows()
        far.words()
