"""Accesses whose mask is a window of a row: it begins anywhere, and what lies before it and behind it is in no buffer.

A program takes `extent` elements of a row. Element e of its block has the number i = first + range - back, where `range`
begins at `start`, below 0, at 0 or above it, and lies at the place i + moved of a buffer that ends with the last element
that a mask lets through (and begins with the first one, if the mask has a lower end). A compiler that takes the mask for a
beginning of the block, or the block for one that begins at 0, touches what is not there.
"""

from collections import namedtuple

import numpy as np

from suite import formats
from suite.kernels import Kernel, block, patterns
from suite.launches import In, Out
from suite.shapes import same

# Extents that fill vectors and warps, and that do not; some numbers of elements for the last program.
EXTENTS = (261, 64, 128, 300, 16)
LASTS = (43, 24, 1, 100, 37, 8, 299)
PROGRAMS = 3

Window = namedtuple("Window", "start back moved low mask")


class Row:
    """The values that masks are made of."""

    def __init__(self, kernel, window, extent, number):
        self.kernel, self.extent, self.type = kernel, extent, block((extent,), "i32")
        flag = " overflow<nsw>" if number % 3 else ""
        program = kernel.define("fsm.program_id x : i32")
        self.first = kernel.define(f"arith.muli {program}, {kernel.constant(extent)}{flag} : i32")
        self.dense = kernel.define(f"arith.addi {self.splat(self.first)}, {self.range(0)}{flag} : {self.type}")
        self.range_of = self.range(window.start)
        begin = self.first
        if window.back and number % 2:
            begin = kernel.define(f"arith.subi {self.first}, {kernel.constant(window.back)}{flag} : i32")
        self.index = kernel.define(f"arith.addi {self.splat(begin)}, {self.range_of}{flag} : {self.type}")
        if window.back and not number % 2:
            back = kernel.constant(window.back, shape=(extent,))
            self.index = kernel.define(f"arith.subi {self.index}, {back}{flag} : {self.type}")
        self.back = window.back

    def range(self, start):
        return self.kernel.define(f"fsm.range {start}, {start + self.extent} : {self.type}")

    def splat(self, scalar):
        return self.kernel.define(f"fsm.splat {scalar} : {self.type}")

    def compare(self, order, left, right):
        return self.kernel.define(f"arith.cmpi {order}, {left}, {right} : {self.type}")

    def both(self, left, right):
        return self.kernel.define(f"arith.andi {left}, {right} : {block((self.extent,), 'i1')}")

    def rest(self, end):
        """What `range` must be below so that the number of an element is below `end`."""
        end = self.kernel.define(f"arith.subi {end}, {self.first} : i32")
        return self.splat(self.kernel.define(f"arith.addi {end}, {self.kernel.constant(self.back)} : i32"))


def below(row):
    return row.compare("slt", row.index, row.splat("%high"))


def above(row):
    return row.compare("sgt", row.splat("%high"), row.index)


def up_to(row):
    one = row.kernel.constant(1)
    return row.compare("sle", row.index, row.splat(row.kernel.define(f"arith.subi %high, {one} : i32")))


def below_rest(row):
    return row.compare("slt", row.range_of, row.rest("%high"))


def above_rest(row):
    return row.compare("sgt", row.rest("%high"), row.range_of)


def unsigned(row):
    return row.compare("ult", row.index, row.splat("%high"))


def not_before(row):
    return row.compare("sge", row.index, row.splat("%low"))


def between(row):
    return row.both(not_before(row), below(row))


def between_rests(row):
    return row.both(row.compare("sge", row.range_of, row.rest("%low")), below_rest(row))


def behind_constant(row):
    """The first elements of every block are off, by a number that the code knows."""
    return row.both(row.compare("sge", row.range_of, row.kernel.constant(9, shape=(row.extent,))), below(row))


