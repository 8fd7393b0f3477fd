"""Steps that move elements: other shapes, other orders, products of matrices."""

from .language import DOT_TYPES, ELEMENTS, FLOATS, PRECISION, PRECISIONS, SMALL_FLOATS
from .registry import step
from .values import Bound, ulp, size_of, total_of, type_of
from .writer import REGION


# How many products are multiplied or reduced at once, and how many factors are another block's transpose.
CHAINED, REDUCED, TRANSPOSED = 0.25, 0.2, 0.2


def remember(kernel, shape):
    if shape not in kernel.shapes and len(kernel.shapes) < 6 and size_of(shape) > 1:
        kernel.shapes.append(shape)


@step(("fsm.reshape",), ELEMENTS)
def reshape(kernel, op, element):
    value = kernel.some_block((element,))
    size = size_of(value.shape)
    shapes = [s for s in kernel.shapes if size_of(s) == size]
    factors = [f for f in (2, 3, 4, 5, 7, 8, 16, 32) if size % f == 0]
    shapes += [(f, size // f) for f in factors] + [(size,), (1, size), (size, 1)]
    shapes += [(f, 2, size // f // 2) for f in factors if size // f % 2 == 0]
    shapes = [s for s in shapes if s != value.shape] or [(1, *value.shape[:4])]
    shape = kernel.dice.choice(shapes)
    kernel.define(shape, value.element, f"{op} {value.name} : {value.type} -> {type_of(shape, value.element)}", value.bound)
    remember(kernel, shape)


@step(("fsm.broadcast",), ELEMENTS)
def spread(kernel, op, element):
    """A vector, repeated along the other dimensions of a block."""
    shape = kernel.dice.choice([s for s in kernel.shapes if len(s) > 1 and max(s) < size_of(s)] or [(4, 16)])
    axis = kernel.dice.choice([i for i, extent in enumerate(shape) if extent < size_of(shape)])
    kernel.spread(kernel.some((shape[axis],), element), shape, axis)


@step(("fsm.splat",), ELEMENTS)
def splat(kernel, op, element):
    scalar = kernel.some((), element)
    shape = kernel.shape(0)
    kernel.define(shape, scalar.element, f"{op} {scalar.name} : {type_of(shape, scalar.element)}", scalar.bound)


@step(("fsm.transpose",), ELEMENTS)
def transpose(kernel, op, element):
    value = kernel.some_block((element,))
    if len(value.shape) < 2:
        value = kernel.some(kernel.dice.choice([s for s in kernel.shapes if len(s) > 1]), element)
    order = list(range(len(value.shape)))
    while order == sorted(order) and kernel.dice.random() < 0.95:
        kernel.dice.shuffle(order)
    shape = tuple(value.shape[i] for i in order)
    kernel.define(shape, value.element, f"fsm.transpose {value.name} order {order} : {value.type} -> "
                  f"{type_of(shape, value.element)}", value.bound)
    remember(kernel, shape)


@step(("fsm.join",), ELEMENTS)
def join(kernel, op, element):
    shape = kernel.dice.choice([s for s in kernel.shapes if len(s) < 5 and 2 * size_of(s) <= REGION])
    left, right = kernel.some(shape, element), kernel.some(shape, element)
    bound = Bound(max(left.bound.size, right.bound.size), max(left.bound.error, right.bound.error),
                  left.bound.whole and right.bound.whole)
    wide = (*shape, 2)
    kernel.define(wide, element, f"fsm.join {left.name}, {right.name} : {left.type} -> {type_of(wide, element)}", bound)
    remember(kernel, wide)


@step(("fsm.split",), ELEMENTS)
def split(kernel, op, element):
    pairs = [v for v in kernel.values if v.shape[1:] and v.shape[-1] == 2 and v.element == element]
    if pairs:
        value = kernel.dice.choice(pairs)
    else:
        shape = kernel.dice.choice([s for s in kernel.shapes if len(s) < 5 and 2 * size_of(s) <= REGION])
        value = kernel.some((*shape, 2), element)
    name, shape = kernel.name(), value.shape[:-1]
    kernel.write(f"{name}:2 = fsm.split {value.name} : {value.type} -> {type_of(shape, element)}")
    kernel.adopt([f"{name}#0", f"{name}#1"], shape, element, value.bound)


@step(("fsm.dot",), DOT_TYPES, times=2)
def dot(kernel, op, element):
    """A product of matrices of any extents; its operands are made to measure."""
    dice = kernel.dice
    m, k = (dice.choice((1, 2, 3, 4, 7, 8, 16, 17, 32)) for _ in range(2))
    n = dice.choice((1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 40, 48))
    batch = (dice.choice((1, 2, 3)),) if dice.random() < 0.25 else ()
    most = 8192
    if dice.random() < 0.15:
        # What groups of four warps multiply.
        m, n, k, batch, most = 64, dice.choice((16, 32)), dice.choice((16, 32)), (), 65536
    # Nothing says how large a thread's share may be, but the registers of a GPU do.
    while size_of(batch) * m * n * k > most or size_of(batch) * max(m * k, k * n, m * n) > REGION:
        m, n, k = (max(1, extent // 2) for extent in (m, n, k))
    wide = "f16" if element == "f16" and dice.random() < 0.3 else DOT_TYPES[element]
    product = multiply(kernel, factor(kernel, (*batch, m, k), element), n, element, wide)
    remember(kernel, product.shape)
    choice = dice.random()
    if choice < CHAINED:
        # As attention multiplies what it has multiplied.
        bound = 8 if element in SMALL_FLOATS else 64
        left = kernel.convert(kernel.clamp(product, bound), element)
        columns = min(dice.choice((1, 3, 8, 16, 32)), max(1, most // size_of(product.shape)))
        # Neither the second product nor its second factor, which has a row for each column of the first, is too large to load.
        room = REGION // (size_of(batch) * max(product.shape[-2:]))
        multiply(kernel, left, max(1, min(columns, room)), element, wide)
    elif choice < CHAINED + REDUCED:
        axis = dice.choice((len(batch), len(batch) + 1))
        shape = product.shape[:axis] + product.shape[axis + 1:]
        kernel.define(shape, wide, f"fsm.reduce <max> {product.name} axis {axis} : {product.type} -> {type_of(shape, wide)}",
                      product.bound)


def factor(kernel, shape, element):
    if kernel.dice.random() >= TRANSPOSED:
        return kernel.some(shape, element)
    *batch, rows, columns = shape
    value = kernel.some((*batch, columns, rows), element)
    order = [*range(len(batch)), len(batch) + 1, len(batch)]
    return kernel.define(shape, element, f"fsm.transpose {value.name} order {order} : {value.type} -> {type_of(shape, element)}",
                         value.bound)


def multiply(kernel, left, columns, element, wide):
    """The product of a block by one of so many columns, added to a block of `wide`."""
    dice, (*batch, rows, inner) = kernel.dice, left.shape
    bound = 8 if element in SMALL_FLOATS else 64
    left = kernel.clamp(left, bound)
    # The two types of f8 may meet.
    other = dice.choice(("f8E4M3FN", "f8E5M2")) if element.startswith("f8") else element
    right = kernel.clamp(factor(kernel, (*batch, inner, columns), other), bound)
    accumulator = without_minus_zero(kernel, kernel.clamp(kernel.some((*batch, rows, columns), wide)))
    precision = dice.choice(("ieee", "ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")) if element == "f32" else "ieee"
    mode = f" precision = {precision}" if element == "f32" else ""
    bound = dot_bound(wide, left, right, accumulator, inner, PRECISIONS[precision])
    if element.startswith("f8") and dice.random() < 0.5:
        mode = f" accumulate = {dice.choice((16, 32, 1024))}"
        # Tensor cores cut 33 terms, the old sum among them, behind 13 bits of the largest, for each 32 products.
        bound = Bound(bound.size, bound.error + -(-inner // 32) * 33 * 2.0 ** -13 * bound.size, False)
    return kernel.define(accumulator.shape, wide, f"fsm.dot {left.name}, {right.name}, {accumulator.name}{mode} : "
                         f"{left.type}, {right.type} -> {accumulator.type}", bound)


def without_minus_zero(kernel, value):
    """The value, with 0 for -0: a sum of nothing but -0 is 0 or -0, and one that begins with 0 has one sign."""
    if value.element not in FLOATS:
        return value
    zero = kernel.constant(value.shape, value.element, 0)
    return kernel.define(value.shape, value.element, f"arith.addf {value.name}, {zero.name} : {value.type}", value.bound, hide=True)


def dot_bound(wide, left, right, accumulator, count, loss):
    """A sum of `count` products, each rounded once more unless it is exact or fused, and of the accumulator."""
    a, b, c = left.bound, right.bound, accumulator.bound
    if wide == "i32":
        return c
    error = a.size * b.error + b.size * a.error + a.error * b.error + loss * a.size * b.size
    each = Bound(a.size * b.size, error, a.whole and b.whole)
    if each.whole and each.error == 0 and c.whole and c.error == 0 and each.size * count + c.size <= 2 ** PRECISION[wide]:
        return Bound(each.size * count + c.size, 0, True)
    each = Bound(each.size, each.error + ulp(wide, each.size), False)
    total = total_of(wide, Bound(max(each.size, c.size), each.error, False), count + 1, wide)
    return Bound(each.size * count + c.size, total.error + c.error, False)


# Of 1024 elements a thread of 8 warps accesses four at a time.
RUN_WARPS, RUNS = 8, 1024


@step(("fsm.transpose",), ELEMENTS)
def swap_within(kernel, op, element):
    """Swaps pairs within runs of four, and chooses between that and what was there: a thread has all four of a run."""
    if kernel.dice.random() < 0.6:
        kernel.warps = RUN_WARPS
    shape = (RUNS,)
    inner = (shape[0] // 4, 2, 2)
    kernel.need(element)
    kernel.aligned.add(element)
    kernel.stored = True
    kernel.written.add(element)
    kind, runs = type_of(shape, element), type_of(inner, element)

    def define(of, text):
        return kernel.define(of, element, text, hide=True).name

    places = kernel.define(shape, "i32", f"fsm.range 0, {shape[0]} : {type_of(shape, 'i32')}", hide=True)
    access = f"%p_{element}[{places.name}]"
    value = define(shape, f"fsm.load {access} : !fsm.ptr<{element}>, {places.type} -> {kind}")
    moved = define(inner, f"fsm.reshape {value} : {kind} -> {runs}")
    moved = define(inner, f"{op} {moved} order [0, 2, 1] : {runs} -> {runs}")
    moved = define(shape, f"fsm.reshape {moved} : {runs} -> {kind}")
    condition = kernel.define((), "i1", "arith.cmpi slt, %n0, %n1 : i32", hide=True).name
    chosen = define(shape, f"arith.select {condition}, {value}, {moved} : {kind}")
    kernel.write(f"fsm.store {chosen}, {access} : {kind}, !fsm.ptr<{element}>, {places.type}")
