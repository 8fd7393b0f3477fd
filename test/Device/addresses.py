"""Accesses at computed places, under computed masks, in loops and at moved pointers, every device against NumPy.

Usage: addresses.py FSM_RUN [--devices=A,B] [--jobs=N] [--group=offsets|masks|rows|moving|edges] [--only=TEXT] [--deal].

How wide an access is, what it takes one mask for and how it is aligned follows from what the compiler knows of offsets,
masks and pointers. Each case computes them by an op or two from ranges, constants, a number of the launch and a loop's
counter, while NumPy computes the same. The arrays begin where any vector may, and hold no more than is accessed.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, given, perform, perform_all

TYPES = ("i32", "i8", "i16", "i64")
WARPS = (1, 4, 2)
EXTENTS = (512, 500)
# The number of the launch, which the compiler may look at.
NUMBERS = (48, 17, 1)

BINARY = {
    "addi": np.add, "subi": np.subtract, "muli": np.multiply, "andi": np.bitwise_and, "ori": np.bitwise_or,
    "xori": np.bitwise_xor, "maxsi": np.maximum, "minsi": np.minimum, "shli": np.left_shift, "shrsi": np.right_shift,
    "floordivsi": np.floor_divide, "divsi": lambda x, y: np.trunc(x / y).astype(np.int64), "remsi": np.fmod,
    "ceildivsi": lambda x, y: -(-x // y), "divui": lambda x, y: (x % 2**32) // y, "remui": lambda x, y: (x % 2**32) % y,
    "shrui": lambda x, y: (x % 2**32) >> y,
}
COMPARE = {
    "slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal, "eq": np.equal, "ne": np.not_equal,
    "ult": lambda x, y: x % 2**32 < y % 2**32, "ule": lambda x, y: x % 2**32 <= y % 2**32,
    "ugt": lambda x, y: x % 2**32 > y % 2**32, "uge": lambda x, y: x % 2**32 >= y % 2**32,
}


class Term:
    """A value of the kernel and the numbers that it has, as int64 that i32 holds."""

    def __init__(self, name, numbers, element="i32"):
        self.name, self.numbers, self.element = name, np.asarray(numbers), element
        self.type = f"tensor<{'x'.join(map(str, self.numbers.shape))}x{element}>" if self.numbers.ndim else element


class Text:
    """Collects lines; each gives a term."""

    def __init__(self, number):
        self.lines, self.count, self.n = [], 0, Term("%n", number)

    def define(self, text, numbers, element="i32"):
        self.count += 1
        term = Term(f"%t{self.count}", numbers, element)
        self.lines.append(f"{term.name} = {text.replace('RESULT', term.type)}")
        return term

    def constant(self, number, shape=()):
        return self.define(f"arith.constant {f'dense<{number}>' if shape else number} : RESULT", np.full(shape, number))

    def range(self, begin, end):
        return self.define(f"fsm.range {begin}, {end} : RESULT", np.arange(begin, end))

    def splat(self, scalar, shape):
        return self.define(f"fsm.splat {scalar.name} : RESULT", np.full(shape, scalar.numbers))

    def alike(self, left, right):
        """Two terms, numbers or scalars, as blocks of one shape if one of them is a block."""
        shape = next((side.numbers.shape for side in (left, right) if isinstance(side, Term) and side.numbers.ndim), ())
        sides = [self.constant(side, shape) if isinstance(side, int) else side for side in (left, right)]
        return [self.splat(side, shape) if shape and not side.numbers.ndim else side for side in sides]

    def binary(self, name, left, right, flags=""):
        left, right = self.alike(left, right)
        numbers = np.asarray(BINARY[name](left.numbers, right.numbers), np.int64).astype(np.int32).astype(np.int64)
        return self.define(f"arith.{name} {left.name}, {right.name}{flags} : RESULT", numbers)

    def compare(self, order, left, right):
        left, right = self.alike(left, right)
        return self.define(f"arith.cmpi {order}, {left.name}, {right.name} : {left.type}",
                           COMPARE[order](left.numbers, right.numbers), "i1")

    def select(self, condition, left, right):
        return self.define(f"arith.select {condition.name}, {left.name}, {right.name} : {condition.type}, RESULT",
                           np.where(condition.numbers, left.numbers, right.numbers))

    def expand(self, part, axis):
        return self.define(f"fsm.expand_dims {part.name} axis {axis} : {part.type} -> RESULT",
                           np.expand_dims(part.numbers, axis), part.element)

    def broadcast(self, part, shape):
        return self.define(f"fsm.broadcast {part.name} : {part.type} -> RESULT", np.broadcast_to(part.numbers, shape),
                           part.element)

    def reshape(self, part, shape):
        return self.define(f"fsm.reshape {part.name} : {part.type} -> RESULT", part.numbers.reshape(shape), part.element)

    def transpose(self, part, order):
        return self.define(f"fsm.transpose {part.name} order {list(order)} : {part.type} -> RESULT",
                           part.numbers.transpose(order), part.element)

    def along(self, shape, axis, stride=1):
        """Each element's number along an axis, times a stride."""
        part = self.range(0, shape[axis])
        part = part if stride == 1 else self.binary("muli", part, stride)
        for other in range(len(shape)):
            part = part if other == axis else self.expand(part, other)
        return self.broadcast(part, shape)

    def grid(self, shape, strides):
        total = self.along(shape, 0, strides[0])
        for axis in range(1, len(shape)):
            total = self.binary("addi", total, self.along(shape, axis, strides[axis]))
        return total


