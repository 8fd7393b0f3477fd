"""What loops in stages load, hand on and store: decided in front of the loop, with what stands in front of it."""

from .language import ELEMENTS, FLOATS, INTS, SMALL_FLOATS, WIDTH
from .values import Value, size_of, type_of
from .writer import REGION, ROWS, small

# Blocks that threads of few warps copy by words of their own, and some that they do not.
BLOCKS = ((64,), (64,), (128,), (256,), (512,), (100,), (33,), (8, 32), (4, 64), (16, 16))
WIDE = ((128,), (256,), (512,), (4, 64), (16, 16))
STORED = ((64,), (64,), (4, 32), (33,), (8, 16))
STAGES = (2, 2, 3, 3, 4, 6, 1)
# How often a body may run, and in all with the loops around it.
MOST_ROWS, MOST_TRIPS = 8, 24
# Bytes of the least block that is copied as a whole.
BULK_BYTES = 32 * 1024
BULK = ("f32", "f32", "i32", "f64", "i64", "f16", "bf16", "i16", "i8")
TILES = ((16, 16, 32), (16, 8, 16), (32, 16, 16), (16, 32, 8))
# What the histogram asks for.
KINDS = (*(f"{sign}{kind}" for sign in ("", "unsigned ") for kind in ("i8", "i16", "i32", "i64")), "at an end of the type",
         "0 trips", "1 trips", "2 trips", "3 trips", "as many trips as stages", "more trips than stages", "trips by data",
         "two widths", "indirect beside direct", "masked with another number", "used in the next iteration", "carried address",
         "stored beside", "stored in place", "stored ahead", "behind another over the same buffer", "staged within plain",
         "plain within staged", "staged within staged", "product", "product of rows that end", "large and whole", "large with a partial tail",
         "large with an empty tail")


class Load:
    """A load of the body: how its address comes about, where its elements are, and what switches some of them off."""

    def __init__(self, kernel, element, shape, way, is_large=False):
        self.element, self.shape, self.way, self.is_large = element, shape, way, is_large
        self.array = f"%w_{element}" if is_large else f"%p_{element}"
        self.place = kernel.define(shape, "i32", f"fsm.range 0, {shape[0]} : {type_of(shape, 'i32')}", hide=True) if is_large \
            else kernel.packed(shape) if kernel.dice.random() < 0.8 else by_columns(kernel, shape)
        self.stride, self.bound, self.along, self.other = 0, None, None, None
        self.has_previous = not is_large and kernel.dice.random() < 0.15
        # Of floats that are exact anyway the bits, or sums and maxima.
        self.sums = element in FLOATS and not is_large and kernel.dice.random() < 0.4

    @property
    def type(self):
        return type_of(self.shape, self.element)


def by_columns(kernel, shape):
    """Places of a block whose columns lie one behind the other."""
    strides, size = [], 1
    for extent in shape:
        strides.append(size)
        size *= extent
    place = kernel.places(shape, strides)
    place.reach = size
    return place


class Plan:
    """A loop: its loads, its stages (0: none asked for), what it stores, a loop inside."""

    def __init__(self, kernel, loads, store="", inner=None, is_hinted=True):
        dice = kernel.dice
        self.loads, self.store, self.inner = loads, store, inner
        # A load that waits for another needs a stage between the two.
        waits = any(load.way != "direct" for load in loads)
        self.stages = dice.choice((3, 3, 4, 6) if waits else STAGES) if is_hinted else 0
        self.distance = max(2, self.stages) + dice.randrange(2)
        self.tiles, self.target = None, None
        self.rows = dice.choice(("counter", "counter", "carried"))
        self.follows = dice.random() < 0.06 and not any(load.is_large for load in loads)
        # Rows that come from data may be the same twice running: over what it loads such a loop stores for the next iteration
        # to read, and promises nothing.
        if self.follows and store in ("in place", "ahead"):
            self.stages = 0
        rooms = [self.settle(kernel, load) for load in loads if not load.is_large]
        self.room = min([MOST_ROWS, *rooms])

    def settle(self, kernel, load):
        """How far apart what two iterations load is; how many rows there are."""
        reach = size_of(load.shape)
        if self.store in ("in place", "ahead"):
            load.stride = (reach + 15) // 16 * 16
            return REGION // load.stride - 1 - self.distance
        load.stride = kernel.dice.choice([s for s in (1, 16, 64, 128) if (MOST_ROWS + 1) * s + reach <= REGION] or [0])
        return MOST_ROWS


