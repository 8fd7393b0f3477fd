"""Steps that load and store windows of rows: what a mask leaves out lies before the buffer's begin or behind its end.

Element e of a row has the number i = range + e, where the range begins below 0, at 0 or above it, and the mask lets through
`low` <= i < `high`. Rows lie side by side without what is left out, the first one at the begin of a program's part of the
buffer or the last one at its end; so a vector that is loaded whole, or a mask that is taken for a beginning of the row,
touches what is another program's or nobody's.
"""

from .language import ELEMENTS
from .registry import step
from .values import type_of
from .writer import REGION

STARTS = (0, 0, 0, 1, 3, 7, 16, -1, -5, -16, -40)


class Window:
    """Which elements of a row are let through, and where they lie."""

    def __init__(self, kernel, element):
        self.kernel, dice = kernel, kernel.dice
        self.shape = dice.choice([shape for shape in kernel.shapes if len(shape) <= 2])
        self.rows, self.extent = (1, *self.shape)[-2:]
        self.start = dice.choice(STARTS)
        self.low, self.high = sorted(self.start + dice.randrange(self.extent + 1) for _ in range(2))
        self.has_low, self.has_high = dice.choice(((True, True), (True, False), (False, True), (False, True)))
        self.low = self.low if self.has_low else self.start
        self.high = self.high if self.has_high else self.start + self.extent
        # Of an empty window nothing is accessed, wherever it is.
        width = max(1, self.high - self.low)
        room = REGION - self.rows * width
        base = dice.choice((0, 0, room, room, dice.randrange(room + 1)))
        # A program's number on both sides of the comparison, or on neither.
        self.first = self.runtime(0) if dice.random() < 0.5 else None
        if self.first and dice.random() < 0.7:
            step_size = kernel.constant((), "i32", self.extent)
            self.first = kernel.define((), "i32", f"arith.muli %pid, {step_size.name}{kernel.nsw()} : i32", hide=True)
        self.along = kernel.define((self.extent,), "i32",
                                   f"fsm.range {self.start}, {self.start + self.extent} : tensor<{self.extent}xi32>")
        self.places = kernel.spread(self.along, self.shape, len(self.shape) - 1)
        if len(self.shape) == 2:
            rows = kernel.define((self.rows,), "i32", f"fsm.range 0, {self.rows} : tensor<{self.rows}xi32>")
            rows = kernel.binary("arith.muli", rows, kernel.constant(rows.shape, "i32", width), flags=kernel.nsw())
            self.places = kernel.binary("arith.addi", self.places, kernel.spread(rows, self.shape, 0), flags=kernel.nsw())
        self.pointer = self.moved(element, base - self.low)

    def moved(self, element, by):
        """The pointer moved, or the offsets."""
        kernel = self.kernel
        if kernel.dice.random() < 0.5:
            shift = kernel.constant((), "i32", by)
            return kernel.define((), "ptr", f"fsm.offset %p_{element}, {shift.name} : !fsm.ptr<{element}>, i32", hide=True).name
        shift = kernel.constant(self.shape, "i32", abs(by))
        self.places = kernel.binary("arith.addi" if by >= 0 else "arith.subi", self.places, shift, flags=kernel.nsw())
        return f"%p_{element}"

    def runtime(self, number, within=""):
        """A number that the code knows, or the launch only: about this one, which a bound is `within` at any launch."""
        kernel = self.kernel
        known = kernel.constant((), "i32", number)
        if kernel.dice.random() < 0.4:
            return known
        index = kernel.dice.randrange(3)
        rest = kernel.constant((), "i32", number - kernel.numbers[index])
        moved = kernel.define((), "i32", f"arith.addi %n{index}, {rest.name} : i32", hide=True)
        return kernel.define((), "i32", f"{within} {moved.name}, {known.name} : i32", hide=True) if within else moved

    def splat(self, scalar):
        return self.kernel.define((self.extent,), "i32", f"fsm.splat {scalar.name} : tensor<{self.extent}xi32>", hide=True)

    def compare(self, orders, number, within):
        """`along` in one of these orders to a number; an order with a * compares with the next lower number."""
        kernel = self.kernel
        order = kernel.dice.choice(orders)
        left, right = self.along, self.runtime(number - ("*" in order), within)
        if self.first:
            # first + along < first + number, or along < (first + number) - first.
            right = kernel.define((), "i32", f"arith.addi {self.first.name}, {right.name}{kernel.nsw()} : i32", hide=True)
            if kernel.dice.random() < 0.5:
                right = kernel.define((), "i32", f"arith.subi {right.name}, {self.first.name}{kernel.nsw()} : i32", hide=True)
            else:
                left = kernel.binary("arith.addi", self.splat(self.first), left, flags=kernel.nsw())
        right, order = self.splat(right), order.strip("*")
        if kernel.dice.random() < 0.3:
            left, right, order = right, left, order.translate(str.maketrans("lg", "gl"))
        return kernel.define(left.shape, "i1", f"arith.cmpi {order}, {left.name}, {right.name} : {left.type}")

    def mask(self):
        mask = self.compare(("slt", "slt", "sle*"), self.high, "arith.minsi") if self.has_high else None
        if self.has_low:
            low = self.compare(("sge", "sgt*"), self.low, "arith.maxsi")
            mask = self.kernel.binary("arith.andi", low, mask) if mask else low
        self.kernel.note("mask", "window")
        return self.kernel.spread(mask, self.shape, len(self.shape) - 1)


@step(("fsm.load",), ELEMENTS)
def load_window(kernel, op, element):
    kernel.need(element)
    window = Window(kernel, element)
    mask, other = window.mask(), ""
    if kernel.dice.random() < 0.5:
        other = f", {kernel.constant((), element, kernel.number(element)).name}"
    kernel.define(window.shape, element, f"{op} {window.pointer}[{window.places.name}], {mask.name}{other} : "
                  f"!fsm.ptr<{element}>, {window.places.type} -> {type_of(window.shape, element)}", kernel.held(element))


@step(("fsm.store",), ELEMENTS)
def store_window(kernel, op, element):
    kernel.need(element)
    window = Window(kernel, element)
    value = kernel.storable(kernel.some(window.shape, element, exact=True))
    kernel.stored = True
    kernel.written.add(element)
    mask = window.mask()
    kernel.write(f"{op} {value.name}, {window.pointer}[{window.places.name}], {mask.name} : {value.type}, "
                 f"!fsm.ptr<{element}>, {window.places.type}")
