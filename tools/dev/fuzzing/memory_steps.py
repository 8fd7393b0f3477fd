"""Steps that access memory: loads, stores, atomics. A program has regions of its own; within one anything may overlap."""

from .language import ATOMIC_KINDS, ELEMENTS, FLOATS, INTS, SMALL_FLOATS
from .registry import step
from .required import formats
from .values import NONE, Bound, size_of, type_of
from .writer import REGION, small

LOAD_HINTS = (" cache = ca", " cache = cg", " cache = cs", " cache = cv", " evict = first", " evict = last", " evict = unkept", " volatile")
STORE_HINTS = (" cache = wb", " cache = cg", " cache = cs", " cache = wt", " evict = first", " evict = last", " evict = unkept", " volatile")


class Memory:
    """The part of a kernel that knows its buffers."""

    def need(self, element):
        """Adds a buffer of a type that the kernel has none of."""
        if element not in self.buffers:
            self.buffers.append(element)

    def pointer(self, element, reach):
        """The program's part of a buffer, moved by what is often 0 and else known to the launch or to the data only."""
        assert reach <= REGION, f"{reach} elements of a buffer of which a program has {REGION}"
        if self.dice.random() < 0.5:
            start = self.constant((), "i32", self.dice.choice((0, 0, 0, 16, 1)) if reach + 16 <= REGION else 0)
        else:
            room = 1 << max(0, (REGION - reach).bit_length() - 1)
            start = self.masked(self.some((), "i32"), room - 1)
        name = "c" if element == self.twin and self.dice.random() < 0.4 else "p"
        return self.define((), "ptr", f"fsm.offset %{name}_{element}, {start.name} : !fsm.ptr<{element}>, i32", hide=True)

    def distinct(self, shape):
        """Offsets no two of which are equal, and the number behind the largest."""
        known = [v for v in self.values if v.reach and v.shape == shape]
        if known and self.dice.random() < 0.75:
            value = self.dice.choice(known)
            return value, value.reach
        order = list(range(len(shape)))
        self.dice.shuffle(order)
        if self.dice.random() < 0.5:
            order = list(reversed(range(len(shape))))
        factor = self.dice.choice((1, 1, 1, 2)) if size_of(shape) <= REGION // 4 else 1
        strides, step_size = [0] * len(shape), factor
        for axis in order:
            strides[axis] = step_size
            step_size *= shape[axis]
        value = self.places(shape, strides=strides)
        value.reach = step_size
        return value, step_size

    def mask(self, shape):
        """No mask, one that ends at a number along a dimension, or any."""
        choice = self.dice.random()
        if choice < 0.5:
            return None
        if choice < 0.75:
            self.note("mask", "data")
            return self.some(shape, "i1")
        axis = self.dice.randrange(len(shape))
        extent = shape[axis]
        if self.dice.random() < 0.5:
            index = self.dice.randrange(3)
            name, end = f"%n{index}", self.numbers[index]
        else:
            end = self.dice.choice((0, 1, extent - 1, extent, extent + 1, self.dice.randrange(extent + 1)))
            name = self.constant((), "i32", end).name
        self.note("mask", "empty" if end <= 0 else "partial" if end < extent else "full")
        along = self.define((extent,), "i32", f"fsm.range 0, {extent} : tensor<{extent}xi32>")
        ends = self.define((extent,), "i32", f"fsm.splat {name} : tensor<{extent}xi32>")
        part = self.define((extent,), "i1", f"arith.cmpi slt, {along.name}, {ends.name} : {along.type}")
        return self.spread(part, shape, axis)

    def held(self, element):
        """What is known of a buffer's elements."""
        if element in INTS:
            return NONE
        if self.edges and element not in SMALL_FLOATS:
            return Bound(float(formats.largest(element)), 0, False)
        # Stores leave `small`, atomic additions as much on top.
        return Bound(2 * small(element), 0, self.wholes or element in SMALL_FLOATS)

    def load(self, shape, element):
        held = self.held(element)
        if not shape:
            base = self.pointer(element, 1)
            return self.define((), element, f"fsm.load {base.name} : !fsm.ptr<{element}> -> {element}", held)
        if self.dice.random() < 0.3:
            places, reach = self.masked(self.some(shape, "i32"), REGION // 2 - 1), REGION // 2
        else:
            places, reach = self.distinct(shape)
        mask = self.mask(shape)
        other, more = None, ""
        if mask and self.dice.random() < 0.5:
            other = self.clamp(self.some(shape if self.dice.random() < 0.3 else (), element, exact=True))
            if self.wholes and not other.bound.whole or element in SMALL_FLOATS and other.bound.size > 2 * small(element):
                other = self.constant((), element, self.number(element))
            more = f", other {other.type}" if other.shape else ""
        if mask is None:
            self.note("mask", "none")
        base = self.pointer(element, reach)
        extra = (f", {mask.name}" if mask else "") + (f", {other.name}" if other else "")
        hint = self.dice.choice(("",) * 8 + LOAD_HINTS)
        return self.define(shape, element, f"fsm.load {base.name}[{places.name}]{extra}{hint} : !fsm.ptr<{element}>, "
                           f"{places.type}{more} -> {type_of(shape, element)}", held)

    def storable(self, value):
        """The value, or one made of it, that a buffer may hold: exact, of its type, and not too large."""
        if value.element not in self.buffers:
            value = self.convert(value, self.dice.choice(self.buffers))
        if not value.exact or (self.wholes and not value.bound.whole):
            value = self.some(value.shape, value.element, exact=True)
        if value.element in SMALL_FLOATS and (value.bound.size > small(value.element) or not value.bound.whole):
            return self.fresh_small(value.shape, value.element)
        return self.clamp(value)

    def fresh_small(self, shape, element):
        return self.constant(shape, element, self.number(element))

    def store(self, value):
        value = self.storable(value)
        self.stored = True
        self.written.add(value.element)
        pointer = f"!fsm.ptr<{value.element}>"
        if not value.shape:
            base = self.pointer(value.element, 1)
            self.write(f"fsm.store {value.name}, {base.name} : {value.type}, {pointer}")
            return
        places, reach = self.distinct(value.shape)
        mask = self.mask(value.shape)
        base = self.pointer(value.element, reach)
        extra = f", {mask.name}" if mask else ""
        hint = self.dice.choice(("",) * 8 + STORE_HINTS)
        self.write(f"fsm.store {value.name}, {base.name}[{places.name}]{extra}{hint} : {value.type}, {pointer}, {places.type}")


@step(("fsm.store",), ELEMENTS)
def keep(kernel, op, element):
    kernel.need(element)
    kernel.store(kernel.some(kernel.shape(), element, exact=True))


@step(("fsm.barrier",), ("",), times=2)
def barrier(kernel, op, element):
    kernel.write(op)


def access(kernel, element):
    """Distinct places of the program's own region: shape, text of the place, of its mask, of the types behind it."""
    shape = kernel.shape(0.2)
    pointer = f"!fsm.ptr<{element}>"
    kernel.stored = True
    kernel.written.add(element)
    order = kernel.dice.choice(("", " sem = relaxed", " sem = acquire", " sem = release", " sem = acq_rel scope = gpu",
                                " sem = relaxed scope = cta", " scope = sys"))
    if not shape:
        return shape, kernel.pointer(element, 1).name, order, pointer
    places, reach = kernel.distinct(shape)
    mask = kernel.mask(shape)
    extra = f", {mask.name}" if mask else ""
    return shape, f"{kernel.pointer(element, reach).name}[{places.name}]{extra}", order, f"{pointer}, {places.type}"


@step([f"fsm.atomic_rmw <{kind}>" for kind in ATOMIC_KINDS], ("i32", "i64"))
@step([f"fsm.atomic_rmw <{kind}>" for kind in ("add", "max", "min", "exch")], ("f32", "f64"))
@step(("fsm.atomic_rmw <add>",), ("f16", "bf16"))
def atomic(kernel, op, element):
    """Distinct places, so that what was there before is one number, too."""
    kernel.need(element)
    shape, place, order, types = access(kernel, element)
    held = kernel.held(element)
    if kernel.edges and element == "f32" and op.endswith("<add>"):
        # A GPU may take denormals for 0 there.
        op = "fsm.atomic_rmw <max>"
    if element in FLOATS and op.endswith("<add>"):
        # All of them together may double what buffers hold.
        value = kernel.clamp(kernel.some(shape, element, exact=True), 4)
        kernel.added += 4 * kernel.trips
        if kernel.added > small(element):
            value = kernel.constant(shape, element, 0)
    else:
        value = kernel.clamp(kernel.some(shape, element, exact=True))
    kernel.define(shape, element, f"{op} {value.name}, {place}{order} : {value.type}, {types}", held)


@step(("fsm.atomic_rmw <add>",), ("i32", "i64", "f32", "f64"), times=2)
def count_together(kernel, op, element):
    """Any places of a buffer that all programs share and no one reads; only what it holds at the end is known."""
    kernel.shared.setdefault(element, kernel.dice.choice([k for k, of in ATOMIC_KINDS.items() if element in of and
                                                          k != "exch"]))
    kind = kernel.shared[element]
    shape = kernel.shape(0.2)
    value = kernel.some(shape, element, exact=True)
    if element in FLOATS:
        value = kernel.constant(shape, element, kernel.dice.choice((1, 2, -1)))
    kernel.stored = True
    if not shape:
        kernel.define((), element, f"fsm.atomic_rmw <{kind}> {value.name}, %s_{element} : {element}, !fsm.ptr<{element}>",
                      hide=True)
        return
    places = kernel.masked(kernel.some(shape, "i32"), kernel.dice.choice((0, 3, 63)))
    mask = kernel.mask(shape)
    extra = f", {mask.name}" if mask else ""
    kernel.define(shape, element, f"fsm.atomic_rmw <{kind}> {value.name}, %s_{element}[{places.name}]{extra} : "
                  f"{value.type}, !fsm.ptr<{element}>, {places.type}", hide=True)


@step(("fsm.atomic_cas",), ("i16", "i32", "i64", "f16", "bf16", "f32", "f64"))
def compare_and_swap(kernel, op, element):
    kernel.need(element)
    shape, place, order, types = access(kernel, element)
    compare = kernel.clamp(kernel.some(shape, element, exact=True))
    if element in FLOATS and kernel.specials:
        # A NaN has bits, but which ones nothing says.
        compare = kernel.binary("arith.minnumf", compare, kernel.constant(shape, element, small(element)), compare.bound)
    value = kernel.clamp(kernel.some(shape, element, exact=True))
    kernel.define(shape, element, f"{op} {compare.name}, {value.name}, {place}{order} : {value.type}, {types}",
                  kernel.held(element))
