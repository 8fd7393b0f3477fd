"""Steps that combine elements along a dimension: reductions and scans, of a kind and by a region."""

import math

from .language import ELEMENTS, FLOAT_KINDS, FLOATS, INT_KINDS, INTS, PRECISION, SMALL_FLOATS, WIDE_INTS
from .registry import step
from .values import NONE, is_summed_exactly, power_of, total_of, type_of


# Of f16, what a sum of as many elements stays below, in any order and if each addition rounds.
MOST_OF_HALVES, MOST_IN_HALVES = 30000, 8192


def folded(kernel, kind, value, extent):
    """The value such that its combination stays finite, and what is then known of that."""
    if value.element in INTS:
        return value, NONE
    if kind in ("max", "min"):
        return value, value.bound
    if kind == "sum":
        value = kernel.clamp(value)
        if kernel.wholes and not is_summed_exactly("f32", value.bound, extent) or \
                value.element == "f16" and value.bound.size * extent > MOST_OF_HALVES:
            value = kernel.clamp(value, max(1, 2 ** PRECISION[value.element] // extent))
        if value.element == "f16" and value.bound.size * extent > MOST_OF_HALVES:
            value = kernel.clamp(value, small_for(extent))
        return value, total_of(value.element, value.bound, extent)
    value = kernel.clamp(value, 2 if extent <= 7 and value.bound.whole and value.exact else 1)
    return value, power_of(value.element, value.bound, extent)


def small_for(extent):
    """A power of two that so many elements of f16 may have: of sums beyond 65504 it would hang on their order which are infinite."""
    return 2.0 ** -math.ceil(math.log2(extent / MOST_IN_HALVES))


def source(kernel, op, element):
    """A block, a dimension of it, the kind that the op names, and whether it propagates NaN."""
    value = kernel.some_block((element,))
    axis = kernel.dice.randrange(len(value.shape))
    kind = op.split("<")[1][:-1]
    propagates = element in FLOATS and kind in ("max", "min") and kernel.dice.random() < 0.3
    return value, axis, kind, " propagate_nan" if propagates else ""


def kinds_of(op, kinds):
    return [f"{op} <{kind}>" for kind in kinds]


@step(kinds_of("fsm.reduce", INT_KINDS), INTS)
@step(kinds_of("fsm.reduce", FLOAT_KINDS), FLOATS)
def reduce(kernel, op, element):
    value, axis, kind, flag = source(kernel, op, element)
    value, bound = folded(kernel, kind, value, value.shape[axis])
    shape = value.shape[:axis] + value.shape[axis + 1:]
    result = kernel.define(shape, value.element, f"{op} {value.name} axis {axis}{flag} : {value.type} -> "
                           f"{type_of(shape, value.element)}", bound)
    if shape and kernel.dice.random() < 0.4:
        back(kernel, result, value.shape, axis)


def back(kernel, result, shape, axis):
    """What was reduced, repeated along the dimension that it was reduced along."""
    wide = shape[:axis] + (1,) + shape[axis + 1:]
    expanded = kernel.define(wide, result.element, f"fsm.expand_dims {result.name} axis {axis} : {result.type} -> "
                             f"{type_of(wide, result.element)}", result.bound)
    if wide != shape:
        kernel.define(shape, result.element, f"fsm.broadcast {expanded.name} : {expanded.type} -> "
                      f"{type_of(shape, result.element)}", result.bound)


@step(kinds_of("fsm.scan", INT_KINDS), INTS)
@step(kinds_of("fsm.scan", FLOAT_KINDS), FLOATS)
def scan(kernel, op, element):
    value, axis, kind, flag = source(kernel, op, element)
    value, bound = folded(kernel, kind, value, value.shape[axis])
    reverse = kernel.dice.choice(("", " reverse"))
    kernel.define(value.shape, value.element, f"{op} {value.name} axis {axis}{reverse}{flag} : {value.type}", bound)


class Region:
    """Writes the region of a reduction: two tuples in, one out."""

    def __init__(self, kernel, elements):
        self.kernel, self.elements = kernel, elements
        kernel.count += 1
        self.number, self.lines = kernel.count, []
        self.left = [f"%a{self.number}_{i}" for i in range(len(elements))]
        self.right = [f"%b{self.number}_{i}" for i in range(len(elements))]

    def op(self, text):
        self.lines.append(text)
        name = f"%r{self.number}_{len(self.lines)}"
        self.lines[-1] = f"{name} = {text}"
        return name

    def apply(self, op, a, b, element):
        return self.op(f"{op} {a}, {b} : {element}")

    def write(self, results):
        """The region's text; `results` are names."""
        kernel = self.kernel
        arguments = [f"{name}: {e}" for name, e in zip(self.left + self.right, self.elements * 2)]
        kernel.write(f"^bb0({', '.join(arguments)}):")
        for line in self.lines:
            kernel.write("  " + line)
        kernel.write(f"  fsm.yield {', '.join(results)} : {', '.join(self.elements)}")
        kernel.write("}")


def every(region):
    """Each operand by an op of its own."""
    dice, results = region.kernel.dice, []
    for a, b, element in zip(region.left, region.right, region.elements):
        if element in SMALL_FLOATS:
            raise ValueError("nothing combines two of f8")
        ints = ("arith.addi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.maxsi", "arith.minui")
        op = dice.choice(ints) if element in INTS else dice.choice(("arith.maximumf", "arith.minnumf", "arith.addf"))
        results.append(region.apply(op, a, b, element))
    return results


def extremum(region):
    """The greatest of the first operand, and the others at the place of the first such; ties go to the lesser number. A NaN
    is greater than any number and equal to any NaN: were it neither, the answer would depend on the order."""
    (a, *rest), (b, *others) = region.left, region.right
    element = region.elements[0]
    if element in INTS:
        more, same = (region.op(f"arith.cmpi {order}, {a}, {b} : {element}") for order in ("sgt", "eq"))
    else:
        more, same = (region.op(f"arith.cmpf {order}, {a}, {b} : {element}") for order in ("ogt", "oeq"))
        first, second = (region.op(f"arith.cmpf uno, {x}, {x} : {element}") for x in (a, b))
        number = region.apply("arith.xori", second, region.op("arith.constant true"), "i1")
        more = region.apply("arith.ori", more, region.apply("arith.andi", first, number, "i1"), "i1")
        same = region.apply("arith.ori", same, region.apply("arith.andi", first, second, "i1"), "i1")
    for i, j, kind in zip(rest, others, region.elements[1:]):
        before = region.op(f"arith.cmpi slt, {i}, {j} : {kind}")
        more = region.apply("arith.ori", more, region.apply("arith.andi", same, before, "i1"), "i1")
        break
    return [region.op(f"arith.select {more}, {x}, {y} : {e}") for x, y, e in zip(region.left, region.right, region.elements)]


def complex_product(region):
    """(a, b) (c, d) = (ac - bd, ad + bc), in wrapping integers."""
    (a, b), (c, d), e = region.left, region.right, region.elements[0]
    ac, bd, ad, bc = (region.apply("arith.muli", x, y, e) for x, y in ((a, c), (b, d), (a, d), (b, c)))
    return [region.apply("arith.subi", ac, bd, e), region.apply("arith.addi", ad, bc, e)]


def affine(region):
    """First x a + b, then x c + d: associative, and not commutative."""
    (a, b), (c, d), e = region.left, region.right, region.elements[0]
    moved = region.apply("arith.muli", b, c, e)
    return [region.apply("arith.muli", a, c, e), region.apply("arith.addi", moved, d, e)]


def last(region):
    """The second tuple: associative, and shows which order elements are taken in."""
    return list(region.right)


def combination(kernel, element, commutes):
    """A rule, and the element types of its operands."""
    dice = kernel.dice
    if element in SMALL_FLOATS or element == "i1" and dice.random() < 0.5:
        # Moved only, with the extremum of another.
        if not commutes and dice.random() < 0.3:
            return last, [element] * 2
        return extremum, [dice.choice((*WIDE_INTS, *FLOATS)), "i32", element]
    if element == "i1":
        return every, [element] * 2
    if element in FLOATS or dice.random() < 0.4:
        if dice.random() < 0.5:
            return extremum, [element, dice.choice(("i32", "i16", "i64"))]
        return every, [element] + [dice.choice((*WIDE_INTS, *FLOATS)) for _ in range(dice.choice((0, 0, 1, 2)))]
    if dice.random() < 0.3:
        return every, [element]
    return dice.choice((complex_product,) if commutes else (affine, affine, last, complex_product)), [element] * 2


def operands(kernel, rule, elements, shape, extent):
    """Exact blocks, cut off so that sums stay finite; the index of an extremum differs from place to place."""
    values = []
    for position, element in enumerate(elements):
        if rule is extremum and position == 1:
            values.append(kernel.convert(kernel.places(shape), element))
            continue
        value = kernel.some(shape, element, exact=True)
        if element in FLOATS:
            value = kernel.clamp(value, 64 if element != "f16" else min(64, MOST_IN_HALVES // extent or small_for(extent)))
        values.append(value)
    return values


def result_bound(rule, value, extent):
    """Each op of a region rounds, so f16 and bf16 sums lose more than those of fsm.reduce do."""
    if value.element in INTS:
        return NONE
    if rule is every:
        return total_of(value.element, value.bound, extent, value.element)
    return value.bound


@step(("fsm.reduce_with", "fsm.scan_with"), ELEMENTS)
def combine(kernel, op, element):
    rule, elements = combination(kernel, element, op == "fsm.reduce_with")
    shape = kernel.shape(0)
    axis = kernel.dice.randrange(len(shape))
    values = operands(kernel, rule, elements, shape, shape[axis])
    region = Region(kernel, elements)
    yielded = rule(region)
    name, many = kernel.name(), f":{len(values)}" if len(values) > 1 else ""
    reverse = kernel.dice.choice(("", " reverse")) if op == "fsm.scan_with" else ""
    kinds = ", ".join(v.type for v in values)
    left = shape[:axis] + shape[axis + 1:]
    results = "" if op == "fsm.scan_with" else " -> " + ", ".join(type_of(left, e) for e in elements)
    kernel.write(f"{name}{many} = {op} {', '.join(v.name for v in values)} axis {axis}{reverse} : {kinds}{results} {{")
    region.write(yielded)
    for i, value in enumerate(values):
        kernel.adopt([f"{name}#{i}" if many else name], shape if op == "fsm.scan_with" else left, value.element,
                     result_bound(rule, value, shape[axis]))