def chosen(row):
    """One of two masks, which is the same for all elements."""
    always = row.kernel.define(f"arith.cmpi sge, %low, {row.kernel.constant(-1)} : i32")
    kind = block((row.extent,), "i1")
    return row.kernel.define(f"arith.select {always}, {between(row)}, {below(row)} : {kind}")


def wide(row):
    long = block((row.extent,), "i64")
    index = row.kernel.define(f"arith.extsi {row.index} : {row.type} to {long}")
    high = row.kernel.define("arith.extsi %high : i32 to i64")
    highs = row.kernel.define(f"fsm.splat {high} : {long}")
    return row.kernel.define(f"arith.cmpi slt, {index}, {highs} : {long}")


# Those with no lower end begin where their buffer does.
WINDOWS = (
    Window(0, 0, 0, None, below), Window(-5, 0, 5, None, below), Window(3, 0, -3, None, below), Window(0, 7, 7, None, below),
    Window(0, 0, 0, None, below_rest), Window(-5, 0, 5, None, below_rest), Window(3, 0, 0, None, below_rest),
    Window(0, 0, 0, None, above_rest), Window(0, 0, 0, None, below_rest), Window(3, 0, 0, None, above_rest),
    Window(0, 7, 0, 0, between), Window(-5, 0, 0, 0, between), Window(3, 0, -10, 10, between),
    Window(0, 7, 0, 0, between_rests), Window(-40, 0, 0, 0, between_rests),
    Window(0, 7, 0, 0, unsigned), Window(-5, 0, 0, 0, unsigned),
    Window(0, 7, 0, 0, not_before), Window(-16, 0, -2, 2, not_before),
    Window(3, 0, -9, None, behind_constant), Window(-5, 0, 5, None, above), Window(3, 3, 0, None, up_to),
    Window(-5, 0, 0, 0, chosen), Window(-5, 0, 5, None, wide))


def active_of(window, extent, high):
    """Which elements the mask lets through, and where each lies."""
    ranges = np.arange(window.start, window.start + extent)
    index = np.arange(PROGRAMS)[:, None] * extent + ranges - window.back
    active = np.ones(index.shape, bool)
    if window.mask is not not_before:
        active &= index < high
    if window.low is not None:
        active &= index >= window.low
    if window.mask is behind_constant:
        active &= ranges >= 9
    return active, index + window.moved


