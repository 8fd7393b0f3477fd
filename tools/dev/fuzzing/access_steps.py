"""Steps whose offsets and masks are computed: an access shows whether the compiler knows of them what is so.

Of each step the op that it is registered for is applied to blocks that run, stay or do neither in groups, and its result
is what an access goes to, what is added to that, or where its mask ends. What the compiler claims of too many neighbours
brings or leaves the wrong elements, what it claims to be a multiple of too much is no aligned access.
"""

import numpy as np

from .control_steps import DEEPEST, MOST_TRIPS, ctas_of, shared, stages
from .index_sources import FACTORS, NUMBERS, Sources
from .index_terms import SIGNED, UNSIGNED, Term, Unspecified, signed, wrapped
from .language import ELEMENTS, INTS, WIDTH
from .registry import ACCESS, step
from .values import size_of, type_of
from .writer import REGION

# Of these each thread of few warps has several elements in a row, and of the large ones each thread of any number.
SHAPES = [(128,), (256,), (256,), (512,), (320,), (2, 128), (4, 64), (8, 32), (64, 4), (16, 16), (3, 64), (2, 4, 32), (2, 8, 16)]
LARGE_SHAPES = [(1024,), (1024,), (8, 128), (64, 16), (4, 16, 16)]
CUBES = [(2, 4, 32), (4, 2, 32), (2, 8, 16), (8, 4, 8), (16, 4, 4)]
FEW_WARPS = 2
BINARY = ("addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui", "andi", "ori", "xori",
          "shli", "shrsi", "shrui", "minsi", "minui", "maxsi", "maxui")
ORDERS = (*SIGNED, *UNSIGNED)
OTHERS = ("select", "extsi", "extui", "trunci", "wrap", "gap", "transpose", "counter", "carried", "pointer")
FOCUSES = (*BINARY, "cmpi", *OTHERS)
# What is done to narrow numbers, first of all.
NARROWING = ("extsi", "extui", "trunci", "wrap", "gap")
DIVISORS = (2, 4, 4, 8, 8, 16, 32, 3, 6, 12, -4)
MASKS = (1, 3, 7, 15, 31, 63, -2, -4, -8, -16, 12, 24, 5, 9, 48)
BITS = (1, 2, 3, 4, 7, 8, 15, 16, 32, 5, -8, -16)
# What loops begin at and what they add; mostly one of the two is a multiple of what the other is not.
FIRST_NUMBERS = (0, 0, 1, 3, 8, 16, 32, -16, -8, -5, -64, -3, 2, 20)
STRIDES = (1, 2, 3, 4, 5, 8, 8, 16, 64)
# How often a step begins again where an op has no result or offsets go too far.
TRIES = 6
# Worlds times elements that distinct offsets are looked for in.
MOST_SORTED = 1 << 14


def second(source, op, x):
    """The other operand: mostly one number, which is known or not, or a block."""
    dice, shape, kind = source.kernel.dice, x.shape, x.kind
    equal = source.equal if shape else lambda number, _, kind: source.constant(number, kind)
    if op.startswith("sh"):
        return equal(dice.choice((0, 1, 1, 1, 2, 2, 3, 4, 5)), shape, kind)
    if "div" in op or "rem" in op:
        return equal(dice.choice(DIVISORS), shape, kind)
    choice = dice.random()
    if not shape:
        return source.constant(dice.choice({"andi": MASKS, "ori": BITS, "xori": BITS}.get(op, NUMBERS)), kind)
    if choice < 0.15 and op == "subi":
        return source.binary("addi", x, source.equal(dice.choice(NUMBERS), shape, kind))
    if choice < 0.25 and op != "muli":
        return source.convert(source.block(shape), kind)
    if choice < 0.5:
        return source.splat(source.convert(source.scalar(), kind), shape)
    numbers = {"andi": MASKS, "ori": BITS, "xori": BITS, "muli": (*FACTORS, -1, -2)}.get(op, NUMBERS)
    if "min" in op or "max" in op:
        numbers = [near(source, x)]
    return source.equal(dice.choice(numbers), shape, kind)


