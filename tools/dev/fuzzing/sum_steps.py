"""At the end of every third kernel: floats added to neighbours in memory, of a program's own or of all programs, up to where masks
end, in any order and scope. By a dice of its own, which changes nothing else of a kernel."""

from .ahead_steps import Ahead
from .values import Value, size_of, type_of
from .writer import REGION, SMALL, own_dice

# Of the numbers of kernels, beside those of far_steps.
EVERY, REST = 3, 1
SHAPES = ((16,), (24,), (32,), (64,), (100,), (128,), (256,), (257,), (512,), (512,), (4, 32), (8, 16), (3, 24), (16, 64), (16, 32), (8, 64),
          (4, 128), (32, 16), (5, 20), (7, 6), (2, 3, 16), (2, 8, 32))
# Elements between the end of a row and the beginning of the next one.
GAPS = (0, 0, 0, 2, 4, 8, 8, 16, 16, 1)
BEGINS = (0, 0, 0, 0, 0, 2, 4, 8, 16, 1)
# Orders of elements and of vectors, and of blocks between fences.
ORDERS = ("", "", " sem = relaxed", " sem = relaxed", " sem = acquire", " sem = release", " sem = acq_rel scope = gpu",
          " sem = relaxed scope = cta", " scope = sys", " sem = relaxed scope = sys")
# What all programs, trips and additions may bring to one element of those that they share: bf16 holds whole numbers up to 256.
MOST_SHARED = 256
KINDS = ("own", "shared")


