"""Loops in stages: loads that run ahead of their iteration, by counters of every type, a few at once, in order and not."""

from .control_steps import DEEPEST, ctas_of, gathered, shared
from .language import DOT_TYPES, ELEMENTS, FLOATS, INTS
from .loop_counters import counter_of, number_of_trip
from .registry import step
from .scalar_steps import finite
from .staged_plan import BULK, MOST_ROWS, MOST_TRIPS, Plan, large_load, loads_of, magnitude, plan_of, product
from .values import NONE, Bound, Value, type_of
from .writer import REGION

# Warps of which each has a part of the blocks here, and those that large blocks need.
FEW, MANY = (0, 1, 2, 4), (8, 16, 16)


class Loop:
    """Writes one loop as planned."""

    def __init__(self, kernel, plan, path):
        self.kernel, self.plan, self.path = kernel, plan, path
        # What the loop hands on: argument, its type as text, the first, and what it is at the end of an iteration.
        self.carried, self.kept = [], []
        self.inner = self.row = self.pointer = self.seen = None

    def define(self, shape, element, text, bound=NONE):
        return self.kernel.define(shape, element, text, bound, hide=True)

    def constant(self, number, kind="i32", shape=()):
        return self.kernel.constant(shape, kind, number)

    def carry(self, first, bound=NONE, is_kept=True):
        """Another value that the loop hands on, as it is in the body."""
        value = Value(self.kernel.name(), first.shape, first.element, bound)
        if is_kept:
            self.kept.append(len(self.carried))
        self.carried.append([value, first.name, None])
        return value

    def next(self, value, name):
        next(entry for entry in self.carried if entry[0] is value)[2] = name

    def prepare(self):
        """What is handed on, by each load, and what the address is made of."""
        kernel, plan = self.kernel, self.plan
        self.totals, self.previous = [], {}
        for load in plan.loads if not plan.tiles else ():
            if load.sums and not kernel.specials:
                first = kernel.carriable(kernel.some(load.shape, load.element, exact=True))
                self.totals.append(self.carry(first, kernel.bound_of(load.element)))
            else:
                # Of large blocks of bytes no thread has room for more.
                wide = "i64" if load.element in ("i64", "f64") else "i16" if load.is_large and load.element == "i8" else "i32"
                shape = () if load.is_large and kernel.dice.random() < 0.5 else load.shape
                self.totals.append(self.carry(self.constant(1, wide, shape), is_kept=not load.is_large or not shape))
            if load.has_previous:
                self.previous[load] = self.carry(self.constant(0, load.element, load.shape), kernel.held(load.element), False)
                kernel.note("stages", "used in the next iteration")
        if plan.tiles:
            self.wide = DOT_TYPES[plan.loads[0].element]
            self.totals.append(self.carry(self.constant(1, self.wide, plan.tiles), self.product_bound()))
        if plan.rows == "carried" and plan.store in ("", "beside"):
            self.row = self.carry(self.constant(0), is_kept=False)
            kernel.note("stages", "carried address")
        elif kernel.dice.random() < 0.2 and not plan.store and plan.loads[0].way == "direct" \
                and not plan.loads[0].is_large:
            load = plan.loads[0]
            self.pointer = [f"{kernel.name()}", f"!fsm.ptr<{load.element}>", load.array]
            kernel.note("stages", "carried address")
        if plan.follows:
            kernel.need("i32")
            self.seen = self.carry(self.constant(2), is_kept=False)

    def product_bound(self):
        load, wide = self.plan.loads[0], self.wide
        return NONE if wide == "i32" else Bound(1 + magnitude(load.element) ** 2 * 32 * MOST_ROWS, 0, True)

    def trips(self):
        """A number of trips, or a scalar that is one, and the most that it may be."""
        kernel, dice, stages = self.kernel, self.kernel.dice, self.plan.stages
        room = max(0, min(self.plan.room, MOST_TRIPS // kernel.trips))
        # Loops that are known to run once or never are no loops for long.
        is_large = self.plan.loads[0].is_large
        if dice.random() < (0.9 if is_large else 0.6) and room:
            kernel.note("stages", "trips by data")
            most = min(room, dice.choice((2, room, room) if is_large else (1, 2, 3, max(1, stages), stages + 1, room)))
            number = dice.choice(("%n0", "%n1", "%n2")) if dice.random() < 0.7 else kernel.some((), "i32").name
            return self.define((), "i32", f"arith.remui {number}, {self.constant(most + 1).name} : i32").name, most
        count = min(room, dice.choice((0, 1, 2, 2, 3, 3, max(0, stages - 1), stages, stages + 1, stages + 2)))
        kernel.note("stages", f"{count} trips")
        if stages > 1 and count >= stages:
            kernel.note("stages", "as many trips as stages" if count == stages else "more trips than stages")
        return count, count

    def write(self):
        """The loop; what it leaves."""
        kernel, plan = self.kernel, self.plan
        trips, most = self.trips()
        counter = counter_of(kernel, trips, most)
        self.prepare()
        if plan.inner:
            self.inner = Loop(kernel, plan.inner, (*self.path, "inner"))
        name, number = kernel.name(), kernel.name()
        arguments = [(value.name, value.type, first) for value, first, _ in self.carried]
        arguments += [tuple(self.pointer)] if self.pointer else []
        pairs = ", ".join(f"{argument} = {first}" for argument, _, first in arguments)
        kinds = ", ".join(kind for _, kind, _ in arguments)
        many = f":{len(arguments)}" if len(arguments) > 1 else ""
        kernel.write(f"{name}{many} = scf.for {'unsigned ' * counter.is_unsigned}{number} = {counter.first} to {counter.end} step "
                     f"{counter.stride} iter_args({pairs}) -> ({kinds}) : {counter.kind} {{")
        stored, kernel.stored, before = kernel.stored, False, kernel.trips
        kernel.trips *= max(1, most)
        outside, shapes = len(kernel.values), list(kernel.shapes)
        kernel.depth += 1
        self.body(counter, number)
        nexts = [entry[2] for entry in self.carried] + ([f"{self.pointer[0]}_next"] if self.pointer else [])
        kernel.depth -= 1
        kernel.write(f"  scf.yield {', '.join(nexts)} : {kinds}")
        del kernel.values[outside:]
        kernel.shapes, kernel.trips = shapes, before
        kernel.write("}" + shared(kernel, self.promise(stored), ctas_of(kernel)))
        return [self.result(f"{name}#{i}" if many else name, entry[0], i in self.kept) for i, entry in enumerate(self.carried)]

    def promise(self, stored_before):
        """The stages, unless something in the body may have stored what one of the next iterations loads."""
        kernel, plan = self.kernel, self.plan
        text = ""
        if plan.stages and (plan.store or not kernel.stored):
            text = f" {{fsm.num_stages = {plan.stages} : i32}}"
            kernel.hinted = True
            kernel.most_stages = min(kernel.most_stages, plan.distance if plan.store == "ahead" else kernel.most_stages)
        kernel.stored = kernel.stored or bool(plan.store) or stored_before
        return text

    def result(self, name, value, is_kept):
        """A value that later steps may use; of a large block what all of its elements amount to."""
        result = Value(name, value.shape, value.element, value.bound)
        if is_kept:
            self.kernel.values.append(result)
        elif value.shape and any(load.is_large and load.shape == value.shape for load in self.plan.loads):
            self.kernel.values.append(self.amount(result))
        return result

    def amount(self, block):
        """A scalar that changes with each element and with its place."""
        places = self.define(block.shape, "i32", f"fsm.range 1, {block.shape[0] + 1} : {type_of(block.shape, 'i32')}")
        if block.element != "i32":
            op = "arith.extsi" if block.element == "i64" else "arith.trunci"
            places = self.define(block.shape, block.element, f"{op} {places.name} : {places.type} to {block.type}")
        weighed = self.define(block.shape, block.element, f"arith.muli {block.name}, {places.name} : {block.type}")
        return self.define((), block.element, f"fsm.reduce <sum> {weighed.name} axis 0 : {weighed.type} -> {block.element}")

    # The body.

    def body(self, counter, number):
        kernel, plan = self.kernel, self.plan
        row = self.row or Value(number_of_trip(kernel, counter, number), (), "i32")
        if self.seen:
            row = self.define((), "i32", f"arith.andi {self.seen.name}, {self.constant(7).name} : i32")
            scalar = self.scalar("i32", row)
            self.next(self.seen, scalar.name)
        loaded = [self.load(load, row, number == 0 and self.pointer) for number, load in enumerate(plan.loads)]
        if self.pointer:
            step_size = self.constant(max(1, plan.loads[0].stride))
            kernel.write(f"{self.pointer[0]}_next = fsm.offset {self.pointer[0]}, {step_size.name} : {self.pointer[1]}, i32")
        if not plan.store and not plan.tiles and not plan.inner and kernel.dice.random() < 0.15 and not plan.loads[0].is_large:
            kernel.body(1, self.path)
        if self.inner:
            self.mix_inner(loaded)
        if plan.tiles:
            self.multiply(loaded)
        else:
            self.mix(loaded)
        if plan.store:
            self.store(loaded[0], row)
        if self.row:
            self.next(self.row, self.define((), "i32", f"arith.addi {self.row.name}, {self.constant(1).name} : i32").name)

    def moved(self, array, element, row, stride):
        """A pointer to what this iteration begins with; the offset is an i32 or an i64."""
        kernel, kind = self.kernel, "i32"
        if kernel.dice.random() < 0.3:
            kind = "i64"
            row = self.define((), kind, f"arith.{kernel.dice.choice(('extsi', 'extui'))} {row.name} : i32 to i64")
        way = self.define((), kind, f"arith.muli {row.name}, {self.constant(stride, kind).name}{kernel.nsw()} : {kind}")
        return self.define((), "ptr", f"fsm.offset {array}, {way.name} : !fsm.ptr<{element}>, {kind}").name

    def scalar(self, element, row):
        place = self.moved(f"%p_{element}", element, row, self.kernel.dice.choice((1, 3)))
        return self.define((), element, f"fsm.load {place} : !fsm.ptr<{element}> -> {element}", self.kernel.held(element))

    def load(self, load, row, pointer):
        """The block of this iteration: at its row, at a row that is loaded first, or at places that are."""
        kernel, element, place = self.kernel, load.element, load.place
        if load.way == "row":
            for _ in range(kernel.dice.choice((1, 1, 1, 2))):
                row = kernel.masked(self.scalar("i32", row), MOST_ROWS - 1)
        if load.way == "places":
            base = self.moved("%p_i32", "i32", row, load.stride)
            place = self.define(load.shape, "i32", f"fsm.load {base}[{place.name}] : !fsm.ptr<i32>, {place.type} -> {place.type}")
            place = kernel.masked(place, REGION // 2 - 1)
            base = load.array
        else:
            base = pointer[0] if pointer else self.moved(load.array, element, row, load.stride)
        extra, more = self.switched(load, row)
        return self.define(load.shape, element, f"fsm.load {base}[{place.name}]{extra} : !fsm.ptr<{element}>, {place.type}{more} "
                           f"-> {load.type}", kernel.held(element))

    def switched(self, load, row):
        """Text of a load's mask and of what stands where it is false."""
        if load.bound is None:
            return "", ""
        kernel, bound = self.kernel, load.bound
        if bound == "moves":
            bound = self.define((), "i32", f"arith.muli {row.name}, {self.constant(max(1, max(load.shape) // 4)).name} : i32").name
        ends = self.define(load.shape, "i32", f"fsm.splat {bound} : {load.along.type}")
        order, sides = kernel.dice.choice((("slt", (load.along, ends)), ("sgt", (ends, load.along))))
        mask = self.define(load.shape, "i1", f"arith.cmpi {order}, {sides[0].name}, {sides[1].name} : {load.along.type}")
        other = load.other
        if other == "moves":
            other = kernel.convert(row, load.element)
        if not other:
            return f", {mask.name}", ""
        return f", {mask.name}, {other.name}", f", other {other.type}" if other.shape else ""

    def bits(self, value, element=""):
        kernel = self.kernel
        if element == "i16":
            return self.define(value.shape, element, f"arith.extui {value.name} : {value.type} to {type_of(value.shape, element)}")
        return kernel.bits_of(finite(kernel, value) if kernel.specials and value.element in FLOATS else value)

    def mix(self, loaded):
        """Each total goes on in a way that depends on the order."""
        kernel = self.kernel
        for load, value, total in zip(self.plan.loads, loaded, self.totals):
            if load.sums and not kernel.specials:
                self.next(total, kernel.carriable(gathered(kernel, total, value)).name)
            else:
                self.next(total, self.tripled(total, self.shrunk(self.bits(value, total.element), total.shape)).name)
            if load in self.previous:
                previous = self.previous[load]
                self.next(previous, value.name)
                if not load.sums or kernel.specials:
                    self.next(total, self.tripled(Value(self.next_of(total), total.shape, total.element), self.bits(previous)).name)

    def next_of(self, value):
        return next(entry[2] for entry in self.carried if entry[0] is value)

    def shrunk(self, bits, shape):
        return bits if bits.shape == shape else self.amount(bits)

    def tripled(self, total, bits):
        three = self.constant(3, total.element, total.shape)
        product_of_three = self.define(total.shape, total.element, f"arith.muli {total.name}, {three.name} : {total.type}")
        return self.define(total.shape, total.element, f"arith.addi {product_of_three.name}, {bits.name} : {total.type}")

    def multiply(self, loaded):
        left, right = loaded
        total = self.totals[0]
        mode = f" precision = {self.kernel.dice.choice(('ieee', 'tf32', 'tf32x3'))}" if left.element == "f32" else ""
        self.next(total, self.define(total.shape, total.element, f"fsm.dot {left.name}, {right.name}, {total.name}{mode} : "
                                     f"{left.type}, {right.type} -> {total.type}", total.bound).name)

    def mix_inner(self, loaded):
        """What the loop inside leaves goes into the kernel's own values, of which one is part of what was loaded."""
        kernel = self.kernel
        before = len(kernel.values)
        self.inner.write()
        for value in kernel.values[before:]:
            if value.element in INTS and value.element != "i1" and len(value.shape) < 2:
                scalar = value if not value.shape else self.define((), value.element, f"fsm.reduce <sum> {value.name} axis 0 : "
                                                                   f"{value.type} -> {value.element}")
                kernel.values.append(scalar)

    def store(self, value, row):
        """As the plan says, by the places of the first load."""
        kernel, plan, load = self.kernel, self.plan, self.plan.loads[0]
        kind, places = plan.target, load.place
        if plan.store == "beside":
            value = kernel.convert(self.bits(value), kind)
        else:
            value = self.tripled(value, self.constant(5, kind, value.shape))
        if plan.store == "ahead":
            row = self.define((), "i32", f"arith.addi {row.name}, {self.constant(plan.distance).name} : i32")
        elif kernel.dice.random() < 0.5:
            # What another thread has loaded.
            last = self.constant(load.place.reach - 1, "i32", load.shape) if load.place.reach else None
            if last:
                places = self.define(load.shape, "i32", f"arith.subi {last.name}, {places.name} : {places.type}")
        base = self.moved(f"%p_{kind}", kind, row, load.stride)
        kernel.stored = True
        kernel.written.add(kind)
        kernel.write(f"fsm.store {value.name}, {base}[{places.name}] : {value.type}, !fsm.ptr<{kind}>, {places.type}")


def prefer(kernel, warps, targets):
    """Numbers of warps and GPUs for which loads run ahead in more ways than one."""
    if not kernel.rows:
        kernel.warps_tried = warps
        kernel.warps = kernel.dice.choice(warps)
        kernel.target = kernel.dice.choice(targets)


@step(("scf.for",), ELEMENTS, times=3)
def staged(kernel, op, element):
    if kernel.depth > DEEPEST:
        return
    prefer(kernel, FEW, ("sm_80", "sm_90", "sm_90a"))
    Loop(kernel, plan_of(kernel, element, kernel.depth > 1), kernel.here).write()


@step(("scf.for",), [element for element in ELEMENTS if element in DOT_TYPES])
def multiplied(kernel, op, element):
    if kernel.depth > DEEPEST:
        return
    prefer(kernel, FEW, ("sm_80", "sm_90", "sm_90a"))
    Loop(kernel, product(kernel, element if kernel.wholes and not kernel.specials else "i8"), kernel.here).write()


@step(("scf.for",), ("i32", "i64", "i16", "f32", "f16", "i8"))
def one_behind_another(kernel, op, element):
    """Loads of the second loop begin early, but not before what is stored in front of it."""
    if kernel.depth > DEEPEST:
        return
    prefer(kernel, FEW, ("sm_80", "sm_90", "sm_90a"))
    kernel.note("stages", "behind another over the same buffer")
    for number in range(2):
        loads = loads_of(kernel, element)
        Loop(kernel, Plan(kernel, loads), (*kernel.here, f"loop{number}")).write()
        kernel.store(kernel.some(loads[0].shape, element, exact=True))


@step(("scf.for",), BULK)
def large(kernel, op, element):
    """Rows that lie in one piece; beside them a small block."""
    if kernel.depth > 1 or kernel.trips > 1 or kernel.walked_elements:
        return
    prefer(kernel, MANY[1:] if element in ("f16", "bf16", "i16", "i8") else MANY, ("sm_90", "sm_90a"))
    loads = [large_load(kernel, element)]
    choice = kernel.dice.random()
    if choice < 0.2:
        loads.append(large_load(kernel, kernel.dice.choice(("i32", "i64"))))
    elif choice < 0.4:
        loads += loads_of(kernel, kernel.dice.choice(kernel.elements))[:1]
    plan = Plan(kernel, loads)
    plan.room = 5
    plan.stages = kernel.dice.choice((2, 2, 3, 3, 4))
    Loop(kernel, plan, kernel.here).write()
