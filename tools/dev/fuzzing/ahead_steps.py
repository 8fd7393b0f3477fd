"""What a thread finds once for many, at the end of every third kernel: loops that follow a list, or gather from blocks that they do
not make, integers divided whose neighbours have one quotient, and quotients of 16 bits that are rounded again. All by a dice of its
own, which changes nothing else of a kernel."""

import random

from .language import INTS, WIDTH
from .values import Bound, Value, type_of

# Of the numbers of kernels, beside those that walk a row.
EVERY, REST = 3, 1
# No row of a list's is further than this one, and they are so many elements apart.
LAST_ROW, STRIDES = 7, (1, 16, 64, 128)
BLOCKS = ((64,), (128,), (256,), (512,), (100,), (8, 32), (16, 16))
TABLES = ((8, 16), (16, 16), (16, 4), (4, 32), (32,), (64,), (5, 7))
# Factors of i8, whose products are exact, and the extent of what they make.
TILES = ((16, 32), (32, 16), (16, 16))
WIDTHS = (1, 2, 7, 8, 16, 20, 24, 48, 64, 100, 1000)


class Loop:
    """A loop of a few trips that hands on integers: named values of the body, what they begin with, and what is next."""

    def __init__(self, kernel, trips):
        self.kernel, self.carried = kernel, []
        count = random.Random(f"{kernel.seed} trips {kernel.count}").choice((trips, "%n0", "%n1"))
        if count is not trips:
            some = kernel.constant((), "i32", trips + 1)
            count = kernel.define((), "i32", f"arith.remui {count}, {some.name} : i32", hide=True).name
        else:
            count = kernel.constant((), "i32", trips).name
        self.end, self.first, self.step = count, kernel.constant((), "i32", 0).name, kernel.constant((), "i32", 1).name
        self.number = Value(kernel.name(), (), "i32")

    def carry(self, first):
        value = Value(self.kernel.name(), first.shape, first.element)
        self.carried.append([value, first, None])
        return value

    def next(self, value, now):
        next(entry for entry in self.carried if entry[0] is value)[2] = now

    def open(self):
        kernel, self.result = self.kernel, self.kernel.name()
        pairs = ", ".join(f"{value.name} = {first.name}" for value, first, _ in self.carried)
        kinds = ", ".join(value.type for value, _, _ in self.carried)
        kernel.write(f"{self.result}:{len(self.carried)} = scf.for {self.number.name} = {self.first} to {self.end} step {self.step} "
                     f"iter_args({pairs}) -> ({kinds}) : i32 {{")
        kernel.depth += 1

    def close(self, stages):
        kernel = self.kernel
        kernel.write(f"scf.yield {', '.join(now.name for _, _, now in self.carried)} : "
                     f"{', '.join(value.type for value, _, _ in self.carried)}")
        kernel.depth -= 1
        kernel.write("}" + (f" {{fsm.num_stages = {stages} : i32}}" if stages else ""))
        for i, (value, _, _) in enumerate(self.carried):
            kernel.sink(Value(f"{self.result}#{i}", value.shape, value.element))