def near(source, x):
    """One of the numbers of a block, or one beside it; often a multiple of something."""
    dice = source.kernel.dice
    number = int(x.numbers.flat[dice.randrange(x.numbers.size)])
    factor = dice.choice((1, 4, 8, 16))
    return number // factor * factor + dice.choice((0, 0, 0, 0, 1, -1))


def applied(source, op, x):
    """What a step's op makes of a block."""
    dice, shape = source.kernel.dice, x.shape
    if op in BINARY:
        y = second(source, op, x)
        if op in ("subi", "muli", "addi", "minsi", "maxsi", "andi", "ori", "xori") and dice.random() < 0.25:
            x, y = y, x
        return source.binary(op, x, y)
    if op == "cmpi":
        return compared(source, x)
    if op == "select":
        condition = compared(source, source.block(shape)) if dice.random() < 0.8 else \
            source.compare(dice.choice(ORDERS), source.scalar(), source.scalar())
        return source.select(condition, x, source.convert(source.block(shape), x.kind))
    if op in ("extsi", "extui", "trunci"):
        narrow = dice.choice(("i8", "i8", "i16"))
        x = source.convert(x, narrow)
        return x if op == "trunci" else source.convert(x, dice.choice(("i32", "i64")), op)
    if op == "wrap":
        return there_and_back(source, x)
    if op == "gap":
        return gap(source, x)
    if op == "counter":
        # Signed division, and what else depends on whether a number is negative.
        return applied(source, dice.choice(("divsi", "remsi", "divsi", "remsi", "addi")), x) if dice.random() < 0.5 else x
    if op == "transpose" and len(shape) > 2:
        # Of a block that is there already, so that its result may have other extents.
        orders = [order for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))]
        order = list(dice.choice(orders))
        return source.transpose(x, order)
    return x


def there_and_back(source, x):
    """Past the end of the numbers, and back again; of i8 all can be accessed on either side."""
    dice, kind = source.kernel.dice, x.kind
    far = (1 << (min(INTS[kind], 33) - 1)) - dice.choice((1, 16, 40, 64, 100))
    if dice.random() < 0.3:
        far = -far
    ops = dice.choice((("addi", "subi"), ("subi", "addi"), ("xori", "xori"), ("addi", "addi")))
    there = source.splat(source.number(far, kind), x.shape)
    x = source.binary(ops[0], x, there)
    if kind == "i8" and dice.random() < 0.6:
        return x
    if dice.random() < 0.3:
        x = source.binary(dice.choice(("addi", "subi")), x, source.splat(source.convert(source.scalar(), kind), x.shape))
    back = -far if ops == ("addi", "addi") else far
    return source.binary(ops[1], x, source.splat(source.number(back, kind), x.shape))


def gap(source, x):
    """How far a block is from another that is made of it, which may have wrapped meanwhile."""
    dice = source.kernel.dice
    if x.kind == "i64" or dice.random() < 0.5:
        x = source.convert(x, dice.choice(("i8", "i8", "i32")))
    if dice.random() < 0.5:
        half = 1 << (INTS[x.kind] - 1)
        x = source.binary("addi", x, source.splat(source.number(half - dice.choice((2, 16, 16, 32, 64)), x.kind), x.shape))
    op, number = dice.choice((("addi", 3), ("addi", 1), ("subi", 1), ("subi", 5), ("subi", 2), ("addi", 64), ("xori", 1), ("andi", -2)))
    y = source.binary(op, x, source.splat(source.constant(number, x.kind), x.shape))
    op, wide = dice.choice(("extsi", "extsi", "extui")), "i64" if x.kind == "i32" else dice.choice(("i32", "i64"))
    x, y = dice.sample((source.convert(x, wide, op), source.convert(y, wide, op)), 2)
    return source.binary("subi", x, y)


