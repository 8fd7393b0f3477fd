"""Writes the text of a kernel, line by line, and keeps the values that later lines may use."""

import contextlib
import random

from .language import ELEMENTS, FLOATS, INTS, LARGEST, SMALL_FLOATS, WIDTH
from .required import formats
from .values import NONE, Bound, Value, rounded, size_of, type_of, ulp

# Magnitude of what buffers hold, loops carry and branches yield.
SMALL = 64
# How often ops that become long code work on scalars, which are compiled sooner.
LONG = 0.6
# Elements of a buffer that belong to one program.
REGION = 2048
# How many blocks are one number everywhere.
ALIKE = 0.04
# Where ranges begin.
BEGINS = (0,) * 12 + (1, 3, 16, 64)
# Programs along axes of the grid, others than x among them, and how many programs kernels have.
GRIDS = ((1, 2), (1, 5), (1, 1, 5), (2, 3), (3, 2), (3, 1, 2), (1, 2, 3))
PROGRAMS = (1, 2, 5, 6)
# Elements of an array that large blocks are loaded from, which all programs share and none stores to: of 40 KiB.
ROWS = {element: 40 * 1024 * 8 // WIDTH[element] for element in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")}
# Kernels of these numbers and beyond have one row of up to so many elements; what it is loaded from has a few more.
LONG_ROWS, LONGEST, BEHIND_LONGEST = 10 ** 9, 1 << 20, 2048
# What f8 holds exactly of the whole numbers.
SMALL_OF = {"f8E4M3FN": 16, "f8E5M2": 8}


def small(element):
    return SMALL_OF.get(element, SMALL)


@contextlib.contextmanager
def own_dice(kernel, name):
    """Dice of their own, for steps that came later than others, whose kernels so stay what they were."""
    before, kernel.dice = kernel.dice, random.Random(f"{kernel.seed} {name}")
    yield kernel.dice
    kernel.dice = before


class Writer:
    """The part of a kernel that knows syntax and types. `dice` and `wholes` are the kernel's."""

    def __init__(self):
        self.lines, self.values, self.count, self.depth = [], [], 0, 1

    def write(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def define(self, shape, element, text, bound=NONE, hide=False):
        """A new value; a hidden one is a part of something that steps do not choose by themselves."""
        value = Value(self.name(), shape, element, bound)
        self.write(f"{value.name} = {text}")
        if not hide:
            self.values.append(value)
        return value

    def constant(self, shape, element, number):
        if element in INTS:
            bound, text = NONE, str(number) if element != "i1" else ("true" if number else "false")
        else:
            bound, text = Bound(abs(number), 0, float(number).is_integer()), repr(float(number))
        if not shape:
            kind = "" if element == "i1" else f" : {element}"
            return self.define(shape, element, f"arith.constant {text}{kind}", bound, hide=True)
        return self.define(shape, element, f"arith.constant dense<{text}> : {type_of(shape, element)}", bound, hide=True)

    def unary(self, op, value, bound=NONE):
        return self.define(value.shape, value.element, f"{op} {value.name} : {value.type}", bound)

    def binary(self, op, left, right, bound=NONE, flags=""):
        return self.define(left.shape, left.element, f"{op} {left.name}, {right.name}{flags} : {left.type}", bound)

    def masked(self, value, number):
        return self.binary("arith.andi", value, self.constant(value.shape, value.element, number))

    def nsw(self):
        return self.dice.choice((" overflow<nsw>", ""))

    # Values as they are needed.

    def shape(self, scalars=0.2):
        """Often one that there is a value of, of the type that the step works on, which saves making it."""
        if self.dice.random() < scalars:
            return ()
        known = [v.shape for v in self.values if v.element == self.wanted and v.shape] if self.dice.random() < 0.7 else []
        # Code for few elements is compiled sooner.
        return min((self.dice.choice(known or self.shapes) for _ in range(3)), key=size_of)

    def some(self, shape, element, exact=False):
        """An existing value or a new one; an exact one has the same bits on every device."""
        if shape and (alike := self.alike(shape, element)):
            return alike
        fitting = [v for v in self.values if v.shape == shape and v.element == element and (v.exact or not exact)]
        if exact and self.wholes:
            fitting = [v for v in fitting if v.bound.whole]
        if fitting and self.dice.random() < 0.93:
            # What has just been made is more often used.
            return self.dice.choice(fitting[-3:] if self.dice.random() < 0.5 else fitting)
        return self.fresh(shape, element)

    def alike(self, shape, element):
        """Now and then a block of one number, of which much is known."""
        # By a dice of its own, which changes nothing else of a kernel.
        dice = random.Random(f"{self.seed} alike {self.count}")
        if dice.random() >= ALIKE:
            return None
        value = self.constant(shape, element, dice.choice((0, 1) if element == "i1" else (0, 1, 3, 5)))
        self.values.append(value)
        return value

    def some_block(self, elements=ELEMENTS, exact=False):
        """An existing block of one of these types, or a new one."""
        blocks = [v for v in self.values if v.shape and v.element in elements and (v.exact or not exact)]
        return self.dice.choice(blocks) if blocks and self.dice.random() < 0.9 else \
            self.some(self.shape(0), self.dice.choice([e for e in self.elements if e in elements] or list(elements)), exact)

    def number(self, element):
        dice = self.dice
        if element in INTS:
            top = 1 << (INTS[element] - 1)
            return dice.choice((0, 1) if element == "i1" else (0, 1, 3, 5, 17, -1, -128, 127, top - 1, -top))
        return dice.choice((0, 1, 3, -5, 8) if self.wholes or element in SMALL_FLOATS else (0, 0.5, 1.7, -3.14159, 8))

    def fresh(self, shape, element):
        """A new value, exact."""
        dice = self.dice
        choice = dice.random()
        if choice < 0.4 and element in self.buffers:
            return self.load(shape, element)
        if not shape:
            if element == "i32" and dice.random() < 0.7:
                return Value(dice.choice(["%n0", "%n1", "%n2", "%pid"]), (), "i32")
            value = self.constant((), element, self.number(element))
            self.values.append(value)
            return value
        if choice < 0.6:
            scalar = self.some((), element, exact=True)
            return self.define(shape, element, f"fsm.splat {scalar.name} : {type_of(shape, element)}", scalar.bound)
        if choice < 0.7:
            value = self.constant(shape, element, self.number(element))
            self.values.append(value)
            return value
        held = self.dice.choice(self.buffers)
        source = self.load(shape, held) if dice.random() < 0.5 and held not in SMALL_FLOATS else self.places(shape)
        value = self.convert(source, element)
        if element in FLOATS and not self.wholes and dice.random() < 0.7:
            value = self.limited(value, 1.21 * value.bound.size)
            factor = self.constant(shape, element, dice.choice((0.37, -1.21, 0.05)))
            value = self.binary("arith.mulf", value, factor, Bound(value.bound.size * 1.21, 0, False))
        return value

    def places(self, shape, strides=None):
        """The i32 block with the sum over dimensions of coordinate times stride; row-major unless told."""
        if strides is None:
            strides, step = [0] * len(shape), 1
            for axis in reversed(range(len(shape))):
                strides[axis] = step
                step *= shape[axis]
        total = None
        for axis, extent in enumerate(shape):
            part = self.coordinates(extent)
            if strides[axis] != 1:
                part = self.binary("arith.muli", part, self.constant((extent,), "i32", strides[axis]), flags=self.nsw())
            part = self.spread(part, shape, axis)
            total = part if total is None else self.binary("arith.addi", total, part, flags=self.nsw())
        return total

    def coordinates(self, extent):
        """The numbers from 0 on; now and then of a range that begins elsewhere."""
        # By a dice of its own, which changes nothing else of a kernel.
        dice = random.Random(f"{self.seed} range {self.count}")
        begin = dice.choice(BEGINS)
        part = self.define((extent,), "i32", f"fsm.range {begin}, {begin + extent} : tensor<{extent}xi32>")
        if begin:
            part = self.binary("arith.subi", part, self.constant((extent,), "i32", begin),
                               flags=dice.choice((" overflow<nsw>", "")))
        return part

    def spread(self, part, shape, axis):
        """A vector along one dimension of a block, repeated along the others."""
        for other in range(len(shape)):
            if other != axis:
                wide = part.shape[:other] + (1,) + part.shape[other:]
                part = self.define(wide, part.element, f"fsm.expand_dims {part.name} axis {other} : {part.type} -> "
                                   f"{type_of(wide, part.element)}", part.bound)
        if part.shape != shape:
            part = self.define(shape, part.element, f"fsm.broadcast {part.name} : {part.type} -> "
                               f"{type_of(shape, part.element)}", part.bound)
        return part

    # Bounds and types.

    def clamp(self, value, bound=None):
        """The value, cut off at a magnitude if it could exceed it. That moves no two numbers apart."""
        bound = small(value.element) if bound is None else bound
        if value.element not in FLOATS or value.bound.size <= bound:
            return value
        high, low = (self.constant(value.shape, value.element, n) for n in (bound, -bound))
        known = value.bound
        # Steps may take what is between the two as well.
        whole = known.whole and float(bound).is_integer()
        op = self.dice.choice(("arith.minimumf", "arith.minnumf"))
        value = self.binary(op, value, high, Bound(known.size, known.error, whole))
        return self.binary(self.dice.choice(("arith.maximumf", "arith.maxnumf")), value, low, Bound(bound, known.error, whole))

    def at_least(self, value, low):
        """The magnitude of a float, or `low` where that is more. Both steps move no two numbers apart."""
        value = self.define(value.shape, value.element, f"math.absf {value.name} : {value.type}", value.bound)
        floor = self.constant(value.shape, value.element, low)
        whole = value.bound.whole and float(low).is_integer()
        return self.binary("arith.maximumf", value, floor, Bound(max(value.bound.size, low), value.bound.error, whole))

    def limited(self, value, size):
        """The value such that a result of `size` times its magnitude stays finite."""
        largest = LARGEST[value.element]
        return self.clamp(value) if size > largest else value

    def convert(self, value, element):
        """The value in another element type; exact if it was, and whole unless it cannot be."""
        old = value.element
        if old == element:
            return value
        to = type_of(value.shape, element)
        if element in SMALL_FLOATS or old in SMALL_FLOATS:
            return self.convert_small(value, element)
        if old in INTS and element in INTS:
            op = "arith.trunci" if INTS[old] > INTS[element] else self.dice.choice(("arith.extsi", "arith.extui"))
            return self.define(value.shape, element, f"{op} {value.name} : {value.type} to {to}")
        if old in INTS:
            return self.int_to_float(value, element)
        if element in INTS:
            return self.float_to_int(value, element)
        value = self.limited_to(value, element)
        if {old, element} == {"f16", "bf16"}:
            wide = type_of(value.shape, "f32")
            value = self.define(value.shape, "f32", f"arith.extf {value.name} : {value.type} to {wide}", value.bound)
            old = "f32"
        return self.resize(value, element)

    def resize(self, value, element):
        """A float in a wider or narrower format; rounding keeps whole numbers whole."""
        wider = WIDTH[value.element] < WIDTH[element]
        known = value.bound
        bound = known if wider else self.rounding(element, known)
        return self.define(value.shape, element, f"arith.{'extf' if wider else 'truncf'} {value.name} : {value.type} to "
                           f"{type_of(value.shape, element)}", bound)

    def rounding(self, element, bound):
        return rounded(element, bound.size * 1.07 if bound.size > SMALL_OF.get(element, 128) else bound.size, bound.error,
                       bound.whole)

    def limited_to(self, value, element):
        return self.clamp(value) if value.bound.size > LARGEST[element] else value

    def int_to_float(self, value, element, op=None):
        bits = INTS[value.element]
        op = op or ("arith.uitofp" if bits == 1 else self.dice.choice(("arith.uitofp", "arith.sitofp")))
        # What is large is rounded, once and by all alike, but would be infinite in f16.
        if bits > 1 and (self.dice.random() < 0.6 or (element == "f16" and bits > 8)):
            value = self.masked(value, SMALL - 1)
            size = SMALL
        else:
            size = 1.01 * (1 << bits)
        return self.define(value.shape, element, f"{op} {value.name} : {value.type} to {type_of(value.shape, element)}",
                           Bound(size, 0, True))

    def float_to_int(self, value, element, op=None):
        if not value.exact:
            value = self.some(value.shape, value.element, exact=True)
        if element == "i1" and not op and self.dice.random() < 0.8:
            zero = self.constant(value.shape, value.element, 0)
            return self.define(value.shape, "i1", f"arith.cmpf ogt, {value.name}, {zero.name} : {value.type}")
        op = op or self.dice.choice(("arith.fptosi", "arith.fptoui"))
        return self.define(value.shape, element, f"{op} {value.name} : {value.type} to {type_of(value.shape, element)}")

    def convert_small(self, value, element):
        """From and to f8, by way of another float."""
        if value.element in INTS:
            value = self.convert(self.masked(value, 7) if INTS[value.element] > 1 else value, "f32")
        if element in INTS:
            return self.convert(self.round_to(value, "f32"), element)
        return self.round_to(value, element)

    def round_to(self, value, element):
        """fsm.convert to another float type."""
        if value.element == element:
            return value
        known = value.bound
        if known.size > LARGEST[element] and value.element in FLOATS:
            value = self.clamp(value)
            known = value.bound
        elif element == "f8E4M3FN" and known.size > LARGEST[element]:
            known = Bound(448, known.error, known.whole)
        mode = self.dice.choice(("nearest_even", "nearest_even", "toward_zero"))
        saturate = " saturate" if self.dice.random() < 0.3 else ""
        bound = self.truncating(element, known)
        if saturate and self.specials:
            # An infinity becomes the largest number, with which sums are no longer exact.
            bound = Bound(max(bound.size, float(formats.largest(element))), bound.error, bound.whole)
        return self.define(value.shape, element, f"fsm.convert {value.name} rounding = {mode}{saturate} : {value.type} -> "
                           f"{type_of(value.shape, element)}", bound)

    def truncating(self, element, bound):
        """After a rounding toward zero two numbers may be a whole ulp further apart."""
        size = bound.size * 1.13
        whole = bound.whole
        return Bound(size, bound.error + ulp(element, size) if bound.error else 0, whole)
