"""Steps that hold others: loops, branches, calls. What loops hand on is exact, so that errors do not grow with trips."""

import random

from .language import ELEMENTS, FLOATS, INTS, SMALL_FLOATS
from .registry import step
from .values import NONE, Bound, Value, either, sum_of, type_of
from .writer import REGION, SMALL, small

# Loops and branches within one another.
DEEPEST = 3
# How often a body may run in all, loops around it included.
MOST_TRIPS = 24


class Control:
    """The part of a kernel that knows regions."""

    def carried(self, element):
        """What a loop or a branch hands on: exact values, one of them of this type."""
        elements = [element] + [self.dice.choice(self.elements) for _ in range(self.dice.choice((0, 0, 1)))]
        self.dice.shuffle(elements)
        return [self.carriable(self.some(self.shape(0.25), e, exact=True)) for e in elements]

    def carriable(self, value):
        if value.element in SMALL_FLOATS and (value.bound.size > 2 * small(value.element) or not value.bound.whole):
            return self.fresh_small(value.shape, value.element)
        if self.wholes and not value.bound.whole:
            return self.constant(value.shape, value.element, self.number(value.element))
        return self.clamp(value)

    def bound_of(self, element):
        if element in FLOATS or element in SMALL_FLOATS:
            return Bound(2 * small(element) if element in SMALL_FLOATS else SMALL, 0, self.wholes or element in SMALL_FLOATS)
        return NONE

    def results(self, values, bounds=None):
        """Text that names results like these values, and the values that stand for them."""
        if not values:
            return "", []
        name, many = self.name(), f":{len(values)}" if len(values) > 1 else ""
        bounds = bounds or [self.bound_of(v.element) for v in values]
        return f"{name}{many} = ", [Value(f"{name}#{i}" if many else name, v.shape, v.element, b)
                                    for i, (v, b) in enumerate(zip(values, bounds))]

    def inner(self, values, path, inside=()):
        """Some steps, and values like these at their end; whatever they define is out of sight behind them."""
        outside, shapes = len(self.values), list(self.shapes)
        self.values += inside
        self.depth += 1
        self.body(self.dice.randrange(1, 4), path)
        news = [self.carriable(self.some(v.shape, v.element, exact=True)) for v in values]
        self.depth -= 1
        del self.values[outside:]
        self.shapes = shapes
        return news

    def yield_of(self, op, news):
        if news:
            self.write(f"  {op} {', '.join(v.name for v in news)} : {', '.join(v.type for v in news)}")

    def trip_end(self):
        """A number of trips: a scalar's name, and the most that it may be; noted for the histogram."""
        room = max(0, min(8, MOST_TRIPS // self.trips))
        choice = self.dice.random()
        if choice < 0.55:
            count = self.dice.randrange(room + 1)
            self.note("trips", count)
            return self.constant((), "i32", count).name, count
        index = self.dice.randrange(3)
        if choice < 0.8 and self.numbers[index] <= room:
            self.note("trips", self.numbers[index])
            self.most_numbers[index] = min(self.most_numbers[index], room)
            return f"%n{index}", room
        self.note("trips", "data")
        most = min(room, 3) if room != 2 else 1
        return self.masked(self.some((), "i32"), most).name, most


def stages(kernel, stored_before, chance=0.6):
    """Often stages, for a loop that stores nothing, which is what they promise."""
    if kernel.stored or kernel.dice.random() >= chance:
        text = ""
    else:
        kernel.hinted = True
        text = f" {{fsm.num_stages = {kernel.dice.choice((1, 2, 3, 4))} : i32}}"
    kernel.stored = kernel.stored or stored_before
    return text


def ctas_of(kernel):
    """How many ctas, or groups of warps, shall share the loop that comes next, which then adds up in any order; 0 says nothing."""
    # By a dice of its own, which changes nothing else of a kernel.
    return random.Random(f"{kernel.seed} ctas {kernel.count}").choice((0, 0, 0, 2, 4, 8))


def shared(kernel, text, ctas):
    """The attributes of a loop, with a number of ctas or of groups of warps that share it."""
    if not ctas:
        return text
    name = random.Random(f"{kernel.seed} sharers {kernel.count}").choice(("fsm.split", "fsm.warp_groups"))
    split = f"{name} = {ctas} : i32"
    return f"{text[:-1]}, {split}}}" if text else f" {{{split}}}"


def numbers_of(kernel, end):
    """The type that a loop counts in, its first number, its end and its step; `end` is the number of its trips."""
    kind = kernel.dice.choice(("i32", "i32", "i32", "i8", "i16", "i64"))
    step_size = kernel.dice.choice((1, 1, 1, 2, 3))
    if step_size > 1:
        end = kernel.define((), "i32", f"arith.muli {end}, {kernel.constant((), 'i32', step_size).name} : i32", hide=True).name
    if kind != "i32":
        op = "arith.trunci" if INTS[kind] < 32 else "arith.extsi"
        end = kernel.define((), kind, f"{op} {end} : i32 to {kind}", hide=True).name
    start = kernel.dice.choice((0, 0, -5))
    first = kernel.constant((), kind, start)
    if start:
        end = kernel.define((), kind, f"arith.addi {end}, {first.name} : {kind}", hide=True).name
    return kind, first.name, end, kernel.constant((), kind, step_size).name


def unrolled(kernel):
    """The same of a loop that is written out, and its trips: all of it is in the text."""
    kind, start, step_size = kernel.dice.choice(("i32", "i32", "i8", "i64")), kernel.dice.choice((0, 0, -5)), kernel.dice.choice((1, 1, 3))
    trips = kernel.dice.randrange(4)
    kernel.note("trips", trips)
    first, end, stride = (kernel.constant((), kind, n).name for n in (start, start + trips * step_size, step_size))
    return kind, first, end, stride, trips


@step(("scf.for",), ELEMENTS)
def loop(kernel, op, element):
    if kernel.depth > DEEPEST:
        return
    values, path = kernel.carried(element), kernel.here
    is_unrolled = kernel.dice.random() < 0.15
    if is_unrolled:
        kind, first, end, stride, most = unrolled(kernel)
    else:
        end, most = kernel.trip_end()
        kind, first, end, stride = numbers_of(kernel, end)
    text, results = kernel.results(values)
    number = f"%i{kernel.count}"
    bodies = [Value(f"%c{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    pairs = ", ".join(f"{body.name} = {value.name}" for body, value in zip(bodies, values))
    carry = f" iter_args({pairs}) -> ({', '.join(v.type for v in values)})"
    kernel.write(f"{text}{op} {number} = {first} to {end} step {stride}{carry} : {kind} {{")
    stored, kernel.stored = kernel.stored, False
    trips, kernel.trips = kernel.trips, kernel.trips * max(1, most)
    news = kernel.inner(values, path, [*bodies, Value(number, (), kind)])
    kernel.trips = trips
    kernel.yield_of("scf.yield", news)
    hint = stages(kernel, stored)
    kernel.write("}" + (" {fsm.unroll}" if is_unrolled else hint))
    kernel.values += results


@step(("scf.for",), FLOATS)
def accumulate(kernel, op, element):
    """A loop that adds to a float what has an error of its own; each trip adds as much to the error of the sum."""
    if kernel.depth > DEEPEST:
        return
    path, shape = kernel.here, kernel.shape(0.2)
    first = kernel.clamp(kernel.some(shape, element))
    end, most = kernel.trip_end()
    zero, one = kernel.constant((), "i32", 0), kernel.constant((), "i32", 1)
    result, number, body = kernel.name(), f"%i{kernel.count}", f"%c{kernel.count}"
    kernel.write(f"{result} = {op} {number} = {zero.name} to {end} step {one.name} iter_args({body} = {first.name}) -> "
                 f"({first.type}) : i32 {{")
    stored, kernel.stored = kernel.stored, False
    trips, kernel.trips = kernel.trips, kernel.trips * max(1, most)
    outside, shapes = len(kernel.values), list(kernel.shapes)
    kernel.values.append(Value(number, (), "i32"))
    kernel.depth += 1
    kernel.body(kernel.dice.randrange(1, 4), path)
    part = kernel.clamp(kernel.some(shape, element))
    kernel.write(f"{result}_next = arith.addf {body}, {part.name} : {first.type}")
    kernel.depth -= 1
    del kernel.values[outside:]
    kernel.shapes, kernel.trips = shapes, trips
    kernel.yield_of("scf.yield", [Value(f"{result}_next", shape, element)])
    kernel.write("}" + stages(kernel, stored))
    bound = first.bound
    for _ in range(most):
        bound = either(bound, sum_of(element, bound, part.bound))
    kernel.values.append(Value(result, shape, element, bound))


@step(("scf.for",), ELEMENTS)
def stream(kernel, op, element):
    """A loop whose blocks move through memory with its number, so that they can be loaded ahead; it sums what it loads, or
    keeps the greatest or the last. Some loads of the body follow what it has loaded before."""
    if kernel.depth > DEEPEST:
        return
    dice, path, outside, shapes = kernel.dice, kernel.here, len(kernel.values), list(kernel.shapes)
    kernel.need(element)
    elements = [element] + [dice.choice(kernel.buffers) for _ in range(dice.choice((0, 1, 1)))]
    firsts = [kernel.carriable(kernel.some(stream_shape(kernel), e, exact=True)) for e in elements]
    places = [stream_places(kernel, v) if v.shape else None for v in firsts]
    end, most = kernel.trip_end()
    zero, one = kernel.constant((), "i32", 0), kernel.constant((), "i32", 1)
    text, results = kernel.results(firsts)
    number = Value(f"%i{kernel.count}", (), "i32")
    bodies = [Value(f"%c{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(firsts)]
    pairs = ", ".join(f"{body.name} = {first.name}" for body, first in zip(bodies, firsts))
    kernel.write(f"{text}{op} {number.name} = {zero.name} to {end} step {one.name} iter_args({pairs}) -> "
                 f"({', '.join(v.type for v in firsts)}) : i32 {{")
    stored, kernel.stored = kernel.stored, False
    trips, kernel.trips = kernel.trips, kernel.trips * max(1, most)
    kernel.depth += 1
    loaded, offset = [], number
    for first, place in zip(firsts, places):
        loaded.append(streamed(kernel, first, place, offset))
        if first.element in ("i32", "i16") and dice.random() < 0.4:
            follow = loaded[-1] if not first.shape else kernel.define((), first.element, f"fsm.reduce <max> {loaded[-1].name} "
                                                                      f"axis 0 : {loaded[-1].type} -> {first.element}") \
                if len(first.shape) == 1 else number
            offset = kernel.masked(kernel.convert(follow, "i32"), 7)
    kernel.values += bodies
    if dice.random() < 0.5:
        kernel.body(1, path)
    news = [kernel.carriable(gathered(kernel, body, new)) for body, new in zip(bodies, loaded)]
    kernel.depth -= 1
    kernel.yield_of("scf.yield", news)
    del kernel.values[outside:]
    kernel.shapes, kernel.trips = shapes, trips
    kernel.write("}" + stages(kernel, stored, 0.9))
    kernel.values += results


# How far apart what two iterations load may be.
STRIDES = (1, 4, 16, 64)
# Blocks of which each thread of few warps has elements of its own, several in a row.
WIDE = ((256,), (512,), (4, 64), (16, 32))


def stream_shape(kernel):
    if kernel.dice.random() < 0.5:
        return kernel.shape(0.1)
    kernel.warps = kernel.dice.choice((1, 2))
    return kernel.dice.choice(WIDE)


def stream_places(kernel, like):
    """Where a block is in memory; one of WIDE mostly row by row from an aligned place on."""
    if like.shape not in WIDE or kernel.dice.random() < 0.2:
        return kernel.distinct(like.shape)[0]
    kernel.aligned.add(like.element)
    return kernel.packed(like.shape)


def streamed(kernel, like, place, number):
    """A block of a buffer at a multiple of the number, which is 7 at most or that of the loop."""
    dice, element = kernel.dice, like.element
    room = REGION - (place.reach if place else 1)
    stride = dice.choice([s for s in STRIDES if 8 * s <= room and (s >= 16 or element not in kernel.aligned)] or (0,))
    moved = kernel.binary("arith.muli", number, kernel.constant((), "i32", stride), flags=kernel.nsw())
    base = kernel.define((), "ptr", f"fsm.offset %p_{element}, {moved.name} : !fsm.ptr<{element}>, i32", hide=True)
    held = kernel.held(element)
    if not place:
        return kernel.define((), element, f"fsm.load {base.name} : !fsm.ptr<{element}> -> {element}", held)
    extra = ""
    if dice.random() < 0.3:
        mask = kernel.mask(like.shape)
        extra = f", {mask.name}" if mask else ""
        if mask and dice.random() < 0.5:
            extra += f", {kernel.constant((), element, 1).name}"
    return kernel.define(like.shape, element, f"fsm.load {base.name}[{place.name}]{extra} : !fsm.ptr<{element}>, "
                         f"{place.type} -> {type_of(like.shape, element)}", held)


def gathered(kernel, old, new):
    """What a loop hands on, made of that and of what it has loaded; rounded as every device does."""
    if old.element in SMALL_FLOATS:
        return new
    if old.element in INTS:
        return kernel.binary(kernel.dice.choice(("arith.addi", "arith.xori", "arith.maxsi")), old, new)
    if kernel.dice.random() < 0.6:
        return kernel.binary("arith.addf", old, new, sum_of(old.element, old.bound, new.bound))
    return kernel.binary("arith.maximumf", old, new, either(old.bound, new.bound))


def shared_stream(kernel):
    """A loop of sums that ctas share; what it loads moves with its number. It is no step: nothing is stored in front of it."""
    dice, outside = kernel.dice, len(kernel.values)
    element, ctas = dice.choice(("i32", "i64")), dice.choice((2, 4, 8))
    kernel.need(element)
    shape = dice.choice([s for s in kernel.shapes if all(extent & (extent - 1) == 0 for extent in s)] or [(64,)])
    firsts = [kernel.some(shape, element, exact=True) for _ in range(dice.choice((1, 1, 2)))]
    places = [stream_places(kernel, first) for first in firsts]
    end, _ = kernel.trip_end()
    zero, one = (kernel.constant((), "i32", number) for number in (0, dice.choice((1, 1, 2))))
    text, results = kernel.results(firsts)
    number = Value(f"%i{kernel.count}", (), "i32")
    bodies = [Value(f"%c{kernel.count}_{i}", shape, element) for i in range(len(firsts))]
    pairs = ", ".join(f"{body.name} = {first.name}" for body, first in zip(bodies, firsts))
    kernel.write(f"{text}scf.for {number.name} = {zero.name} to {end} step {one.name} iter_args({pairs}) -> "
                 f"({', '.join(first.type for first in firsts)}) : i32 {{")
    kernel.depth += 1
    loaded = [streamed(kernel, first, place, number) for first, place in zip(firsts, places)]
    kernel.yield_of("scf.yield", [kernel.binary("arith.addi", body, new) for body, new in zip(bodies, loaded)])
    kernel.depth -= 1
    del kernel.values[outside:]
    kernel.write("}" + shared(kernel, stages(kernel, False), ctas))
    kernel.note("shared", ctas)
    kernel.values += results


@step(("scf.while",), ELEMENTS)
def repeat(kernel, op, element):
    """A while loop that counts, and that data may end sooner."""
    if kernel.depth > DEEPEST:
        return
    values, path = kernel.carried(element), kernel.here
    end, most = kernel.trip_end()
    zero = kernel.constant((), "i32", 0)
    name = kernel.name()
    kinds = ", ".join(["i32", *(v.type for v in values)])
    firsts = [f"%i{kernel.count} = {zero.name}"]
    befores = [Value(f"%w{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    afters = [Value(f"%u{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    counter, count = f"%i{kernel.count}", kernel.count
    firsts += [f"{b.name} = {v.name}" for b, v in zip(befores, values)]
    kernel.write(f"{name}:{len(values) + 1} = {op} ({', '.join(firsts)}) : ({kinds}) -> ({kinds}) {{")
    trips, kernel.trips = kernel.trips, kernel.trips * (most + 1)
    before(kernel, path, counter, end, befores, kinds)
    kernel.write("} do {")
    arguments = ", ".join([f"%j{count}: i32", *(f"{v.name}: {v.type}" for v in afters)])
    kernel.write(f"^bb0({arguments}):")
    news = kernel.inner(afters, (*path, "do"), [*afters, Value(f"%j{count}", (), "i32")])
    kernel.trips = trips
    kernel.write(f"  %one{count} = arith.constant 1 : i32")
    kernel.write(f"  %k{count} = arith.addi %j{count}, %one{count} : i32")
    kernel.yield_of("scf.yield", [Value(f"%k{count}", (), "i32"), *news])
    kernel.write("}")
    bounds = [kernel.bound_of(v.element) for v in values]
    kernel.values += [Value(f"{name}#{i + 1}", v.shape, v.element, b) for i, (v, b) in enumerate(zip(values, bounds))]
    kernel.values.append(Value(f"{name}#0", (), "i32"))


def before(kernel, path, counter, end, values, kinds):
    """The region that decides whether a while loop goes on."""
    outside, shapes = len(kernel.values), list(kernel.shapes)
    kernel.values += [*values, Value(counter, (), "i32")]
    kernel.depth += 1
    if kernel.dice.random() < 0.4:
        kernel.body(1, (*path, "while"))
    go = kernel.define((), "i1", f"arith.cmpi slt, {counter}, {end} : i32")
    if kernel.dice.random() < 0.2:
        go = kernel.binary("arith.andi", go, kernel.some((), "i1"))
    news = [kernel.carriable(kernel.some(v.shape, v.element, exact=True)) if kernel.dice.random() < 0.3 else v for v in values]
    kernel.depth -= 1
    kernel.write(f"  scf.condition({go.name}) {', '.join([counter, *(v.name for v in news)])} : {kinds}")
    del kernel.values[outside:]
    kernel.shapes = shapes


@step(("scf.if",), ELEMENTS)
def branch(kernel, op, element):
    if kernel.depth > DEEPEST:
        return
    path, values = kernel.here, kernel.carried(element) if kernel.dice.random() < 0.9 else []
    condition = kernel.some((), "i1")
    text, results = kernel.results(values)
    kinds = f" -> ({', '.join(v.type for v in values)})" if values else ""
    kernel.write(f"{text}{op} {condition.name}{kinds} {{")
    kernel.yield_of("scf.yield", kernel.inner(values, (*path, "then")))
    if values or kernel.dice.random() < 0.3:
        kernel.write("} else {")
        kernel.yield_of("scf.yield", kernel.inner(values, (*path, "else")))
    kernel.write("}")
    kernel.values += results


# What stands for the arguments that a kernel hands to each helper, whose list is known at its end only.
FRAME = "@FRAME@"


@step(("func.call",), ELEMENTS)
def call(kernel, op, element):
    """A helper that works on what it is given; it sees the kernel's arguments under the names that they have there."""
    if kernel.depth > DEEPEST:
        return
    path, values = kernel.here, [kernel.some(kernel.shape(0.25), element)]
    values += [kernel.some(kernel.shape(), kernel.dice.choice(kernel.elements)) for _ in range(kernel.dice.choice((0, 1)))]
    name = kernel.name()[1:]
    inside = [Value(f"%{name}_{i}", v.shape, v.element, v.bound) for i, v in enumerate(values)]
    outside = kernel.values, kernel.lines, kernel.depth, list(kernel.shapes)
    kernel.values, kernel.lines, kernel.depth = list(inside), [], 1
    kernel.body(kernel.dice.randrange(1, 4), (*path, "call"))
    results = [kernel.some(values[0].shape, element)]
    results += [v for v in kernel.values[-1:] if v is not results[0]]
    lines = kernel.lines
    kernel.values, kernel.lines, kernel.depth, kernel.shapes = outside
    kinds = ", ".join(v.type for v in results)
    arguments = ", ".join(f"{v.name}: {v.type}" for v in inside)
    returned = f"  func.return {', '.join(v.name for v in results)} : {kinds}"
    kernel.functions.append(f"func.func @{name}({arguments}, {FRAME}) -> ({kinds}) {{\n" + "\n".join([*lines, returned, "}", ""]))
    result = kernel.name()
    kernel.write(f"{result}:{len(results)} = {op} @{name}({', '.join(v.name for v in values)}, {FRAME}) : "
                 f"({', '.join(v.type for v in values)}, {FRAME}) -> ({kinds})")
    kernel.values += [Value(f"{result}#{i}", v.shape, v.element, v.bound) for i, v in enumerate(results)]


def with_frame(text, names, kinds):
    """The text with the kernel's arguments where helpers are defined and called."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("func.func"):
            line = line.replace(FRAME, ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds)))
        lines.append(line.replace(FRAME, ", ".join(names), 1).replace(FRAME, ", ".join(kinds), 1))
    return "\n".join(lines)
