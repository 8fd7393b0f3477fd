"""What atomic ops are tried with: shapes, orders and scopes in turns, and what each kind makes of two elements."""

import itertools

import numpy as np

from suite import exact, formats, values
from suite.combining import integer_step
from suite.kernels import Kernel, block, pointer, refused, size
from suite.launches import In, Out
from suite.shapes import Bits, each, same

KINDS = ("add", "max", "min", "umax", "umin", "and", "or", "xor", "exch")
WORDS = ("i32", "i64")
REALS = ("f32", "f64")
SHAPES = ((values.EXTENT,), (5, 37), (64,))
# Programs that update one number; of a scope that holds one program only, that one.
PROGRAMS = 5
ORDERS = ["", *(f" sem = {sem}{scope}" for sem in ("relaxed", "acquire", "release", "acq_rel")
                for scope in ("", " scope = cta", " scope = gpu", " scope = sys"))]


def programs_of(order, many=PROGRAMS):
    """How many programs may meet in memory by atomics of an order and scope: those of two ctas are not atomic to one another
    where the scope is a cta."""
    return 1 if "cta" in order else many


def types(kind):
    """The element types that a kind takes."""
    return WORDS + (REALS if kind in ("add", "max", "min", "exch") else ()) + (("f16", "bf16") if kind == "add" else ())


def combine(kind, element, old, new):
    """Bits from bits."""
    if kind == "exch":
        return new
    x, y = formats.decode(old, element), formats.decode(new, element)
    if formats.is_float(element):
        step = {"add": exact.add, "max": exact.pick(max, False), "min": exact.pick(min, False)}[kind]
    else:
        step = integer_step({"add": "sum"}.get(kind, kind), formats.WIDTH[element])
    return formats.encode(step(x, y), element)


def is_denormal(bits, element):
    return 0 < abs(formats.decode(bits, element)) < formats.is_close_to_zero(element)


class Memory(Bits):
    """The same bits, any NaN for a NaN. A GPU adds in f32 with denormals taken for 0 (PTX, `atom.add.f32`)."""

    def wrong(self, got, device):
        wrong = super().wrong(got, device)
        if formats.is_float(self.kind):
            wrong &= ~(formats.is_nan(got, self.kind) & formats.is_nan(self.answers, self.kind))
        return wrong