def masked(kernel, load, other_of):
    """A mask for half of the loads: it ends at a number that does not move, or the loop moves it."""
    dice = kernel.dice
    if dice.random() < 0.5:
        return
    axis = dice.randrange(len(load.shape))
    extent = load.shape[axis]
    along = kernel.define((extent,), "i32", f"fsm.range 0, {extent} : tensor<{extent}xi32>", hide=True)
    load.along = kernel.spread(along, load.shape, axis)
    load.bound = "moves" if dice.random() < 0.4 else kernel.constant((), "i32", dice.choice((extent // 2, extent - 1, 3))).name
    load.other = other_of(kernel, load)


def zero_of(kernel, load):
    """What products take where nothing is: nothing said, which is zero, or zero said."""
    kernel.note("stages", "product of rows that end")
    return None if kernel.dice.random() < 0.5 else kernel.constant((), load.element, 0)


def other_of(kernel, load):
    """What stands where the mask is false: nothing said, a number other than zero, one of the kernel's, or one that moves."""
    choice, element = kernel.dice.random(), load.element
    if choice < 0.2:
        return None
    kernel.note("stages", "masked with another number")
    if choice < 0.5:
        return kernel.constant((), element, 1 if element == "i1" else kernel.dice.choice((3, 5)))
    if choice < 0.65:
        return kernel.constant(load.shape, element, 1 if element == "i1" else 7)
    if choice < 0.85 or element in SMALL_FLOATS:
        return kernel.carriable(kernel.some(load.shape if choice < 0.75 and not load.is_large else (), element, exact=True))
    return "moves"


def pair_of_widths(kernel, element):
    """The element type and one of another width."""
    others = [e for e in ELEMENTS if WIDTH[e] != WIDTH[element]]
    known = [e for e in others if e in kernel.buffers]
    other = kernel.dice.choice(known or others)
    kernel.need(other)
    kernel.note("stages", "two widths")
    return other


def loads_of(kernel, element, shapes=BLOCKS, ways=("direct", "direct", "direct", "row", "places")):
    """One to three loads, the first of this type."""
    dice = kernel.dice
    kernel.need(element)
    elements = [element]
    if dice.random() < 0.4:
        elements.append(pair_of_widths(kernel, element))
    if dice.random() < 0.2:
        elements.append(dice.choice(kernel.buffers))
    ways = [dice.choice(ways) for _ in elements]
    if set(ways) - {"direct"}:
        kernel.need("i32")
        if "direct" not in ways:
            elements.append(dice.choice([e for e in kernel.buffers if WIDTH[e] >= 32]))
            ways.append("direct")
        shapes = WIDE if dice.random() < 0.7 else shapes
        kernel.note("stages", "indirect beside direct")
    loads = [Load(kernel, e, dice.choice(shapes), way) for e, way in zip(elements, ways)]
    for load in loads:
        masked(kernel, load, other_of)
    return loads


def large_load(kernel, element):
    """A block that one thread may copy as a whole: whole, or up to a bound that is known to be a multiple."""
    dice = kernel.dice
    extent = BULK_BYTES * 8 // WIDTH[element]
    kernel.rows[element] = ROWS[element]
    load = Load(kernel, element, (extent,), "direct", is_large=True)
    load.stride = dice.choice((16, 64, (kernel.rows[element] - extent) // (MOST_ROWS + 1) // 16 * 16))
    choice = dice.random()
    if choice < 0.25:
        kernel.note("stages", "large and whole")
        return load
    load.along = load.place
    kind = dice.choice(("a partial", "a partial", "an empty", "an empty", "no"))
    kernel.note("stages", "large and whole" if kind == "no" else f"large with {kind} tail")
    begin = {"a partial": dice.choice((0, extent // 2, extent - 512)), "an empty": -512, "no": extent}[kind]
    # Up to 496 more: a multiple that is not known before the launch.
    count = kernel.masked(Value(dice.choice(("%n0", "%n1", "%n2")), (), "i32"), 31)
    more = kernel.define((), "i32", f"arith.muli {count.name}, {kernel.constant((), 'i32', 16).name} : i32", hide=True)
    load.bound = kernel.define((), "i32", f"arith.addi {more.name}, {kernel.constant((), 'i32', begin).name} : i32", hide=True).name
    load.other = other_of(kernel, load)
    return load


def plan_of(kernel, element, is_inner=False):
    """A loop as steps deal it: with stores, with another loop inside, or with loads alone."""
    dice = kernel.dice
    choice = dice.random()
    if choice < 0.35 and not is_inner:
        kinds = ("staged within plain", "plain within staged", "staged within staged")
        kind = dice.choice(kinds)
        inner = Plan(kernel, loads_of(kernel, dice.choice(kernel.elements)), is_hinted=kind != kinds[1])
        kernel.note("stages", kind)
        return Plan(kernel, loads_of(kernel, element), inner=inner, is_hinted=kind != kinds[0])
    if choice < 0.7 and not is_inner:
        return storing(kernel, element)
    return Plan(kernel, loads_of(kernel, element))


def storing(kernel, element):
    """A loop that stores as it promises: elsewhere, over what it has just loaded, or further ahead than its loads run."""
    kind = kernel.dice.choice(("beside", "in place", "ahead"))
    if kind != "beside" and element not in INTS:
        element = kernel.dice.choice(("i8", "i16", "i32", "i64"))
    loads = [load for load in loads_of(kernel, element, STORED, ("direct",) if kind != "beside" else ("direct", "row"))]
    if kind == "beside":
        # One type is left for what is stored.
        while {"i64", "i16", "i8"} <= {load.element for load in loads}:
            loads.pop()
        others = [e for e in ("i64", "i16", "i8") if e not in {load.element for load in loads}]
        plan = Plan(kernel, loads, kind)
        plan.target = kernel.dice.choice(others)
    else:
        # No other load of the loop comes near.
        plan = Plan(kernel, loads[:1] + [load for load in loads[1:] if load.element != element], kind)
        plan.target = element
    kernel.need(plan.target)
    kernel.note("stages", f"stored {kind}")
    return plan


def product(kernel, element):
    """Tiles of two matrices, whose products are summed."""
    dice = kernel.dice
    rows, columns, depth = dice.choice(TILES)
    kernel.need(element)
    loads = [Load(kernel, element, shape, "direct") for shape in ((rows, depth), (depth, columns))]
    for load in loads:
        load.sums = load.has_previous = False
        masked(kernel, load, zero_of)
    kernel.note("stages", "product")
    plan = Plan(kernel, loads)
    plan.tiles = (rows, columns)
    return plan


def magnitude(element):
    return 2 * small(element)