class Ahead:
    def __init__(self, kernel, dice):
        self.kernel, self.dice = kernel, dice

    def define(self, shape, element, text, bound=None):
        return self.kernel.define(shape, element, text, *([bound] if bound else []), hide=True)

    def made(self, op, left, right):
        """Of two values, or of one and a number."""
        if not isinstance(right, Value):
            right = self.kernel.constant(left.shape, left.element, right)
        return self.define(left.shape, left.element, f"{op} {left.name}, {right.name} : {left.type}")

    def at(self, array, element, row, stride):
        way = self.made("arith.muli", row, stride)
        return self.define((), "ptr", f"fsm.offset {array}, {way.name} : !fsm.ptr<{element}>, i32").name

    def block(self, base, element, shape):
        kernel = self.kernel
        places = kernel.places(shape)
        mask = ""
        if self.dice.random() < 0.3:
            bound = kernel.constant(shape, "i32", self.dice.choice((3, 60, 200)))
            mask = ", " + self.define(shape, "i1", f"arith.cmpi slt, {places.name}, {bound.name} : {places.type}").name
        return self.define(shape, element, f"fsm.load {base}[{places.name}]{mask} : !fsm.ptr<{element}>, {places.type} -> "
                           f"{type_of(shape, element)}", kernel.held(element))

    def word(self, value):
        """The bits of a value in an i32; of what has more the low ones."""
        width = WIDTH[value.element]
        if value.element not in INTS:
            value = self.define(value.shape, f"i{width}", f"arith.bitcast {value.name} : {value.type} to "
                                f"{type_of(value.shape, f'i{width}')}")
        if width == 32:
            return value
        return self.define(value.shape, "i32", f"arith.{'extui' if width < 32 else 'trunci'} {value.name} : {value.type} to "
                           f"{type_of(value.shape, 'i32')}")

    def mixed(self, total, value):
        return self.made("arith.addi", self.made("arith.muli", total, 3), self.word(value))

    def integers(self):
        """A type of a buffer whose bits are the same everywhere, whatever is NaN."""
        kernel = self.kernel
        element = self.dice.choice([e for e in kernel.buffers if e in INTS or not kernel.specials] or ["i32"])
        kernel.need(element)
        return element

    # The parts.

    def follow_list(self):
        """An iteration reads one or two numbers of a list, or of the list that this one names, and the next one's rows begin
        where they say."""
        kernel, dice = self.kernel, self.dice
        kernel.need("i32")
        element, shape = self.integers(), dice.choice(BLOCKS)
        multiplies = dice.random() < 0.35
        if multiplies:
            kernel.need("i8")
        loop = Loop(kernel, dice.choice((2, 5, 8)))
        row = loop.carry(kernel.constant((), "i32", dice.choice((0, 1, 3))))
        total = loop.carry(kernel.constant((16, 16) if multiplies else shape, "i32", 1))
        stride = dice.choice(STRIDES)
        loop.open()
        if multiplies:
            left, right = (self.block(self.at("%p_i8", "i8", of, stride), "i8", extents)
                           for of, extents in ((loop.number, TILES[0]), (row, TILES[1])))
            loop.next(total, self.define((16, 16), "i32", f"fsm.dot {left.name}, {right.name}, {total.name} : {left.type}, "
                                         f"{right.type} -> {total.type}"))
        else:
            loop.next(total, self.mixed(total, self.block(self.at(f"%p_{element}", element, row, stride), element, shape)))
        read = self.listed(loop.number, dice.choice((0, 0, 1)))
        kind = dice.choice(("number", "number", "way", "way", "list of lists", "of both", "links"))
        if kind == "way":
            read = self.made("arith.subi", self.listed(loop.number, 1), read)
        elif kind == "list of lists":
            read = self.listed(self.made("arith.andi", read, LAST_ROW), 0)
        elif kind == "of both":
            # What another load of this iteration follows as well.
            more = self.block(self.at("%p_i32", "i32", self.made("arith.andi", read, LAST_ROW), 16), "i32", (32,))
            seen = self.define((), "i32", f"fsm.reduce <xor> {more.name} axis 0 : {more.type} -> i32")
            read = self.made("arith.addi", read, seen)
        elif kind == "links":
            read = self.listed(row, 1)
        loop.next(row, self.made("arith.andi", self.made("arith.addi", row, read), LAST_ROW))
        loop.close(dice.choice((0, 2, 3, 3, 4)))
        kernel.note("ahead", f"a list, by {kind}")

    def listed(self, place, more):
        """A number of the list."""
        place = self.made("arith.addi", place, more) if more else place
        pointer = self.at("%p_i32", "i32", place, 1)
        return self.define((), "i32", f"fsm.load {pointer} : !fsm.ptr<i32> -> i32")

    def gather_in_loop(self):
        """Rows and columns out of blocks that were there before, and out of one that the loop changes; in a loop around it as well."""
        kernel, dice = self.kernel, self.dice
        shape = dice.choice(TABLES)
        tables = [self.block(f"%p_{e}", e, shape) for e in (self.integers() for _ in range(dice.choice((1, 2))))]
        axis = dice.randrange(len(shape))
        taken = tuple(1 if i == axis and dice.random() < 0.6 else extent for i, extent in enumerate(shape))
        loops = [Loop(kernel, 3 if dice.random() < 0.3 else 5)]
        if dice.random() < 0.3:
            loops.append(Loop(kernel, 2))
        first = kernel.constant(taken, "i32", 1)
        changing = self.word(tables[0]) if dice.random() < 0.4 else None
        for loop in loops:
            total, now = loop.carry(first), loop.carry(changing) if changing else None
            loop.open()
            first, changing = total, now
        number = self.made("arith.addi", loops[0].number, loops[-1].number) if len(loops) > 1 else loops[0].number
        sources = tables * dice.choice((1, 2)) + [changing] * bool(changing)
        for source in sources:
            total = self.mixed(total, self.gathered(source, number, axis, taken))
        if changing:
            changing = self.mixed(changing, tables[-1])
        for loop in reversed(loops):
            loop.next(loop.carried[0][0], total)
            if changing:
                loop.next(loop.carried[1][0], changing)
            if loop is loops[0]:
                loop.close(dice.choice((0, 0, 2)))
                break
            self.close_inner(loop)
            total = Value(f"{loop.result}#0", taken, "i32")
            changing = Value(f"{loop.result}#1", shape, "i32") if changing else None
        kernel.note("ahead", "gathers in a loop")

    def close_inner(self, loop):
        kernel, sink = self.kernel, self.kernel.sink
        kernel.sink = lambda value: None
        loop.close(0)
        kernel.sink = sink

    def gathered(self, source, number, axis, shape):
        """What is at the loop's number, or around it."""
        kernel, dice = self.kernel, self.dice
        at = self.define(shape, "i32", f"fsm.splat {number.name} : {type_of(shape, 'i32')}")
        if dice.random() < 0.4:
            at = self.made("arith.addi", at, kernel.places(shape))
        at = self.made("arith.remui", at, source.shape[axis])
        return self.define(shape, source.element, f"fsm.gather {source.name}[{at.name}] axis {axis} : {source.type}, {at.type} -> "
                           f"{type_of(shape, source.element)}", source.bound)

    def divide_places(self):
        """Rows and columns of numbers that run, from above 0 or below; of widths that are known, to be a multiple at least, or not."""
        kernel, dice = self.kernel, self.dice
        shape, kind = dice.choice(BLOCKS), dice.choice(("i32", "i32", "i64", "i16", "i8"))
        nsw = " overflow<nsw>" if dice.random() < 0.7 else ""
        place = kernel.places(shape)
        begin = kernel.constant((), "i32", dice.choice((0, 0, 16, 64, 3, -16, -5)))
        if dice.random() < 0.5:
            # Where a program begins, below 2^16.
            begin = self.made("arith.addi", begin, self.made("arith.muli", Value("%pid", (), "i32"), dice.choice((64, 48, 7))))
        begins = self.define(shape, "i32", f"fsm.splat {begin.name} : {type_of(shape, 'i32')}")
        place = self.define(shape, "i32", f"arith.addi {begins.name}, {place.name}{nsw} : {place.type}")
        if kind != "i32":
            op = dice.choice(("extsi", "extui")) if kind == "i64" else "trunci"
            place = self.define(shape, kind, f"arith.{op} {place.name} : {place.type} to {type_of(shape, kind)}")
        width = self.width(kind)
        widths = self.define(shape, kind, f"fsm.splat {width.name} : {type_of(shape, kind)}")
        sign = dice.choice("su")
        row, column = (self.made(f"arith.{op}{sign}i", place, widths) for op in ("div", "rem"))
        if dice.random() < 0.3:
            row = self.made(f"arith.rem{sign}i", row, dice.choice((3, 8)))
        kernel.sink(self.made("arith.addi", self.made("arith.muli", row, 13), column))
        kernel.note("ahead", "places divided")

    def width(self, kind):
        kernel, dice = self.kernel, self.dice
        if dice.random() < 0.5:
            return kernel.constant((), kind, dice.choice([n for n in WIDTHS if n < 100 or INTS[kind] > 8]))
        count = self.made("arith.andi", Value(dice.choice(("%n0", "%n1")), (), "i32"), 3)
        width = self.made("arith.muli", self.made("arith.addi", count, 1), dice.choice((1, 4, 16)))
        if kind == "i32":
            return width
        return self.define((), kind, f"arith.{'extsi' if kind == 'i64' else 'trunci'} {width.name} : i32 to {kind}")

    def divide_narrow(self):
        """Numbers of 16 bits divided by one, chosen among others or not, and rounded again, or used in another way as well."""
        kernel, dice = self.kernel, self.dice
        # Of fewer a thread has one.
        element, shape = dice.choice(("f16", "bf16")), dice.choice(((256,), (512,), (1024,)))
        kernel.need(element)
        x = self.block(f"%p_{element}", element, shape)
        wide = type_of(shape, "f32")
        x = self.define(shape, "f32", f"arith.extf {x.name} : {x.type} to {wide}", x.bound)
        divisor = kernel.constant((), "f32", dice.choice((0.9, 0.37, 3.0, -3.14159, 1.5e-06, 1.5e30, 1.5e-39)))
        if dice.random() < 0.5:
            count = self.made("arith.andi", Value("%n0", (), "i32"), 7)
            count = self.define((), "f32", f"arith.sitofp {count.name} : i32 to f32")
            divisor = self.define((), "f32", f"arith.addf {count.name}, {divisor.name} : f32")
        divisors = self.define(shape, "f32", f"fsm.splat {divisor.name} : {wide}")
        quotient = self.define(shape, "f32", f"fsm.div_rn {x.name}, {divisors.name} : {wide}", Bound(1e38, 0, False))
        chosen = quotient
        for _ in range(dice.choice((0, 1, 1, 2))):
            chosen = self.chosen(chosen, x, quotient)
        target = element if dice.random() < 0.8 else dice.choice([e for e in ("f16", "bf16") if e != element])
        rounded = self.define(shape, target, f"arith.truncf {chosen.name} : {wide} to {type_of(shape, target)}", Bound(1e38, 0, False))
        kernel.sink(rounded)
        if dice.random() < 0.2:
            kernel.sink(quotient)
        kernel.note("ahead", "quotients rounded again")

    def chosen(self, value, x, quotient):
        """Beside zero, x or another quotient, by what x, the place or the quotient itself is."""
        kernel, dice = self.kernel, self.dice
        zero = kernel.constant(value.shape, "f32", 0)
        if dice.random() < 0.5:
            places = kernel.places(value.shape)
            limit = kernel.constant(value.shape, "i32", dice.choice((3, 50, 100)))
            mask = self.define(value.shape, "i1", f"arith.cmpi ult, {places.name}, {limit.name} : {places.type}")
        else:
            mask = self.define(value.shape, "i1", f"arith.cmpf olt, {dice.choice((x, x, quotient)).name}, {zero.name} : {x.type}")
        sides = [value, dice.choice((zero, x, quotient))]
        dice.shuffle(sides)
        return self.define(value.shape, "f32", f"arith.select {mask.name}, {sides[0].name}, {sides[1].name} : {mask.type}, "
                           f"{value.type}", Bound(1e38, 0, False))


def find_once(kernel):
    dice = random.Random(f"{kernel.seed} ahead")
    if kernel.seed % EVERY != REST or kernel.has_long_row:
        return
    before, kernel.dice = kernel.dice, dice
    ahead = Ahead(kernel, dice)
    for part in dice.sample((ahead.follow_list, ahead.gather_in_loop, ahead.divide_places, ahead.divide_narrow), 2):
        part()
    kernel.dice = before