#
# Cases: a title and a function of a text and an extent that gives offsets, or offsets and a mask. A function of a loop's
# counter has it as its third argument, and the loop's bounds stand beside it.
#

def of_range(name, begin, operand, flipped=False):
    def offsets(text, extent):
        part = text.range(begin, begin + extent)
        other = text.n if operand == "n" else operand
        return text.binary(name, other, part) if flipped else text.binary(name, part, other)
    return f"{'flipped ' * flipped}{name} of {begin} and {operand}", offsets


def chosen(order, bound, other):
    def offsets(text, extent):
        part = text.range(0, extent)
        return text.select(text.compare(order, part, bound), part, text.binary("addi", part, other))
    return f"chosen by {order} {bound}, or {other} more", offsets


def masked(order, begin, bound, flipped):
    def access(text, extent):
        part = text.range(begin, begin + extent)
        limit = text.n if bound == "n" else bound
        return part, text.compare(order, limit, part) if flipped else text.compare(order, part, limit)
    return f"masked by {'flipped ' * flipped}{order} {bound} from {begin}", access


def masked_by_groups(name, operand, bound, begin=0):
    def access(text, extent):
        part = text.range(begin, begin + extent)
        return part, text.compare("ne", text.binary(name, part, operand), bound)
    return f"masked by {name} {operand} but {bound} from {begin}", access


def in_groups(name, operand, stride):
    """A range and what is the same for some neighbours."""
    def offsets(text, extent):
        part = text.range(0, extent)
        return text.binary("addi", part, text.binary("muli", text.binary(name, part, operand), stride))
    return f"{stride} times {name} {operand} on", offsets


def rows(shape, strides, flat):
    def offsets(text, extent):
        del extent
        total = text.grid(shape, strides)
        return text.reshape(total, (total.numbers.size,)) if flat else total
    return f"{'flat ' * flat}rows {shape} by {strides}", offsets


def edged(shape, order, bound, flipped):
    """Rows that begin or end within what is accessed at once."""
    def access(text, extent):
        del extent
        column, limit = text.along(shape, 1), text.n if bound == "n" else bound
        mask = text.compare(order, limit, column) if flipped else text.compare(order, column, limit)
        return text.grid(shape, (shape[1], 1)), mask
    return f"rows {shape} where {'flipped ' * flipped}{order} {bound}", access


def masked_rows(shape, axis, flat):
    def access(text, extent):
        del extent
        mask = text.compare("ne", text.binary("remsi", text.along(shape, axis), 2), 0)
        if not flat:
            return text.grid(shape, (shape[1], 1)), mask
        return text.range(0, mask.numbers.size), text.reshape(mask, (mask.numbers.size,))
    return f"{'flat ' * flat}rows {shape} masked along {axis}", access


