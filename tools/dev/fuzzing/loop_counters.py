"""Counters of loops: of every integer type, signed and unsigned, anywhere in what the type holds, up to its very ends."""

from collections import namedtuple

from .language import INTS

COUNTED = ("i8", "i16", "i32", "i64")
# A loop's counter: its type, whether it is compared without a sign, the texts of its first number, end and step, and the step.
Counter = namedtuple("Counter", "kind is_unsigned first end stride step")


def signed(number, bits):
    """How MLIR writes a number of the type."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def counter_of(kernel, trips, most):
    """A counter with so many trips: a number, or a scalar's name, of which there are at most `most`."""
    dice, kind = kernel.dice, kernel.dice.choice(COUNTED)
    is_unsigned, bits, is_known = dice.random() < 0.5, INTS[kind], isinstance(trips, int)
    kernel.note("stages", f"{'unsigned ' * is_unsigned}{kind}")
    low, high = (0, (1 << bits) - 1) if is_unsigned else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    step = dice.choice((1, 1, 1, 2, 3, 7, 1 << (bits - 3), (1 << (bits - 2)) + 1, (1 << (bits - 2 + is_unsigned)) + 1))
    # From the first number to the last; where the end is computed, to the end.
    steps = max(0, most - 1) if is_known else most
    if steps * step > high - low - 1:
        step = dice.choice((1, (high - low - 1) // steps))
    first = first_of(kernel, low, high, steps * step, bits)
    if first == low or first + steps * step >= high - step:
        kernel.note("stages", "at an end of the type")
    if not is_known:
        texts = moving(kernel, trips, kind, (first, first + steps * step), step)
    else:
        end = end_of(kernel, first + steps * step, step, high) if trips else nothing_behind(kernel, first, low)
        texts = [kernel.constant((), kind, signed(n, bits)).name for n in (first, end, step)]
    return Counter(kind, is_unsigned, *texts, step)


def first_of(kernel, low, high, span, bits):
    """Where a counter begins: low, high, at 0 or across the place where a sign would change."""
    most = high - 1 - span
    places = (low, low + 1, most, most, most - kernel.dice.randrange(3), 0, -3, (1 << (bits - 1)) - 2, -1)
    return kernel.dice.choice([place for place in places if low <= place <= most])


def end_of(kernel, last, step, high):
    """An end behind the last number, and not behind the one that would be next: that may be none of the type."""
    most = min(last + step, high)
    return kernel.dice.choice((most, most, last + 1, kernel.dice.randint(last + 1, most)))


def nothing_behind(kernel, first, low):
    """An end that leaves no trip, though it may lie behind the first number for who compares by the other sign."""
    return kernel.dice.choice((first, max(low, first - 1), low, kernel.dice.randint(low, first)))


def moving(kernel, trips, kind, ends, step):
    """First number, end and step when the launch or the data says how many trips there are: one of the two is computed."""
    op = "arith.trunci" if INTS[kind] < 32 else "arith.extui"

    def define(text):
        return kernel.define((), kind, text, hide=True).name

    count = trips if kind == "i32" else define(f"{op} {trips} : i32 to {kind}")
    first, last, stride = (kernel.constant((), kind, signed(number, INTS[kind])).name for number in (*ends, step))
    way = define(f"arith.muli {count}, {stride} : {kind}")
    if kernel.dice.random() < 0.5:
        return first, define(f"arith.addi {first}, {way} : {kind}"), stride
    return define(f"arith.subi {last}, {way} : {kind}"), last, stride


def number_of_trip(kernel, counter, name):
    """How often the loop has run before, an i32, computed from its counter."""
    kind = counter.kind

    def define(text):
        return kernel.define((), kind, text, hide=True).name

    passed = define(f"arith.subi {name}, {counter.first} : {kind}")
    number = define(f"arith.divui {passed}, {counter.stride} : {kind}") if counter.step > 1 else passed
    if kind == "i32":
        return number
    op = "arith.trunci" if kind == "i64" else kernel.dice.choice(("arith.extui", "arith.extsi"))
    return kernel.define((), "i32", f"{op} {number} : {kind} to i32", hide=True).name
