"""At the end of every third kernel: products of tiles of tensors that end where a launch's numbers say, in front of a tile's end,
behind it or between two, as hardware copies them whose boxes end with the tensor. By a dice of its own, which changes nothing else of
a kernel."""

from .language import DOT_TYPES, PRECISIONS
from .shape_steps import dot_bound
from .values import Value, type_of
from .writer import ROWS, own_dice

# Of the numbers of kernels, beside those of ahead_steps and far_steps.
EVERY, REST = 3, 0
# Rows of tiles, of which groups of warps multiply 64; columns, and steps along the inner dimension.
ROWS_OF_TILE, COLUMNS, STEPS = (64, 64, 64, 64, 128, 32, 16), (16, 32, 32, 24, 64), (32, 32, 64, 16)
MOST_SUMS = 2048
# Elements from one line to the next: multiples of 16 bytes, which hardware copies, and one that is none.
APART = (32, 32, 48, 64, 64, 80, 40, 33)
# The inner dimension of products whose sums are multiplied again.
DEPTHS = (16, 32, 32, 64)
KINDS = ("masks", "descriptors", "products of products")


class Tensors:
    def __init__(self, kernel, dice):
        self.kernel, self.dice = kernel, dice
        # Of the largest numbers of a type any sum may be infinite.
        self.element = "i8" if kernel.edges else dice.choice(("f16", "f16", "bf16", "i8", "f32"))
        self.wide = DOT_TYPES[self.element]
        kernel.rows[self.element] = ROWS[self.element]
        rows, columns = dice.choice(ROWS_OF_TILE), dice.choice(COLUMNS)
        if dice.random() < 0.7:
            # Groups of four warps read what the hardware copies.
            kernel.target, kernel.warps_tried = "sm_90a", (4, 4, 8)
            rows = max(rows, 64)
        while rows * columns > MOST_SUMS:
            columns //= 2
        self.shape = rows, columns

    def extent(self, most):
        """Where a tensor ends: at a number of the launch, which is no more than this in any other, either; or at a constant."""
        kernel, dice = self.kernel, self.dice
        numbers = [i for i, number in enumerate(kernel.numbers) if number <= most]
        if numbers and dice.random() < 0.7:
            index = dice.choice(numbers)
            kernel.most_numbers[index] = min(kernel.most_numbers[index], most)
            return f"%n{index}"
        known = [f"%m{i}" for i, number in enumerate(kernel.known) if number <= most]
        if known and dice.random() < 0.7:
            return dice.choice(known)
        return kernel.constant((), "i32", dice.choice([n for n in (1, 8, 16, 31, 40, 63, 64, 65, 100) if n <= most])).name

    def origin(self, extent):
        """Where tiles begin along a dimension that loops do not go along."""
        dice, kernel = self.dice, self.kernel
        if dice.random() < 0.5:
            return kernel.constant((), "i32", dice.choice((0, 0, 0, 16, extent))).name
        away = kernel.constant((), "i32", extent)
        return kernel.define((), "i32", f"arith.muli %pid, {away.name} overflow<nsw> : i32", hide=True).name

    def tensor(self, shape, inner, end):
        """What loads a tile, where its tensor ends at `end` along the dimension `inner` and at another number along the other."""
        dice, kernel, element, apart = self.dice, self.kernel, self.element, self.apart
        lies = [apart, 1], [1, apart]
        # Groups of warps read halves either way round, and others along the inner dimension.
        strides = lies[inner == 0] if element in ("i8", "f32") and dice.random() < 0.8 else dice.choice(lies)
        ends = [end, end]
        # A line has at most as many elements as lie between two.
        ends[1 - inner] = self.extent(apart if strides[1 - inner] == 1 else ROWS[element] // apart - 1)
        origin = self.origin(shape[1 - inner])
        kind, name = dice.choice(KINDS[:2]), kernel.name()
        kernel.note("tensors", kind)
        lists = f"[{', '.join(ends)}]", f"[{', '.join(map(str, strides))}]"
        if kind == "descriptors":
            kernel.write(f"{name} = fsm.descriptor %w_{element} sizes {lists[0]} strides {lists[1]} : !fsm.ptr<{element}> -> "
                         f"!fsm.descriptor<2 x {element}>")

        def load(number):
            first = [origin, origin]
            first[inner] = number
            if kind == "descriptors":
                return kernel.define(shape, element, f"fsm.load_tile {name}[{', '.join(first)}] : !fsm.descriptor<2 x {element}> -> "
                                     f"{type_of(shape, element)}", kernel.held(element), hide=True)
            at, mask, places = kernel.name(), kernel.name(), type_of(shape, "i32")
            kernel.write(f"{at}, {mask} = fsm.places origin [{', '.join(first)}] strides {lists[1]} bounds {lists[0]} : {places}")
            return kernel.define(shape, element, f"fsm.load %w_{element}[{at}], {mask} : !fsm.ptr<{element}>, {places} -> "
                                 f"{type_of(shape, element)}", kernel.held(element), hide=True)

        return load

    def multiply(self, sums):
        """A loop of products, added to sums."""
        kernel, dice, element, wide = self.kernel, self.dice, self.element, self.wide
        step = dice.choice(STEPS)
        self.apart = dice.choice(APART)
        inner = self.extent(self.apart)
        (rows, columns), kind = self.shape, type_of(self.shape, wide)
        left, right = self.tensor((rows, step), 1, inner), self.tensor((step, columns), 0, inner)
        zero, by = (kernel.constant((), "i32", n).name for n in (0, step))
        result, i, body = (kernel.name() for _ in range(3))
        kernel.write(f"{result} = scf.for {i} = {zero} to {inner} step {by} iter_args({body} = {sums.name}) -> ({kind}) : i32 {{")
        kernel.depth += 1
        before = Value(body, self.shape, wide, sums.bound)
        x, y = left(i), right(i)
        precision = dice.choice(("ieee", "tf32", "tf32", "tf32")) if element == "f32" else "ieee"
        mode = f" precision = {precision}" if element == "f32" else ""
        bound = dot_bound(wide, x, y, before, self.apart, PRECISIONS[precision])
        more = kernel.define(self.shape, wide, f"fsm.dot {x.name}, {y.name}, {body}{mode} : {x.type}, {y.type} -> {kind}", bound, hide=True)
        kernel.write(f"scf.yield {more.name} : {kind}")
        kernel.depth -= 1
        kernel.write(f"}} {{fsm.num_stages = {dice.choice((2, 3, 4))} : i32}}")
        return Value(result, self.shape, wide, bound)

    def attend(self):
        """Sums of products of products, in a loop whose tiles several of these read, some of them transposed: as attention has them."""
        kernel, dice, element, wide = self.kernel, self.dice, self.element, self.wide
        (rows, columns), depth = self.shape, dice.choice(DEPTHS)
        self.apart = dice.choice([apart for apart in APART if apart >= depth])
        zero = kernel.constant((), "i32", 0).name
        count = dice.choice((1, 1, 2))
        lefts = [self.tensor((rows, depth), 1, self.extent(self.apart))(zero) for _ in range(count)]
        end = self.extent(self.apart)
        keys = self.tensor((depth, columns), 1, end)
        scores, sums = (kernel.constant(shape, wide, 0) for shape in (self.shape, (rows, depth)))
        by, kind, known = kernel.constant((), "i32", columns).name, sums.type, list(kernel.values)
        result, i, *bodies = (kernel.name() for _ in range(2 + count))
        pairs = ", ".join(f"{body} = {sums.name}" for body in bodies)
        kernel.write(f"{result}:{count} = scf.for {i} = {zero} to {end} step {by} iter_args({pairs}) -> ({', '.join([kind] * count)}) : i32 {{")
        kernel.depth += 1
        key = keys(i)
        across = kernel.define((columns, depth), element, f"fsm.transpose {key.name} order [1, 0] : {key.type} -> "
                               f"{type_of((columns, depth), element)}", key.bound, hide=True)
        more = []
        for left, body in zip(lefts, bodies):
            score = self.product(left, key, scores, depth)
            score = kernel.convert(kernel.clamp(score, 8 if kernel.wholes else 64), element)
            # As often as the loop goes round.
            before = Value(body, (rows, depth), wide, sums.bound)
            more.append(self.product(score, across, before, columns * (-(-self.apart // columns))))
        kernel.write(f"scf.yield {', '.join(value.name for value in more)} : {', '.join([kind] * count)}")
        kernel.depth, kernel.values = kernel.depth - 1, known
        kernel.write(f"}} {{fsm.num_stages = {dice.choice((2, 3, 4))} : i32}}")
        for number, value in enumerate(more):
            kernel.sink(Value(f"{result}#{number}", (rows, depth), wide, value.bound))
        kernel.note("tensors", "products of products")

    def product(self, left, right, before, count):
        bound = dot_bound(self.wide, left, right, before, count, 0)
        return self.kernel.define(before.shape, self.wide, f"fsm.dot {left.name}, {right.name}, {before.name} : {left.type}, {right.type} -> "
                                  f"{before.type}", bound, hide=True)

    def run(self):
        kernel, dice, wide = self.kernel, self.dice, self.wide
        if self.element in ("f16", "bf16") and dice.random() < 0.3:
            self.attend()
            return
        sums = self.multiply(kernel.constant(self.shape, wide, 0))
        if dice.random() < 0.3:
            # Of another tensor, whose tiles come where the first one's were.
            sums = self.multiply(sums)
        if dice.random() < 0.3:
            axis = dice.choice((0, 1))
            shape = (self.shape[1 - axis],)
            sums = kernel.define(shape, wide, f"fsm.reduce <max> {sums.name} axis {axis} : {sums.type} -> {type_of(shape, wide)}",
                                 sums.bound, hide=True)
        kernel.sink(sums)


def multiply_tensors(kernel):
    if kernel.seed % EVERY != REST or kernel.has_long_row:
        return
    with own_dice(kernel, "tensors") as dice:
        Tensors(kernel, dice).run()