def turned(shape, orders):
    def offsets(text, extent):
        del extent
        total = text.grid(shape, tuple(int(np.prod(shape[axis + 1:])) for axis in range(len(shape))))
        for order in orders:
            total = text.transpose(total, order)
        return total
    return f"block {shape} turned by {orders}", offsets


def counted(begin, end, step, stride):
    def offsets(text, extent, counter):
        moved = counter if stride == 1 else text.binary("muli", counter, stride)
        return text.binary("addi", text.range(0, extent), moved)
    return f"counter from {begin} by {step}, times {stride}", offsets, (begin, end, step)


def pointed(by, in_loop):
    def offsets(text, extent, counter=None):
        text.moved = text.n if by == "n" else text.constant(by) if counter is None else text.binary("muli", counter, by)
        return text.range(0, extent)
    return (f"pointer moved by {by}", offsets, (0, 3, 1)) if in_loop else (f"pointer moved by {by}", offsets)


def offset_cases():
    for operand in (1, 2, 4, 8, 3, "n", -5, 16):
        yield of_range("addi", 0, operand)
        yield of_range("subi", 0, operand, flipped=True)
    for begin in (1, 2, 4, -3, -8):
        yield of_range("addi", begin, 0 if begin % 2 else "n")
    for operand in (256, 1024, 255, 64):
        yield of_range("subi", 0, operand, flipped=True)
    for operand in (1, 3, 5, 6, 7, 12, 13, 0xF8, -2, -4, -5):
        yield of_range("andi", 0, operand)
    for operand in (1, 4, 6, 16):
        yield of_range("ori", 0, operand)
        yield of_range("xori", 0, operand)
    for operand in (2, 3, 4, -1, -4):
        yield of_range("muli", 0, operand)
    for name in ("divsi", "remsi", "floordivsi", "ceildivsi"):
        for begin, operand in ((0, 4), (-101, 4), (-128, 8), (0, 3), (4, 8)):
            yield of_range(name, begin, operand)
    for name in ("divui", "remui"):
        for operand in (4, 3, 8):
            yield of_range(name, 2, operand)
    for name in ("shli", "shrsi", "shrui"):
        yield of_range(name, 4, 2)
    yield of_range("shrsi", -130, 3)
    for operand in (6, 8, 100):
        yield of_range("maxsi", 0, operand)
        yield of_range("minsi", 0, operand)
    for order, bound, other in (("slt", 5, 3), ("slt", 6, 256), ("sgt", 129, -128), ("ne", 66, 1),
                                ("slt", 8, 8), ("sge", 126, 4), ("sle", 127, 4), ("eq", 7, 1)):
        yield chosen(order, bound, other)
    for name, operand, stride in (("divsi", 2, 2), ("divsi", 4, 4), ("divsi", 4, 1), ("remsi", 4, -1),
                                  ("andi", 6, -1), ("andi", 3, 4)):
        yield in_groups(name, operand, stride)


def mask_cases():
    for number, order in enumerate(COMPARE):
        for bound in (101, 104, "n"):
            yield masked(order, (0, 3, 4)[number % 3], bound, False)
            yield masked(order, (0, 2)[number % 2], bound, True)
    for operands in (("divsi", 4, 3), ("divsi", 6, 2), ("andi", 4, 4), ("andi", 6, 2), ("remsi", 8, 5),
                     ("shrsi", 1, 9), ("ori", 3, 15), ("xori", 2, 6), ("divsi", 4, 0, -128), ("divsi", 4, -3, -102),
                     ("floordivsi", 4, -3, -128), ("remsi", 4, -3, -128), ("divui", 4, 3)):
        yield masked_by_groups(*operands)


