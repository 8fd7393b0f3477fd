"""The end of every other kernel: numbers that all threads have found, and what one warp computes and stores of them behind the last
meeting. By a dice of its own, which changes nothing else of a kernel."""

from .ahead_steps import Ahead
from .language import INTS, SMALL_FLOATS
from .reduce_steps import Region, extremum
from .values import NONE, Value, type_of
from .writer import own_dice

EVERY, REST = 2, 0
# A row that several warps hold, or columns that one warp has sums of.
SHAPES = ((64,), (100,), (128,), (256,), (257,), (512,), (1024,), (128, 4), (64, 16), (256, 2), (16, 16), (96, 7))
ORDERS = ("max", "min")
MOST_LATER = 4


class Finish(Ahead):
    def found(self, value):
        """What all warps meet for: one reduction, or one of tuples."""
        kernel, dice = self.kernel, self.dice
        left = value.shape[1:]
        if dice.random() < 0.35:
            place = kernel.places(value.shape)
            region = Region(kernel, [value.element, "i32"])
            yielded, name = extremum(region), kernel.name()
            kernel.write(f"{name}:2 = fsm.reduce_with {value.name}, {place.name} axis 0 : {value.type}, {place.type} -> "
                         f"{type_of(left, value.element)}, {type_of(left, 'i32')} {{")
            region.write(yielded)
            return [Value(f"{name}#0", left, value.element, value.bound), Value(f"{name}#1", left, "i32")]
        kind = dice.choice(("sum", "max", "umin", "xor") if value.element in INTS else ORDERS)
        return [self.define(left, value.element, f"fsm.reduce <{kind}> {value.name} axis 0 : {value.type} -> "
                            f"{type_of(left, value.element)}", NONE if value.element in INTS else value.bound)]

    def counted(self, value, found):
        """How many are what has been found: a second meeting."""
        wide = type_of(value.shape, value.element)
        same = found
        if found.shape:
            line = self.define((1,) + found.shape, found.element, f"fsm.expand_dims {found.name} axis 0 : {found.type} -> "
                               f"{type_of((1,) + found.shape, found.element)}")
            same = self.define(value.shape, value.element, f"fsm.broadcast {line.name} : {line.type} -> {wide}")
        else:
            same = self.define(value.shape, value.element, f"fsm.splat {found.name} : {wide}")
        test = f"arith.cmpi sle, {value.name}, {same.name}" if value.element in INTS else f"arith.cmpf ole, {value.name}, {same.name}"
        is_so = self.define(value.shape, "i1", f"{test} : {wide}")
        numbers = self.define(value.shape, "i32", f"arith.extui {is_so.name} : {is_so.type} to {type_of(value.shape, 'i32')}")
        return self.define(found.shape, "i32", f"fsm.reduce <sum> {numbers.name} axis 0 : {numbers.type} -> "
                           f"{type_of(found.shape, 'i32')}")

    def later(self, base, value, results):
        """What follows from the results: loads of places that they name, sums, choices."""
        kernel, dice = self.kernel, self.dice
        total = self.word(results[0]) if value.element in INTS or not kernel.specials else kernel.constant(results[0].shape, "i32", 5)
        for number in results[1:]:
            total = self.mixed(total, number)
        for _ in range(dice.randrange(MOST_LATER)):
            choice = dice.random()
            if choice < 0.4:
                # Of what is loaded the bits count where NaN has none.
                place = self.made("arith.andi", total, 511)
                element = value.element
                text = f"fsm.load {base}[{place.name}]" if place.shape else None
                if not place.shape:
                    at = self.define((), "ptr", f"fsm.offset {base}, {place.name} : !fsm.ptr<{element}>, i32").name
                    x = self.define((), element, f"fsm.load {at} : !fsm.ptr<{element}> -> {element}", kernel.held(element))
                else:
                    x = self.define(place.shape, element, f"{text} : !fsm.ptr<{element}>, {place.type} -> {type_of(place.shape, element)}",
                                    kernel.held(element))
                if element in INTS or not kernel.specials:
                    total = self.mixed(total, x)
            elif choice < 0.7:
                other = self.made("arith.divui", total, dice.choice((3, 7, 16)))
                total = self.made("arith.xori", total, other)
            else:
                least = kernel.constant(total.shape, "i32", dice.choice((0, 100, -1)))
                order = self.define(total.shape, "i1", f"arith.cmpi slt, {total.name}, {least.name} : {total.type}")
                more = self.made("arith.addi", total, 17)
                kinds = f"{total.type}" if not total.shape else f"{order.type}, {total.type}"
                total = self.define(total.shape, "i32", f"arith.select {order.name}, {total.name}, {more.name} : {kinds}")
        return total

    def run(self):
        kernel, dice = self.kernel, self.dice
        element = dice.choice([e for e in kernel.buffers if e not in (*SMALL_FLOATS, "i1")] or ["i32"])
        kernel.need(element)
        shape = dice.choice(SHAPES)
        base = f"%p_{element}"
        value = self.block(base, element, shape)
        results = self.found(value)
        if dice.random() < 0.4:
            results.append(self.counted(value, results[0]))
        total = self.later(base, value, results)
        kernel.sink(total)
        for number in results[:dice.choice((0, 1, 2))]:
            kernel.sink(number)
        if dice.random() < 0.4:
            # To where all warps have read.
            kernel.stored = True
            kernel.written.add(element)
            at, first = kernel.constant((), "i32", dice.choice((0, 1, 16, 77))), results[0]
            to = self.define((), "ptr", f"fsm.offset {base}, {at.name} : !fsm.ptr<{element}>, i32").name
            if first.shape:
                places = kernel.places(first.shape)
                kernel.write(f"fsm.store {first.name}, {to}[{places.name}] : {first.type}, !fsm.ptr<{element}>, {places.type}")
            else:
                kernel.write(f"fsm.store {first.name}, {to} : {element}, !fsm.ptr<{element}>")
            if dice.random() < 0.5:
                # And read again.
                kernel.sink(self.block(to, element, first.shape) if first.shape else
                            self.define((), element, f"fsm.load {to} : !fsm.ptr<{element}> -> {element}", kernel.held(element)))
        kernel.note("finish", "by one warp")


def finish(kernel):
    if kernel.seed % EVERY != REST or kernel.has_long_row:
        return
    with own_dice(kernel, "finish") as dice:
        Finish(kernel, dice).run()
