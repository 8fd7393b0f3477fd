"""Integers of which every number is known while a kernel is written: what offsets and masks of accesses are made of.

An access of any numbers has to stay inside of its buffer. Cutting offsets off at its ends would also cut off what the
compiler knows of them, and what it might know wrongly. So the numbers are computed here, in all *worlds* that a program may
see, and the pointer is moved such that all of them fit. The worlds are the programs of the grid, the iterations of the
loop around, and a few values of data that nobody knows; there may be more of them than a run sees.
"""

import numpy as np

from .language import INTS
from .values import type_of

# Axes of the numbers in front of the block's own: programs, iterations, data. One of extent 1 says that all are alike.
WORLDS = 3
SIGNED = {"slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}
UNSIGNED = {"ult": np.less, "ule": np.less_equal, "ugt": np.greater, "uge": np.greater_equal}
# What exceeds this is not followed, so that no product leaves 64 bits.
FAR = 1 << 40


class Unspecified(Exception):
    """The language gives a result no value, or it is too large to be followed."""


class Term:
    """An SSA value of integers; its shape is () for a scalar."""

    __slots__ = ("name", "shape", "kind", "numbers")

    def __init__(self, name, shape, kind, numbers):
        self.name, self.shape, self.kind, self.numbers = name, shape, kind, numbers

    @property
    def type(self):
        return type_of(self.shape, self.kind)

    @property
    def least(self):
        return int(self.numbers.min())

    @property
    def most(self):
        return int(self.numbers.max())


def wrapped(numbers, kind):
    """Numbers modulo 2^width, read as signed; those of i1 are 0 and 1."""
    width = INTS[kind]
    if width == 64:
        return numbers
    if width == 1:
        return numbers & 1
    half = 1 << (width - 1)
    return ((numbers + half) & (2 * half - 1)) - half


def signed(number, kind):
    """One number as `wrapped` has it, whatever its size."""
    count = 1 << INTS[kind]
    return number % count if count == 2 else (number + count // 2) % count - count // 2


def unsigned(numbers, kind):
    width = INTS[kind]
    return numbers.view(np.uint64) if width == 64 else numbers & ((1 << width) - 1)


def quotient(a, b):
    """Rounded toward zero."""
    size = np.abs(a) // np.abs(b)
    return np.where((a < 0) != (b < 0), -size, size)


def divided(op, a, b, kind):
    if (b == 0).any() or ((b == -1) & (a == -1 << (INTS[kind] - 1))).any():
        raise Unspecified
    if op == "divsi":
        return quotient(a, b)
    if op == "remsi":
        return a - quotient(a, b) * b
    if op == "floordivsi":
        return a // b
    if op == "ceildivsi":
        return -(-a // b)
    a, b = unsigned(a, kind), unsigned(b, kind)
    if op == "divui":
        return (a // b).astype(np.int64)
    if op == "remui":
        return (a % b).astype(np.int64)
    return (a // b + (a % b != 0)).astype(np.int64)


def shifted(op, a, b, kind):
    if ((b < 0) | (b >= INTS[kind])).any():
        raise Unspecified
    if op == "shli":
        if (b > 40).any():
            raise Unspecified
        return a << b
    if op == "shrsi":
        return a >> b
    return (unsigned(a, kind) >> b.astype(np.uint64 if INTS[kind] == 64 else np.int64)).astype(np.int64)


def extreme(op, a, b, kind):
    """The lesser or the greater of two numbers."""
    order = (unsigned(a, kind) < unsigned(b, kind)) if op.endswith("ui") else a < b
    return np.where(order == op.startswith("min"), a, b)


PLAIN = {"addi": np.add, "subi": np.subtract, "muli": np.multiply, "andi": np.bitwise_and, "ori": np.bitwise_or,
         "xori": np.bitwise_xor}


def computed(op, a, b, kind):
    """The result of an op of `arith`, and whether it has wrapped."""
    if op in PLAIN:
        exact = PLAIN[op](a, b)
    elif op.startswith(("min", "max")):
        exact = extreme(op, a, b, kind)
    elif op.startswith("sh"):
        exact = shifted(op, a, b, kind)
    else:
        exact = divided(op, a, b, kind)
    result = wrapped(exact, kind)
    if INTS[kind] == 64 and (np.abs(exact) > FAR).any():
        raise Unspecified
    return result, bool((result != exact).any())


class Terms:
    """Writes ops on terms into a kernel."""

    def __init__(self, kernel):
        self.kernel = kernel
        # A number from 0 to 3 that only data knows.
        value = kernel.some((), "i32")
        self.data = self.define((), "i32", f"arith.andi {value.name}, {self.constant(3).name} : i32",
                                np.arange(4).reshape(1, 1, -1))

    def define(self, shape, kind, text, numbers):
        return Term(self.kernel.define(shape, kind, text, hide=True).name, shape, kind, numbers)

    # Scalars.

    def constant(self, number, kind="i32"):
        number = signed(number, kind)
        return self.define((), kind, f"arith.constant {number} : {kind}", np.full((1,) * WORLDS, number))

    def program(self):
        return Term("%pid", (), "i32", np.arange(self.kernel.programs).reshape(-1, 1, 1))

    def argument(self, index):
        return Term(f"%m{index}", (), "i32", np.full((1,) * WORLDS, self.kernel.known[index]))

    # Ops.

    def binary(self, op, a, b, promises=0.4):
        """A sum, difference or product that never wraps sometimes says so, `promises` of them."""
        numbers, has_wrapped = computed(op, a.numbers, b.numbers, a.kind)
        says = op in ("addi", "subi", "muli", "shli") and not has_wrapped and self.kernel.dice.random() < promises
        flags = " overflow<nsw>" if says else ""
        return self.define(a.shape, a.kind, f"arith.{op} {a.name}, {b.name}{flags} : {a.type}", numbers)

    def compare(self, order, a, b):
        if order in SIGNED:
            numbers = SIGNED[order](a.numbers, b.numbers)
        else:
            numbers = UNSIGNED[order](unsigned(a.numbers, a.kind), unsigned(b.numbers, b.kind))
        return self.define(a.shape, "i1", f"arith.cmpi {order}, {a.name}, {b.name} : {a.type}", numbers.astype(np.int64))

    def select(self, condition, a, b):
        kinds = f"{condition.type}, {a.type}" if condition.shape else a.type
        lead = condition.numbers
        if a.shape and not condition.shape:
            lead = lead.reshape(*lead.shape, *(1,) * len(a.shape))
        return self.define(a.shape, a.kind, f"arith.select {condition.name}, {a.name}, {b.name} : {kinds}",
                           np.where(lead != 0, a.numbers, b.numbers))

    def convert(self, a, kind, op=None):
        """To another width; what is extended may be read as signed or not."""
        if a.kind == kind:
            return a
        narrows = INTS[kind] < INTS[a.kind]
        op = "trunci" if narrows else op or self.kernel.dice.choice(("extsi", "extsi", "extui"))
        numbers = wrapped(a.numbers, kind) if narrows else a.numbers
        if op == "extui":
            numbers = unsigned(a.numbers, a.kind)
        if op == "extsi" and a.kind == "i1":
            numbers = -a.numbers
        flags = ""
        if narrows and (numbers == a.numbers).all() and self.kernel.dice.random() < 0.3:
            flags = " overflow<nsw>"
        return self.define(a.shape, kind, f"arith.{op} {a.name}{flags} : {a.type} to {type_of(a.shape, kind)}", numbers)

    # Blocks.

    def range(self, first, extent):
        return self.define((extent,), "i32", f"fsm.range {first}, {first + extent} : tensor<{extent}xi32>",
                           np.arange(first, first + extent).reshape(1, 1, 1, -1))

    def moved(self, text, a, shape, numbers):
        return self.define(shape, a.kind, f"fsm.{text} : {a.type} -> {type_of(shape, a.kind)}", numbers)

    def splat(self, a, shape):
        lead = a.numbers.reshape(*a.numbers.shape, *(1,) * len(shape))
        return self.define(shape, a.kind, f"fsm.splat {a.name} : {type_of(shape, a.kind)}",
                           np.broadcast_to(lead, a.numbers.shape + shape))

    def spread(self, a, shape, axis):
        """A vector along one dimension of a block, repeated along the others."""
        for other in range(len(shape)):
            if other != axis:
                wide = a.shape[:other] + (1,) + a.shape[other:]
                a = self.moved(f"expand_dims {a.name} axis {other}", a, wide, np.expand_dims(a.numbers, WORLDS + other))
        if a.shape != shape:
            a = self.moved(f"broadcast {a.name}", a, shape, np.broadcast_to(a.numbers, a.numbers.shape[:WORLDS] + shape))
        return a

    def transpose(self, a, order):
        shape = tuple(a.shape[i] for i in order)
        axes = (*range(WORLDS), *(WORLDS + i for i in order))
        return self.moved(f"transpose {a.name} order {list(order)}", a, shape, np.transpose(a.numbers, axes))

    def reshape(self, a, shape):
        return a if a.shape == shape else \
            self.moved(f"reshape {a.name}", a, shape, a.numbers.reshape(a.numbers.shape[:WORLDS] + shape))


def divisor(numbers):
    """The largest power of two, 64 at most, that divides all numbers."""
    rest = int(np.bitwise_or.reduce(numbers, axis=None)) if numbers.size else 0
    return min(64, rest & -rest) if rest else 64


def in_groups(numbers, axis, step):
    """The largest power of two of neighbours along an axis that differ by `step`, in aligned groups of so many."""
    numbers = np.moveaxis(numbers, axis, -1)
    extent = numbers.shape[-1]
    breaks = np.flatnonzero((np.diff(numbers) != step).reshape(-1, extent - 1).any(axis=0)) + 1 if extent > 1 else []
    rest = int(np.bitwise_or.reduce(breaks)) if len(breaks) else 0
    return rest & -rest if rest else 1 << (extent - 1).bit_length()