def row_cases():
    for flat in (False, True):
        for shape, strides in (((5, 6), (6, 1)), ((5, 6), (8, 1)), ((8, 16), (16, 1)), ((6, 10), (1, 6)), ((16, 12), (-12, 1)),
                               ((12, 6), (1, 0)), ((9, 7), (4, 0)), ((4, 4, 4), (16, 1, 4)), ((3, 5, 6), (0, 6, 1))):
            yield rows(shape, strides, flat)
        for shape, axis in (((128, 6), 0), ((128, 6), 1), ((64, 8), 0), ((86, 3), 0), ((60, 5), 0), ((40, 20), 0),
                            ((20, 12), 0)):
            yield masked_rows(shape, axis, flat)
    for shape, orders in (((4, 4, 4), ((1, 2, 0),)), ((8, 8, 8), ((2, 0, 1),)), ((5, 5, 5), ((1, 2, 0), (1, 0, 2))),
                          ((4, 4, 4), ((1, 0, 2), (1, 2, 0))), ((3, 5, 7), ((2, 0, 1), (1, 0, 2))),
                          ((4, 8, 2), ((1, 2, 0), (0, 2, 1))), ((3, 3, 3, 3), ((1, 2, 3, 0), (1, 0, 2, 3))),
                          ((4, 8, 16), ((1, 2, 0),)), ((4, 8, 16), ((2, 0, 1),)), ((8, 2, 4), ((1, 2, 0),))):
        yield turned(shape, orders)


def edge_cases():
    """Of elements of which several are accessed at once, all in one place."""
    for number, order in enumerate(order for order in COMPARE if order not in ("eq", "ne")):
        for kind in ("i8", "i16"):
            for flipped in (False, True):
                yield *edged((8, 64), order, (13, "n", 40)[(number + flipped) % 3], flipped), None, kind


def moving_cases():
    for begin, step, stride in ((0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 4, 1), (4, 6, 1), (0, 16, 1), (1, 4, 1), (0, 1, 2),
                                (0, 1, 8), (0, 3, 4), (-5, 1, 1)):
        yield counted(begin, begin + 4 * step, step, stride)
    for by in (1, 2, 3, 4, 8, -1, "n"):
        yield pointed(by, False)
    for by in (1, 2, 4, 5):
        yield pointed(by, True)


GROUPS = {"offsets": offset_cases, "masks": mask_cases, "rows": row_cases, "moving": moving_cases,
          "edges": edge_cases}