def compared(source, x):
    """A comparison with a number that lies among those of the block."""
    dice = source.kernel.dice
    order = dice.choice(ORDERS)
    source.kernel.note("access", f"mask by {order}")
    if dice.random() < 0.12:
        other = source.convert(source.block(x.shape), x.kind)
    else:
        other = source.splat(source.number(near(source, x), x.kind), x.shape)
    return source.compare(order, other, x) if dice.random() < 0.4 else source.compare(order, x, other)


def folded(source, x):
    """Offsets from 0 to a number below the size of a region."""
    op, number = source.kernel.dice.choice((("andi", 511), ("andi", 1023), ("andi", 255), ("remui", 512), ("remui", 300), ("andi", 1008),
                                            ("minui", 1000), ("remsi", 1024), ("remsi", 500)))
    return source.binary(op, x, source.splat(source.constant(number, x.kind), x.shape))


class Access:
    """An access to a buffer of an element type, of a block of this shape."""

    def __init__(self, source, element):
        self.source, self.kernel, self.element = source, source.kernel, element
        self.mask = self.move = None
        self.pointers = [(f"%p_{element}", np.zeros((1, 1, 1), np.int64))]

    def go(self, result, end):
        """Goes to the result of a step's op, or that far from where it would go, or as its mask tells; a value, where something
        is loaded."""
        source, dice = self.source, self.kernel.dice
        offsets = result
        if end == "sum":
            offsets = source.binary("addi", self.plain(result.shape, result.kind), result)
        elif end == "mask":
            is_mask = result.kind == "i1"
            self.mask = result if is_mask else compared(source, result)
            offsets = self.plain(result.shape)
        if self.mask is None and dice.random() < 0.1:
            self.mask = compared(source, source.block(result.shape))
        return self.placed(offsets)

    def plain(self, shape, kind="i32"):
        """Offsets that run."""
        rows = self.source.rows(shape)
        if self.kernel.dice.random() < 0.15:
            rows = self.source.binary("addi", rows, self.source.splat(self.source.scalar(), shape))
        return self.source.convert(rows, kind)

    def placed(self, offsets):
        """The access through a pointer that is moved such that all offsets stay inside of the program's region."""
        source, dice = self.source, self.kernel.dice
        if INTS[offsets.kind] < 32:
            offsets = source.convert(offsets, dice.choice(("i32", "i32", "i64")))
        elif offsets.kind == "i32" and dice.random() < 0.3:
            offsets = source.convert(offsets, "i64")
        base, numbers = dice.choice(self.pointers)
        # Mostly nothing but the offsets keeps an access from being one of whole vectors.
        is_plain = dice.random() < 0.7
        move = self.move or (source.constant(0) if is_plain or dice.random() < 0.4 else source.scalar())
        reach = numbers + move.numbers
        low, high = self.ends(offsets, reach)
        if high - low >= REGION:
            if dice.random() < 0.3 and self.mask is None:
                self.mask = source.compare("ult", offsets, source.splat(source.number(dice.choice((256, 512, 500, 99)), offsets.kind),
                                                                       offsets.shape))
            else:
                offsets = folded(source, offsets)
            low, high = self.ends(offsets, reach)
        if high - low >= REGION:
            raise Unspecified
        unit = 64 if is_plain else dice.choice((16, 16, 4, 1))
        first = -(low // unit) * unit
        first += unit * dice.randrange(2)
        if first + high >= REGION:
            first = -low
        kind = "i32" if abs(first) < 1 << 31 else "i64"
        for amount in dice.sample((move, source.constant(first, kind)), 2):
            if amount.numbers.any():
                base = source.define((), "ptr", f"fsm.offset {base}, {amount.name} : !fsm.ptr<{self.element}>, {amount.kind}", None).name
        return self.written(base, offsets)

    def ends(self, offsets, reach):
        """The least and the greatest number of an element that is accessed."""
        total = offsets.numbers + reach.reshape(*reach.shape, *(1,) * len(offsets.shape))
        if self.mask is not None:
            active, total = np.broadcast_arrays(self.mask.numbers, total)
            total = total[active != 0]
        return (int(total.min()), int(total.max())) if total.size else (0, 0)

    def is_distinct(self, offsets):
        """Whether no two elements go to one place, in any world."""
        numbers = offsets.numbers
        if self.mask is not None:
            active, numbers = np.broadcast_arrays(self.mask.numbers, numbers)
            # What is not stored goes to places that nothing else does.
            apart = np.arange(size_of(offsets.shape)).reshape(offsets.shape) + (1 << 42)
            numbers = np.where(active != 0, numbers, apart)
        rows = numbers.reshape(-1, size_of(offsets.shape))
        if rows.size > MOST_SORTED:
            return False
        return bool((np.diff(np.sort(rows)) != 0).all())

    def written(self, base, offsets):
        kernel, element, shape = self.kernel, self.element, offsets.shape
        kernel.note("access", f"offsets of {offsets.kind}")
        kernel.note("access", "mask" if self.mask else "no mask")
        kernel.need(element)
        if kernel.dice.random() < 0.9:
            kernel.aligned.add(element)
        mask = f", {self.mask.name}" if self.mask else ""
        pointer = f"!fsm.ptr<{element}>, {offsets.type}"
        if kernel.dice.random() < 0.25 and self.is_distinct(offsets):
            value = kernel.storable(kernel.some(shape, element, exact=True))
            if value.element == element:
                kernel.stored = True
                kernel.written.add(element)
                kernel.write(f"fsm.store {value.name}, {base}[{offsets.name}]{mask} : {value.type}, {pointer}")
                return None
        if mask and kernel.dice.random() < 0.4:
            mask += f", {kernel.constant((), element, kernel.number(element)).name}"
        return kernel.define(shape, element, f"fsm.load {base}[{offsets.name}]{mask} : {pointer} -> {type_of(shape, element)}",
                             kernel.held(element))


def begun(source, focus, shape, carried):
    """The block that a step's op is applied to."""
    dice = source.kernel.dice
    if carried and dice.random() < (0.8 if focus == "carried" else 0.4):
        return carried
    if focus == "counter" and source.inside:
        number = source.convert(dice.choice(source.inside), "i32", "extsi")
        return source.binary(dice.choice(("addi", "addi", "subi")), source.clean(shape), source.splat(number, shape))
    kinds = ("i8", "i8", "i16", "i32") if focus in NARROWING else ("i32", "i32", "i32", "i64", "i64", "i8", "i16")
    kind = dice.choice(kinds)
    if dice.random() < (0.6 if focus in ("shli", "muli") else 0.15):
        return source.splat(source.convert(source.scalar(), kind), shape)
    x = source.convert(source.block(shape), kind)
    # Nothing else is known of what has been cut off.
    return source.hinted(x) if kind in ("i8", "i16") and dice.random() < 0.6 else x


def attempt(source, focus, element, shape, carried, pointers):
    dice = source.kernel.dice
    if focus == "pointer":
        return [value for value in [through_pointer(source, element, shape)] if value]
    x = begun(source, focus, shape, carried)
    if dice.random() < 0.1:
        x = applied(source, dice.choice(BINARY), x)
    x = applied(source, focus, x)
    if x.kind != "i1" and dice.random() < 0.1:
        x = applied(source, dice.choice(BINARY), x)
    return ended(source, focus, element, x, pointers)


def through_pointer(source, element, shape):
    """An access that runs, through a pointer that is moved by a computed scalar."""
    x = source.unknown()
    if source.kernel.dice.random() < 0.7:
        x = source.binary("muli", x, source.constant(source.kernel.dice.choice(FACTORS)))
    for _ in range(source.kernel.dice.choice((1, 1, 2))):
        x = applied(source, source.kernel.dice.choice(BINARY), x)
    access = Access(source, element)
    access.move = x
    return access.placed(source.rows(shape))


def ended(source, focus, element, result, pointers):
    """Accesses that a result is used by, in one or two ways; what they load."""
    dice, values, written = source.kernel.dice, [], False
    ends = ["mask"]
    if result.kind != "i1":
        is_uniform = (result.numbers == result.numbers[(..., *(slice(1),) * len(result.shape))]).all()
        ends = ["sum" if is_uniform else dice.choice(("offsets", "offsets", "sum"))] + ends * (dice.random() < 0.75)
    for end in ends:
        access, undo = Access(source, element), Undo(source.kernel)
        if pointers and dice.random() < 0.4:
            access.pointers = pointers
        try:
            values.append(access.go(result, end))
        except Unspecified:
            undo.back()
        else:
            written = True
    if not written:
        raise Unspecified
    return [value for value in values if value]


class Undo:
    """Takes back what an attempt has written."""

    def __init__(self, kernel):
        self.kernel, self.lines, self.values = kernel, len(kernel.lines), len(kernel.values)

    def back(self):
        del self.kernel.lines[self.lines:]
        del self.kernel.values[self.values:]


def attempts(source, focus, element, shape, carried=None, pointers=()):
    """Writes accesses; what they load."""
    for _ in range(TRIES):
        undo = Undo(source.kernel)
        try:
            values = attempt(source, focus, element, shape, carried, pointers)
        except Unspecified:
            undo.back()
        else:
            source.kernel.note("access", f"access by {focus}")
            return values
    return []


def element_for(kernel):
    elements = kernel.buffers if kernel.dice.random() < 0.7 else ELEMENTS
    fitting = [e for e in elements if e in INTS or not kernel.specials]
    return kernel.dice.choice(fitting or list(INTS))


@step([f"access by {focus}" for focus in FOCUSES], ("",), deck=ACCESS)
def reach(kernel, op, element):
    """One or two accesses, in a loop or not."""
    focus = op.removeprefix("access by ")
    source, element = Sources(kernel), element_for(kernel)
    among = CUBES if focus == "transpose" else SHAPES
    if kernel.seed % 3 == 0:
        among = LARGE_SHAPES[-1:] if focus == "transpose" else LARGE_SHAPES
        kernel.warps, kernel.warps_tried = 8, kernel.warps_tried or (0, 4, 8, 16)
    else:
        kernel.warps, kernel.warps_tried = FEW_WARPS, kernel.warps_tried or (0, 1, FEW_WARPS, 4)
    shapes = [kernel.dice.choice(among) for _ in range(kernel.dice.choice((1, 1, 1, 2)))]
    room = min(4, MOST_TRIPS // kernel.trips)
    if room and kernel.depth <= DEEPEST and (focus in ("counter", "carried") or kernel.dice.random() < 0.3):
        in_loop(source, focus, element, shapes, kernel.dice.randrange(1, room + 1))
        return
    for shape in shapes:
        attempts(source, focus, element, shape)


def counter_of(source, trips):
    """The head of a loop up to its iter_args, its type, and its counter: of any type, from any number on, signed or not."""
    kernel, dice = source.kernel, source.kernel.dice
    kind, is_unsigned = dice.choice(("i32", "i32", "i64", "i8", "i16")), dice.random() < 0.25
    first, stride = dice.choice(FIRST_NUMBERS), dice.choice(STRIDES)
    limit = (1 << INTS[kind]) if is_unsigned else 1 << (INTS[kind] - 1)
    if is_unsigned:
        first = dice.choice((first % limit, limit // 2 - 16, limit // 2 - 3, limit - 70))
        if first + trips * stride >= limit:
            first = limit // 2 - dice.choice((8, 3))
    last = first + (trips - 1) * stride
    end = min(last + dice.randrange(1, stride + 1), limit - 1)
    numbers = np.array([signed(first + i * stride, kind) for i in range(trips)], np.int64)
    lower, upper = source.number(first, kind), source.number(end, kind)
    by = source.constant(stride, kind)
    number = Term(f"%i{kernel.count}", (), kind, numbers.reshape(1, -1, 1))
    flag = " unsigned" if is_unsigned else ""
    return f"scf.for{flag} {number.name} = {lower.name} to {upper.name} step {by.name}", number


def in_loop(source, focus, element, shapes, trips):
    """Accesses that move with a loop's number, with a block or with a pointer that it carries; it sums what they load."""
    kernel, dice = source.kernel, source.kernel.dice
    path_values, path_shapes, before = len(kernel.values), list(kernel.shapes), kernel.stored
    bits = f"i{WIDTH[element]}"
    ctas = ctas_of(kernel)
    head, number = counter_of(source, trips)
    sums = [kernel.constant(shape, bits, 0) for shape in shapes]
    block = source.block(shapes[0])
    by = source.constant(dice.choice((1, 2, 4, 8, 16, 64, 3, -4, -16)))
    kernel.need(element)
    start = source.constant(dice.choice((0, 0, 256, 16, 1)))
    pointer = source.define((), "ptr", f"fsm.offset %p_{element}, {start.name} : !fsm.ptr<{element}>, i32", start.numbers)
    firsts = [*sums, block, pointer]
    kinds = ", ".join([*(v.type for v in (*sums, block)), f"!fsm.ptr<{element}>"])
    result, count = kernel.name(), kernel.count
    inside = [f"%c{count}_{i}" for i in range(len(firsts))]
    carry = ", ".join(f"{name} = {value.name}" for name, value in zip(inside, firsts))
    kernel.write(f"{result}:{len(firsts)} = {head} iter_args({carry}) -> ({kinds}) : {number.kind} {{")
    kernel.stored, kernel.trips, kernel.depth = False, kernel.trips * trips, kernel.depth + 1
    turns = np.arange(trips, dtype=np.int64).reshape(1, -1, 1)
    moved = wrapped(block.numbers + turns.reshape(1, -1, 1, *(1,) * len(block.shape)) * by.least, block.kind)
    carried = Term(inside[-2], block.shape, block.kind, moved)
    source.inside.append(number)
    news = []
    for shape, name in zip(shapes, inside):
        for value in attempts(source, focus, element, shape, carried if shape == block.shape else None,
                              [(inside[-1], start.numbers + turns * by.least)]):
            name = added(kernel, name, value, shape, bits, ctas)
        news.append(name)
    step_block = source.splat(by, block.shape)
    news.append(source.binary("addi", carried, step_block).name)
    news.append(source.define((), "ptr", f"fsm.offset {inside[-1]}, {by.name} : !fsm.ptr<{element}>, i32", None).name)
    kernel.write(f"scf.yield {', '.join(news)} : {kinds}")
    kernel.trips, kernel.depth = kernel.trips // trips, kernel.depth - 1
    del kernel.values[path_values:]
    kernel.shapes = path_shapes
    kernel.write("}" + shared(kernel, stages(kernel, before), ctas))
    kernel.adopt([f"{result}#{i}" for i in range(len(sums))], shapes[0], bits)
    for value, shape in zip(kernel.values[-len(sums):], shapes):
        value.shape = shape


def added(kernel, name, value, shape, bits, in_any_order=False):
    """Five times a sum and the bits of a block; or once, where the order of terms shall not matter."""
    if value.element != bits:
        value = kernel.define(value.shape, bits, f"arith.bitcast {value.name} : {value.type} to {type_of(value.shape, bits)}")
    if value.shape != shape:
        value = kernel.define(shape, bits, f"fsm.reshape {value.name} : {value.type} -> {type_of(shape, bits)}")
    if in_any_order:
        return kernel.define(shape, bits, f"arith.addi {name}, {value.name} : {value.type}").name
    five = kernel.constant(shape, bits, 1 if bits == "i1" else 5)
    product = kernel.define(shape, bits, f"arith.muli {name}, {five.name} : {value.type}")
    return kernel.binary("arith.addi", product, value).name