def last_of(window, extent, number):
    """How many elements are left for the last program: as many as make a bound that fills vectors, some less than fill
    them, of which an odd number of vectors of any size is full, or any other number."""
    power = 1 << (extent.bit_length() - 1)
    return min(extent, (power - window.start + window.back, power - 3, power // 2 - 3, LASTS[number % len(LASTS)])[number // 2 % 4])


def highest(window, extent, last):
    """The bound that leaves the last program so many elements."""
    return (PROGRAMS - 1) * extent + window.start - window.back + last


class Access:
    """A kernel whose masked accesses go to buffers that hold nothing else."""

    def __init__(self, kind, window, number, **arguments):
        self.kind, self.window = kind, window
        self.extent = EXTENTS[number % len(EXTENTS)]
        self.high = highest(window, self.extent, last_of(window, self.extent, number))
        self.active, self.places = active_of(window, self.extent, self.high)
        assert self.active.any(), (window, self.extent)
        self.size = int(self.places[self.active].max()) + 1
        assert self.places[self.active].min() >= 0
        self.kernel = Kernel(**arguments, low="i32", high="i32")
        self.row = Row(self.kernel, window, self.extent, number)
        self.mask = window.mask(self.row)
        self.shape = (self.extent,)

    def moved(self, name):
        return self.kernel.moved(name, self.kind, self.window.moved) if self.window.moved else name

    def load(self, other=""):
        return self.kernel.define(f"fsm.load {self.moved('%source')}[{self.row.index}], {self.mask}{other and ', ' + other} : "
                                  f"!fsm.ptr<{self.kind}>, {self.row.type} -> {block(self.shape, self.kind)}")

    def store(self, value):
        self.kernel.write(f"fsm.store {value}, {self.moved('%out')}[{self.row.index}], {self.mask} : "
                          f"{block(self.shape, self.kind)}, !fsm.ptr<{self.kind}>, {self.row.type}")

    def launch(self, what, arguments, answer):
        window = self.window
        title = f"{what} of {window.mask.__name__} {window.start} {window.back} {window.moved}, extent {self.extent}"
        return self.kernel.launch(title, [*arguments, window.low or 0, self.high], same((self.kind, answer)), grid=PROGRAMS)


def load(kind, window, number):
    """What is off is zero or another number."""
    access = Access(kind, window, number, out="*" + kind, source="*" + kind)
    data, other, bits = patterns(kind, access.size, "window"), "", 0
    if number % 2:
        bits = formats.encode(1, kind)
        other = access.kernel.constant("true" if kind == "i1" else "1.0" if formats.is_float(kind) else "1", kind)
    access.kernel.store(access.load(other), "%out", kind, access.shape, access.row.dense)
    answer = np.full(access.active.shape, bits, data.dtype)
    answer[access.active] = data[access.places[access.active]]
    return access.launch("load", [Out(kind, answer.size), In(kind, data)], answer)


def store(kind, window, number):
    access = Access(kind, window, number, out="*" + kind, source="*" + kind)
    data = patterns(kind, access.active.size, "window")
    access.store(access.kernel.load("%source", kind, access.shape, access.row.dense))
    return access.launch("store", [Out(kind, access.size), In(kind, data)], stored(access, data))


def copy(kind, window, number):
    """One mask for two accesses: the compiler may walk the row up to its end."""
    access = Access(kind, window, number, out="*" + kind, source="*" + kind)
    data = patterns(kind, access.size, "window")
    access.store(access.load())
    blocks = np.zeros(access.active.shape, data.dtype)
    blocks[access.active] = data[access.places[access.active]]
    return access.launch("copy", [Out(kind, access.size), In(kind, data)], stored(access, blocks.reshape(-1)))


def stored(access, data):
    answer = Out(access.kind, access.size).contents()[:access.size]
    answer[access.places[access.active]] = data[access.active.reshape(-1)]
    return answer


def greatest(kind, window, number):
    """A reduction of what a window lets through."""
    access = Access(kind, window, number, out="*" + kind, source="*" + kind)
    width = formats.WIDTH[kind]
    least = formats.encode(-np.inf, kind) if formats.is_float(kind) else 1 << (width - 1)
    data = patterns(kind, access.size, "window")
    if formats.is_float(kind):
        data = np.where(formats.is_nan(data, kind), least, data).astype(data.dtype)
    text = f"0x{least:0{width // 4}X}" if formats.is_float(kind) else str(-least)
    loaded = access.load(access.kernel.constant(text, kind))
    value = access.kernel.define(f"fsm.reduce <max> {loaded} axis 0 : {block(access.shape, kind)} -> {kind}")
    target = access.kernel.moved("%out", kind, access.kernel.define("fsm.program_id x : i32"))
    access.kernel.store(value, target, kind)

    def order(bits):
        number = formats.decode(int(bits), kind)
        return number, not np.signbit(number) if formats.is_float(kind) else True
    answer = [max((data[place] for place in access.places[program][access.active[program]]), key=order, default=least)
              for program in range(PROGRAMS)]
    return access.launch("max", [Out(kind, PROGRAMS), In(kind, data)], np.array(answer, data.dtype))


def launches(ways, kind):
    """Each window in one of the ways, by turns; each type has a third of them."""
    turn = formats.ELEMENTS.index(kind)
    if kind == "i1" or kind in formats.EIGHTS:
        ways = [way for way in ways if way is not greatest]
    chosen_ones = [(number, window) for number, window in enumerate(WINDOWS) if (number + turn) % 3 == 0]
    return [ways[(number // 3 + turn) % len(ways)](kind, window, number + turn) for number, window in chosen_ones]