class Sums(Ahead):
    def element(self):
        kernel = self.kernel
        # A GPU may take denormals of f32 for 0 where it adds to memory.
        return self.dice.choice(("f16", "f16", "bf16", "bf16") + (() if kernel.edges else ("f32", "f32")))

    def row_ends(self, shape):
        """A mask that ends within rows, or leaves rows out; or any."""
        kernel, dice = self.kernel, self.dice
        choice = dice.random()
        if choice < 0.3:
            return ""
        if choice < 0.4:
            return f", {kernel.some(shape, 'i1').name}"
        axis = dice.choice((len(shape) - 1, len(shape) - 1, 0))
        extent = shape[axis]
        along = kernel.coordinates(extent)
        end = kernel.constant((), "i32", dice.choice((extent - 1, extent // 2, extent // 2 + 1, extent - 3, 1, extent, 8)))
        name = dice.choice(("%n0", "%n1", "%n2", "%m0", "%m1", end.name))
        ends = self.define((extent,), "i32", f"fsm.splat {name} : {along.type}")
        mask = self.define((extent,), "i1", f"arith.cmpi {dice.choice(('slt', 'slt', 'slt', 'sge', 'ne'))}, {along.name}, {ends.name} : {along.type}")
        return f", {kernel.spread(mask, shape, axis).name}"

    def strides(self, shape):
        """Of rows one after the other with a gap between them; now and then of columns."""
        dice, strides, step = self.dice, [0] * len(shape), 1
        axes = list(range(len(shape)))
        if len(shape) > 1 and dice.random() < 0.15:
            axes.reverse()
        for number, axis in enumerate(reversed(axes)):
            strides[axis] = step
            step = step * shape[axis] + (dice.choice(GAPS) if number == 0 and len(shape) > 1 else 0)
        return strides, step

    def add(self, base, element, shape, strides, value, order):
        kernel = self.kernel
        places = kernel.places(shape, strides=strides)
        return kernel.define(shape, element, f"fsm.atomic_rmw <add> {value.name}, {base}[{places.name}]{self.row_ends(shape)}{order} : "
                             f"{value.type}, !fsm.ptr<{element}>, {places.type}", kernel.held(element), hide=True)

    def moved(self, base, element, number):
        """The pointer, moved by a number that nobody or everybody knows."""
        first = self.kernel.constant((), "i32", number)
        if self.dice.random() < 0.4:
            first = self.made("arith.addi", self.made("arith.andi", self.kernel.some((), "i32"), 0), number)
        return self.define((), "ptr", f"fsm.offset {base}, {first.name} : !fsm.ptr<{element}>, i32").name

    def looped(self, trips, write):
        """Some of it in a loop, whose number moves a pointer."""
        kernel = self.kernel
        if trips == 1:
            write(kernel.constant((), "i32", 0))
            return
        zero, one, end = (kernel.constant((), "i32", n).name for n in (0, 1, trips))
        number = Value(kernel.name(), (), "i32")
        kernel.write(f"scf.for {number.name} = {zero} to {end} step {one} : i32 {{")
        kernel.depth, known = kernel.depth + 1, list(kernel.values)
        write(number)
        kernel.depth, kernel.values = kernel.depth - 1, known
        kernel.write("}" + self.dice.choice(("", " {fsm.num_stages = 3 : i32}")))

    def own(self):
        """To what this program has stored, or to what it will read."""
        kernel, dice = self.kernel, self.dice
        element, shape = self.element(), dice.choice(SHAPES)
        kernel.need(element)
        strides, size = self.strides(shape)
        # Floats are added in any order: of numbers that are not whole only one to each element.
        begin, step, trips = dice.choice(BEGINS), dice.choice((1, 2, 8, size)), dice.choice((1, 1, 2, 3) if kernel.wholes else (1,))
        times = dice.choice((1, 1, 2) if kernel.wholes else (1,))
        if size * trips > 1024:
            step = 8
        total = begin + step * (trips - 1) + size
        to = kernel.place_for(element, total) if total <= REGION else None
        if not to:
            return
        first = self.block(f"%p_{element}", element, (total,))
        places = kernel.places((total,))
        kernel.write(f"fsm.store {first.name}, {to}[{places.name}] : {first.type}, !fsm.ptr<{element}>, {places.type}")
        base = self.moved(to, element, begin)
        # Of what is found in a loop nothing is kept.
        used = trips == 1 and dice.random() < 0.3

        def write(number):
            away = self.made("arith.muli", number, step)
            at = self.define((), "ptr", f"fsm.offset {base}, {away.name} : !fsm.ptr<{element}>, i32").name
            for _ in range(times):
                value = self.block(f"%p_{element}", element, shape)
                found = self.add(at, element, shape, strides, kernel.clamp(value, 4) if kernel.wholes else value, dice.choice(ORDERS))
                if used:
                    kernel.sink(found)

        self.looped(trips, write)
        if dice.random() < 0.5:
            kernel.sink(self.block(to, element, (total,)))
        kernel.note("sums", "own")

    def shared(self):
        """To a buffer of all programs, whole numbers whose sums are exact."""
        kernel, dice = self.kernel, self.dice
        element = dice.choice([e for e in ("f16", "bf16", "f32") if kernel.shared.get(e, "add") == "add"])
        shape = dice.choice([s for s in SHAPES if size_of(s) <= 32])
        strides, size = self.strides(shape)
        begin = dice.choice([b for b in BEGINS if b + size <= SMALL] or [0])
        if begin + size > SMALL:
            return
        kernel.shared[element], kernel.stored = "add", True
        trips = dice.choice((1, 2, 3))
        number = dice.choice((1, 2, -1))
        assert kernel.programs * trips * 2 * abs(number) <= MOST_SHARED

        def write(_):
            if dice.random() < 0.5:
                value = kernel.constant(shape, element, number)
            else:
                # Not all alike.
                value = self.define(shape, element, f"arith.uitofp {kernel.masked(kernel.places(shape), 1).name} : "
                                    f"{type_of(shape, 'i32')} to {type_of(shape, element)}")
            for _ in range(dice.choice((1, 2))):
                order = dice.choice([order for order in ORDERS if "cta" not in order])
                self.add(self.moved(f"%s_{element}", element, begin), element, shape, strides, value, order)

        self.looped(trips, write)
        kernel.note("sums", "shared")


def add_to_neighbours(kernel):
    if kernel.seed % EVERY != REST or kernel.has_long_row:
        return
    with own_dice(kernel, "sums") as dice:
        sums = Sums(kernel, dice)
        if dice.random() < 0.6:
            # Each thread has several of them.
            kernel.warps_tried = (1, 1, 2)
        sums.own()
        if dice.random() < 0.6:
            sums.shared()
