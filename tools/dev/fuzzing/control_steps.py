"""Steps that hold others: loops and branches. What they hand on is exact, so that errors do not grow with trips."""

from .language import FLOATS, SMALL_FLOATS
from .registry import holder
from .values import NONE, Bound, Value, either, sum_of
from .writer import SMALL, small

# Loops and branches within one another.
DEEPEST = 3
# How often a body may run in all, loops around it included.
MOST_TRIPS = 24


class Control:
    """The part of a kernel that knows regions."""

    def carried(self):
        """What a loop or a branch hands on: a few exact values."""
        values = []
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            values.append(self.carriable(self.some(self.shape(0.25), self.dice.choice(self.elements), exact=True)))
        return values

    def carriable(self, value):
        if value.element in SMALL_FLOATS and value.bound.size > 2 * small(value.element):
            return self.fresh_small(value.shape, value.element)
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
        self.body(self.dice.randrange(1, 5), path)
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
            return f"%n{index}", self.numbers[index]
        self.note("trips", "data")
        most = min(room, 3) if room != 2 else 1
        return self.masked(self.some((), "i32"), most).name, most


def hint(kernel, stored_before):
    """Stages for a loop that stores nothing, which is what they promise."""
    if kernel.stored or kernel.dice.random() < 0.4:
        text = ""
    else:
        kernel.hinted = True
        text = f" {{fsm.num_stages = {kernel.dice.choice((1, 2, 3, 4))} : i32}}"
    kernel.stored = kernel.stored or stored_before
    return text


@holder(3)
def loop(kernel, path):
    if kernel.depth > DEEPEST:
        return
    values = kernel.carried()
    end, most = kernel.trip_end()
    zero = kernel.constant((), "i32", 0)
    step_size = kernel.dice.choice((1, 1, 1, 2))
    if step_size == 2:
        two = kernel.constant((), "i32", 2)
        end = kernel.define((), "i32", f"arith.muli {end}, {two.name} : i32", hide=True).name
    step_name = kernel.constant((), "i32", step_size).name
    text, results = kernel.results(values)
    number = f"%i{kernel.count}"
    bodies = [Value(f"%c{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    pairs = ", ".join(f"{body.name} = {value.name}" for body, value in zip(bodies, values))
    carry = f" iter_args({pairs}) -> ({', '.join(v.type for v in values)})" if values else ""
    kernel.write(f"{text}scf.for {number} = {zero.name} to {end} step {step_name}{carry} : i32 {{")
    stored, kernel.stored = kernel.stored, False
    trips, kernel.trips = kernel.trips, kernel.trips * max(1, most)
    news = kernel.inner(values, path, [*bodies, Value(number, (), "i32")])
    kernel.trips = trips
    kernel.yield_of("scf.yield", news)
    kernel.write("}" + hint(kernel, stored))
    kernel.values += results


@holder(1.5)
def accumulate(kernel, path):
    """A loop that adds to a float what has an error of its own; each trip adds as much to the error of the sum."""
    if kernel.depth > DEEPEST:
        return
    shape, element = kernel.shape(0.2), kernel.dice.choice(FLOATS)
    first = kernel.clamp(kernel.some(shape, element))
    end, most = kernel.trip_end()
    zero, one = kernel.constant((), "i32", 0), kernel.constant((), "i32", 1)
    result, number, body = kernel.name(), f"%i{kernel.count}", f"%c{kernel.count}"
    kernel.write(f"{result} = scf.for {number} = {zero.name} to {end} step {one.name} iter_args({body} = {first.name}) -> "
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
    kernel.write("}" + hint(kernel, stored))
    bound = first.bound
    for _ in range(most):
        bound = either(bound, sum_of(element, bound, part.bound))
    kernel.values.append(Value(result, shape, element, bound))


@holder(2)
def repeat(kernel, path):
    """A while loop that counts, and that data may end sooner."""
    if kernel.depth > DEEPEST:
        return
    values = kernel.carried()
    end, most = kernel.trip_end()
    zero = kernel.constant((), "i32", 0)
    name = kernel.name()
    kinds = ", ".join(["i32", *(v.type for v in values)])
    firsts = [f"%i{kernel.count} = {zero.name}"]
    befores = [Value(f"%w{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    afters = [Value(f"%u{kernel.count}_{i}", v.shape, v.element, kernel.bound_of(v.element)) for i, v in enumerate(values)]
    counter, count = f"%i{kernel.count}", kernel.count
    firsts += [f"{b.name} = {v.name}" for b, v in zip(befores, values)]
    kernel.write(f"{name}:{len(values) + 1} = scf.while ({', '.join(firsts)}) : ({kinds}) -> ({kinds}) {{")
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


@holder(2)
def branch(kernel, path):
    if kernel.depth > DEEPEST:
        return
    values = kernel.carried()
    condition = kernel.some((), "i1")
    text, results = kernel.results(values)
    kinds = f" -> ({', '.join(v.type for v in values)})" if values else ""
    kernel.write(f"{text}scf.if {condition.name}{kinds} {{")
    kernel.yield_of("scf.yield", kernel.inner(values, (*path, "then")))
    if values or kernel.dice.random() < 0.3:
        kernel.write("} else {")
        kernel.yield_of("scf.yield", kernel.inner(values, (*path, "else")))
    kernel.write("}")
    kernel.values += results