class Case:
    """One case with an extent, an element type and the number of the launch."""

    def __init__(self, number, title, access, bounds=None, kind=None):
        self.access, self.bounds = access, bounds
        self.kind, self.extent = kind or TYPES[number // 2 % 4 * (number % 2)], EXTENTS[number // 4 % 2]
        self.warps = WARPS[number % 3]
        self.title = f"{title}, {self.extent} x {self.kind}"

    def terms(self, number, counter=None):
        """The text of one iteration, its offsets and its mask."""
        text = Text(number)
        text.moved = None
        found = self.access(text, self.extent, *([counter] if counter else []))
        return (text, *(found if isinstance(found, tuple) else (found, None)))

    def all_places(self, number):
        """Of each iteration the offsets, with the pointer's, and the mask."""
        found = []
        for i in range(*self.bounds) if self.bounds else (None,):
            text, offsets, mask = self.terms(number, None if i is None else Term("%i", i))
            moved = text.moved.numbers if text.moved else 0
            found.append((offsets.numbers + moved, np.ones(offsets.numbers.shape, bool) if mask is None else mask.numbers))
        return found

    def text(self, number, back):
        """Loads from computed places and stores in a row, then from a row to computed places, where each is another.
        `back` moves the pointers such that the first place is in the array."""
        inner, offsets, mask = self.terms(number, Term("%i", 0) if self.bounds else None)
        shape, kind = offsets.numbers.shape, self.kind
        block, places = f"tensor<{'x'.join(map(str, shape))}x{kind}>", offsets.type
        masked_by = f", {mask.name}" if mask else ""
        moved = [f"%{name} = fsm.offset %{name}_back, {inner.moved.name} : !fsm.ptr<{kind}>, i32" if inner.moved else
                 f"%{name} = fsm.offset %{name}_back, %none : !fsm.ptr<{kind}>, i32" for name in ("from", "to")]
        dense = Text(0)
        dense.count = inner.count + 100
        row = dense.grid(shape, tuple(int(np.prod(shape[axis + 1:])) for axis in range(len(shape))))
        lines = ["%none = arith.constant 0 : i32", f"%back = arith.constant {back} : i32",
                 *(f"%{name}_back = fsm.offset %{array}, %back : !fsm.ptr<{kind}>, i32"
                   for name, array in (("from", "in"), ("to", "there"))), *dense.lines]
        body = [*inner.lines, *moved,
                f"%x = fsm.load %from[{offsets.name}]{masked_by} : !fsm.ptr<{kind}>, {places} -> {block}",
                f"fsm.store %x, %here[{row.name}] : {block}, !fsm.ptr<{kind}>, {places}",
                f"fsm.store %x, %to[{offsets.name}]{masked_by} : {block}, !fsm.ptr<{kind}>, {places}"]
        if self.bounds:
            begin, end, step = self.bounds
            size = int(np.prod(shape))
            lines += [f"%begin = arith.constant {begin} : i32", f"%end = arith.constant {end} : i32",
                      f"%step = arith.constant {step} : i32", f"%size = arith.constant {size} : i32",
                      f"%last = scf.for %i = %begin to %end step %step iter_args(%here = %out) -> (!fsm.ptr<{kind}>) : i32 {{",
                      *body, f"%next = fsm.offset %here, %size : !fsm.ptr<{kind}>, i32",
                      f"scf.yield %next : !fsm.ptr<{kind}>", "}"]
        else:
            lines += [line.replace("%here", "%out") for line in body]
        lines = "\n  ".join([*lines, "fsm.return"])
        arguments = ", ".join(f"%{name}: !fsm.ptr<{kind}>" for name in ("out", "there", "in"))
        return f"fsm.kernel @k({arguments}, %n: i32) {{\n  {lines}\n}}\n"

    def fault(self, fsm_run, device, number):
        """What is wrong, or nothing."""
        places = self.all_places(number)
        least = min(int(offsets[mask].min(initial=0)) for offsets, mask in places)
        back = (-least + 15) // 16 * 16
        size = back + max(int(offsets[mask].max(initial=0)) for offsets, mask in places) + 1
        data = np.frombuffer(np.random.default_rng(size).bytes(size * np.dtype(STORAGE[self.kind]).itemsize), STORAGE[self.kind])
        there = np.zeros_like(data)
        here = []
        for offsets, mask in places:
            at = np.where(mask, offsets + back, 0)
            here.append(np.where(mask, data[at], data.dtype.type(0)))
            there[at[mask]] = data[at[mask]]
        here = np.concatenate([one.reshape(-1) for one in here])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "k.mlir").write_text(self.text(number, back), encoding="utf-8")
            np.save(folder / "in.npy", data)
            arguments = [str(folder / "k.mlir"), f"--device={device}", "--grid=1", f"--arg={self.kind}[{here.size}]",
                         f"--arg={self.kind}[{there.size}]", f"--arg=@{folder}/in.npy", f"--arg={number}",
                         f"--out=0:{folder}/here.npy", f"--out=1:{folder}/there.npy"]
            if device.startswith(("sim", "cuda")):
                arguments.append(f"--num-warps={self.warps}")
            try:
                perform(fsm_run, arguments)
            except RuntimeError as error:
                return str(error)
            got = np.load(folder / "here.npy"), np.load(folder / "there.npy")
        wrong = [int((one != right).sum()) for one, right in zip(got, (here, there))]
        return f"{wrong[0]} loaded and {wrong[1]} stored elements wrong" if any(wrong) else ""


def check_one(fsm_run, run):
    case, device, number = run
    fault = case.fault(fsm_run, device, number)
    return fault and f"FAIL {case.title}, n = {number}, {device}: {fault}"


def main():
    todo = []
    every = ((group, case) for group, maker in GROUPS.items() for case in maker())
    for place, (group, case), device in dealt(every, lambda pair: pair[0]):
        case = Case(place, *case)
        if given("group", group) == group and given("only", "") in case.title:
            todo.append((case, device, NUMBERS[place % 3]))
    return perform_all(todo, check_one)


if __name__ == "__main__":
    sys.exit(main())