def pairs(element, count):
    """Memory and operands: every special number meets every other, then random ones."""
    specials = values.special(element)
    chosen = list(itertools.product(specials, specials))
    noise = zip(values.random(element, count, "old"), values.random(element, count, "new"))
    chosen = (chosen + list(noise))
    step = max(1, len(chosen) // count)
    width = formats.BITS[formats.WIDTH[element]]
    return tuple(np.array(side, width) for side in zip(*(chosen[i * step % len(chosen)] for i in range(count))))


def of_each(kind, element, shape, order):
    """Each element of memory is changed by one element, in another order, some are masked off."""
    count = size(shape)
    programs = -(-1000 // count)
    before, operand = pairs(element, programs * count)
    mask = values.dice("atomic", element, kind).random(programs * count) < 0.8
    kernel = Kernel(memory="*" + element, old="*" + element, operand="*" + element, flags="*i1")
    program = kernel.define("fsm.program_id x : i32")
    first = kernel.define(f"arith.muli {program}, {kernel.constant(count)} : i32")
    moved = {name: kernel.moved("%" + name, kind_of, first) for name, kind_of in
             (("memory", element), ("old", element), ("operand", element), ("flags", "i1"))}
    places = kernel.places(shape)
    back = kernel.define(f"arith.subi {kernel.constant(count - 1, shape=shape)}, {places} : {block(shape, 'i32')}")
    value = kernel.load(moved["operand"], element, shape)
    flags = kernel.load(moved["flags"], "i1", shape)
    old = kernel.define(f"fsm.atomic_rmw <{kind}> {value}, {moved['memory']}[{back}], {flags}{order} : "
                        f"{block(shape, element)}, {pointer(element)}, {block(shape, 'i32')}")
    kernel.store(old, moved["old"], element, shape)
    target = before.reshape(programs, count)[:, ::-1].reshape(-1)
    after = np.array([combine(kind, element, int(o), int(n)) if m else int(o)
                      for o, n, m in zip(target, operand, mask)], before.dtype)
    after = after.reshape(programs, count)[:, ::-1].reshape(-1)
    valid = np.ones(after.size, bool)
    if kind == "add" and element == "f32":
        flat = operand.reshape(programs, count)[:, ::-1].reshape(-1)
        valid = ~np.array([any(is_denormal(int(b), element) for b in bits) for bits in zip(before, flat, after)])
    check = each(Memory(element, after, valid), Memory(element, np.where(mask, target, 0)))
    return kernel.launch(f"{kind} {shape}{order}", [Out(element, after.size, before), Out(element, after.size),
                                                    In(element, operand), In("i1", mask.astype(np.uint8))],
                         check, grid=programs)


def is_any_order_exact(element, start, numbers, times):
    """Whether no sum of `start` and some of the whole numbers, each up to so many times, is ever rounded, whatever the
    order: none is larger than the sum of the magnitudes."""
    return not formats.is_float(element) or \
        abs(start) + times * sum(map(abs, numbers)) <= 1 << formats.SHAPE[element][0]


def of_one(kind, element, order):
    """Many programs and many elements change the same one; scalars do too. Small whole numbers make every order of
    sums the same; each is performed exactly once."""
    count, programs = 37, programs_of(order)
    numbers = [(3 * i * i + 5) % 11 + 1 for i in range(count)]
    if kind == "add" and not is_any_order_exact(element, 16, numbers, programs):
        # Up to 48, so that all of them are at most 16 + 5 * 48 = 256, which bf16 holds.
        numbers = [(1, 2, 0, 1, 3, -1, 0, 2)[i % 8] for i in range(count)]
        assert is_any_order_exact(element, 16, numbers, programs)
    kernel = Kernel(memory="*" + element, operand="*" + element)
    zeros = kernel.constant(0, shape=(count,))
    value = kernel.load("%operand", element, (count,))
    kernel.define(f"fsm.atomic_rmw <{kind}> {value}, %memory[{zeros}]{order} : {block((count,), element)}, "
                  f"{pointer(element)}, {block((count,), 'i32')}")
    scalar, place = kernel.load("%operand", element), kernel.moved("%memory", element, 1)
    kernel.define(f"fsm.atomic_rmw <{kind}> {scalar}, {place}{order} : {element}, {pointer(element)}")
    operand = formats.encode_all(numbers, element)
    start = formats.encode(16, element)
    cells = [start, start]
    for _ in range(programs):
        for bits in operand.tolist():
            cells[0] = combine(kind, element, cells[0], bits)
        cells[1] = combine(kind, element, cells[1], int(operand[0]))
    check = same((element, np.array(cells, operand.dtype)))
    if kind == "exch":
        check = stored_by_one(element, operand)
    return kernel.launch(f"{kind} of one{order}", [Out(element, 2, [start, start]), In(element, operand)], check, grid=programs)


def stored_by_one(element, operand):
    def check(outcome, device):
        del device
        got = outcome.outputs[0]
        return "" if got[0] in operand and got[1] == operand[0] else f"got {got}, which nobody stored as {element}"
    return check


def tickets(element, order):
    """Sums of ones: everybody sees another number."""
    count, programs = 37, programs_of(order)
    one = "1.0" if formats.is_float(element) else "1"
    kernel = Kernel(memory="*" + element, old="*" + element)
    program = kernel.define("fsm.program_id x : i32")
    first = kernel.define(f"arith.muli {program}, {kernel.constant(count)} : i32")
    ones, zeros = kernel.constant(one, element, (count,)), kernel.constant(0, shape=(count,))
    old = kernel.define(f"fsm.atomic_rmw <add> {ones}, %memory[{zeros}]{order} : {block((count,), element)}, "
                        f"{pointer(element)}, {block((count,), 'i32')}")
    kernel.store(old, kernel.moved("%old", element, first), element, (count,))

    def check(outcome, device):
        del device
        seen = sorted(formats.decode(int(bits), element) for bits in outcome.outputs[1])
        return "" if seen == list(range(count * programs)) else f"tickets {seen}"
    return kernel.launch(f"tickets{order}", [Out(element, 1, [0]), Out(element, count * programs)], check, grid=programs)


def launches(kind, element):
    turn = KINDS.index(kind) * 3 + formats.ELEMENTS.index(element)
    orders = [ORDERS[(turn + 5 * i) % len(ORDERS)] for i in range(5)]
    found = [of_each(kind, element, shape, order) for shape, order in zip(SHAPES, orders)]
    found.append(of_one(kind, element, orders[3]))
    return found + ([tickets(element, orders[4])] if kind == "add" else [])


def refuse(kind, element):
    text = formats.text_of(element)
    yield refused(f"%r = fsm.atomic_rmw <{kind}> %v, %p : {text}, {pointer(element)}", p="*" + element, v=element)
