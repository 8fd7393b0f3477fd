"""One random kernel: what it is made of, its text, its launch, and what its sinks may differ by."""

import functools
import math
import random
import re
from collections import Counter, namedtuple

# The modules of steps fill the table.
from . import (access_steps, convert_steps, function_steps, gather_steps, pointer_steps, promise_steps, reduce_steps,  # noqa: F401
               repeat_steps, row_steps, scalar_steps, shape_steps, shift_steps, staged_steps, tile_steps, view_steps, window_steps)  # noqa: F401
from .ahead_steps import find_once
from .control_steps import Control, shared_stream, with_frame
from .far_steps import go_far
from .finish_steps import finish
from .language import ELEMENTS, INTS, WIDTH
from .memory_steps import Memory
from .pointer_steps import SLOTS
from .registry import ACCESS, LARGE, SMALL, VIEWS
from .room import MOST_REGISTERS, Room
from .row_steps import LONG_ROW, piece_of
from .sum_steps import add_to_neighbours
from .tensor_steps import multiply_tensors
from .values import NONE, Bound, Value, size_of, type_of
from .walk_steps import walk_row
from .writer import GRIDS, LONG_ROWS, LONGEST, REGION, Writer

# Most blocks are small, so that many kernels can be run.
VECTORS = [(n,) for n in (1, 2, 3, 5, 16, 31, 32, 33, 64, 64, 100, 127, 128)]
TILES = [(r, c) for r in (1, 2, 3, 4, 8, 16) for c in (1, 2, 7, 16)] + [(4, 32), (3, 32), (32, 4)]
CUBES = [(2, 3, 4), (4, 1, 16), (2, 8, 8), (3, 2, 17), (2, 2, 2, 2), (1, 3, 2, 5), (2, 1, 4, 2, 8), (3, 2, 2, 3, 2)]
BIG = [(256,), (257,), (512,), (2, 65), (5, 64), (4, 128), (33, 8), (16, 32), (32, 16), (8, 4, 8), (3, 2, 33)]
# Elements of a type that a program may leave in sinks.
MOST_SINKS, MOST_LONG_SINKS = 8192, 4 * LONGEST
# Blocks that are left in sinks begin at a multiple of so many elements, or stores of them would keep loads from being wide.
WHOLE = 16
# Numbers of warps that runs are given, beside what the kernel or the compiler chooses: 0.
WARPS = (1, 2, 4, 8, 16)
# Of kernels with a long row, which need not have room: the compiler brings it to several CTAs, or walks it.
LONG_WARPS = (0, 0, 4, 8, 16)
# Elements of a buffer that all programs count in.
SHARED = 64

# A value that is kept in the output: elements `start` to `start + count` of each program's part of the sink of its
# element type, and how far they may be from the interpreter's.
Sink = namedtuple("Sink", "element start count error")


# What a kernel is dealt outside of its loops and branches, in turns from which deck; inside it is any card of one of these.
TURNS = (LARGE, SMALL, SMALL, LARGE, SMALL, LARGE, SMALL, LARGE, SMALL)
DEALT = [TURNS[i % len(TURNS)] for i in range(26)]
DEALT[8:8] = DEALT[20:20] = [ACCESS]
DEALT[16] = VIEWS
STEPS = len(DEALT)
# One of so many kernels begins with a loop that ctas share.
LED_BY_LOOP = 8
INSIDE = (LARGE, SMALL, SMALL) * 5 + (VIEWS,)
DECKS = (LARGE, SMALL, ACCESS, VIEWS)
# Products are a few cards of many. Inside, one of so many others is one of them.
PRODUCTS = [cell for cell in (*LARGE, *SMALL) if cell.op == "fsm.dot"]
FOR_PRODUCTS = 16


@functools.lru_cache(maxsize=8)
def cards(deck, turn):
    """All cells of the deck of this number in the order of this round."""
    order = list(DECKS[deck])
    random.Random(f"round {turn} {deck}").shuffle(order)
    return order


def card(seed, index):
    """The cell that a kernel is dealt for its step of this number: each has its part of an endless row of rounds."""
    deck = DEALT[index]
    place = seed * sum(d is deck for d in DEALT) + sum(d is deck for d in DEALT[:index])
    turn, place = divmod(place, len(deck))
    return cards(next(i for i, d in enumerate(DECKS) if d is deck), turn)[place]


def grid_of(seed, programs):
    """How many programs there are along each axis: in every second kernel of several along others than x, too."""
    # By a dice of its own, which changes nothing else of a kernel.
    dice = random.Random(f"{seed} grid")
    if programs == 1 or dice.random() < 0.5:
        return (programs,)
    return dice.choice([grid for grid in GRIDS if math.prod(grid) >= programs])


class Kernel(Writer, Memory, Control):
    """Kernel `seed` without the steps in `skipped`, which are named by paths. Each step has dice of its own, so that
    leaving one out changes little in the others."""

    def __init__(self, seed, skipped=frozenset()):
        super().__init__()
        self.seed, self.skipped = seed, skipped
        self.has_long_row = seed >= LONG_ROWS
        self.dice = dice = random.Random(seed)
        self.paths, self.notes = [], Counter()
        self.trips, self.added, self.stored, self.hinted, self.uses_table = 1, 0, False, False, False
        self.functions, self.here, self.wanted = [], (), ""
        # Arrays of large blocks, the numbers of warps that runs are given, the most stages that loops keep their promise for.
        self.rows, self.warps_tried, self.most_stages = {}, None, 8
        # Of what elements arrays are that rows are loaded from, which a GPU may walk in pieces, and which lines do.
        self.walked_elements, self.walked_lines = set(), set()
        # What is said of each array and each number, and how large a number may be in another launch.
        self.promises, self.number_promises, self.most_numbers = {}, [], [1 << 30] * 3
        self.written, self.aligned, self.shared, self.sinks = set(), set(), {}, []
        self.shapes = dice.sample(VECTORS, 1) + dice.sample(TILES, dice.choice((1, 2)))
        if dice.random() < 0.35:
            self.shapes += dice.sample(CUBES, 1)
        if dice.random() < 0.15:
            self.shapes += dice.sample(BIG, 1)
        self.elements = dice.sample(ELEMENTS, 4) + ["i32"]
        self.buffers = dice.sample(ELEMENTS, dice.choice((1, 2, 3)))
        # The element type of which there are two arrays that a launch may let overlap.
        self.twin = dice.choice(self.buffers) if dice.random() < 0.4 else None
        # What floats are loaded: whole numbers, those and NaN, infinities and -0, or numbers of any kind, the least and the
        # largest among them.
        kind = dice.random()
        self.wholes = kind < 0.5
        self.specials, self.edges = kind < 0.12, kind >= 0.75
        self.grid = grid_of(seed, dice.choice((1, 1, 2) if self.has_long_row else (1, 1, 1, 2, 5)))
        self.programs = math.prod(self.grid)
        self.numbers = [dice.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 64, 500)) for _ in range(3)]
        self.warps = dice.choice((0, 1, 2, 4, 8, 16))
        # What %m0 and %m1 are in every launch, for what has to know it.
        self.known = [dice.choice((1, 3, 4, 8, 12, 16, 31, 64, 500)) for _ in range(2)]
        self.target = dice.choice(("sm_75", "sm_80", "sm_90", "sm_90a"))
        self.arguments = [(e, self.number(e)) for e in dice.sample(ELEMENTS, 2)]
        self.text = self.written_text()

    def note(self, what, which):
        self.notes[what, str(which)] += 1

    def adopt(self, names, shape, element, bound=NONE):
        """Results of an op that has several."""
        self.values += [Value(name, shape, element, bound) for name in names]

    # Steps.

    def body(self, count, path=()):
        outer = self.dice
        for index in range(count):
            here = (*path, index)
            if here in self.skipped:
                continue
            self.paths.append(here)
            self.dice = random.Random(f"{self.seed} {here}")
            self.perform(here)
        self.dice = outer

    def perform(self, path):
        if self.has_long_row:
            cell = LONG_ROW[self.seed % len(LONG_ROW)]
        else:
            cell = card(self.seed, path[0]) if len(path) == 1 else self.dice.choice(self.dice.choice(INSIDE))
        # By a dice of its own, which changes nothing of kernels without.
        dice = random.Random(f"{self.seed} {path} product")
        if len(path) > 1 and dice.randrange(FOR_PRODUCTS) == 0:
            cell = dice.choice(PRODUCTS)
        before, self.here, self.wanted = self.here, path, cell.element
        cell.function(self, cell.op, cell.element)
        self.here = before

    # What is left at the end.

    def sink_unused(self):
        """Keeps what nothing has used, so that no step goes unseen: of exact values of a shape the sum of their bits, others
        each at a place of its own."""
        used = Counter(re.findall(r"%\w+(?:#\d+)?", "\n".join(self.lines)))
        sums = {}
        for value in reversed(self.values):
            if used[value.name] > (0 if "#" in value.name or value.name.startswith("%a_") else 1):
                continue
            if value.exact and (value.element in INTS or not self.specials):
                bits = self.bits_of(value)
                before = sums.get((value.shape, bits.element))
                sums[value.shape, bits.element] = self.binary("arith.addi", before, bits) if before else bits
            else:
                self.sink(value)
        for value in sums.values():
            self.sink(value)

    def bits_of(self, value):
        """A number of 32 or 64 bits that changes when any bit of the value does."""
        shape, width = value.shape, WIDTH[value.element]
        if value.element not in INTS:
            value = self.define(shape, f"i{width}", f"arith.bitcast {value.name} : {value.type} to {type_of(shape, f'i{width}')}")
        if width < 32:
            return self.define(shape, "i32", f"arith.extui {value.name} : {value.type} to {type_of(shape, 'i32')}")
        return value

    def sink(self, value):
        self.sink_at((value,), (0,))

    def sink_at(self, values, starts):
        """Keeps values of one type, one after the other, each from its start of a place that they share."""
        element, size = values[0].element, max(starts) + size_of(values[0].shape)
        start = self.sink_for(element, size, max(value.bound.error for value in values))
        if start is None:
            return
        for value, its in zip(values, starts):
            at = self.constant((), "i32", start + its)
            base = self.define((), "ptr", f"fsm.offset %q_{element}, {at.name} : !fsm.ptr<{element}>, i32", hide=True)
            if not value.shape:
                self.write(f"fsm.store {value.name}, {base.name} : {value.type}, !fsm.ptr<{element}>")
                continue
            place = self.packed(value.shape)
            self.write(f"fsm.store {value.name}, {base.name}[{place.name}] : {value.type}, !fsm.ptr<{element}>, {place.type}")

    def sink_for(self, element, size, error):
        """The number of the first of so many elements, where there is room for them."""
        start = self.sink_end(element, WHOLE if size > WHOLE else 1)
        if start + size > (MOST_LONG_SINKS if self.has_long_row else MOST_SINKS):
            return None
        self.sinks.append(Sink(element, start, size, error))
        return start

    def place_for(self, element, size):
        """The name of a pointer to so many elements that a kernel leaves, some of them as they are."""
        start = self.sink_for(element, size, 0)
        if start is None:
            return None
        at = self.constant((), "i32", start)
        return self.define((), "ptr", f"fsm.offset %q_{element}, {at.name} : !fsm.ptr<{element}>, i32", hide=True).name

    def sink_end(self, element, unit):
        """The number of the first element behind all sinks of a type, rounded up."""
        end = max((s.start + s.count for s in self.sinks if s.element == element), default=0)
        return -(-end // unit) * unit

    def packed(self, shape):
        """Offsets that leave no gap, in any order."""
        for value in self.values:
            if value.shape == shape and value.reach == size_of(shape):
                return value
        value = self.places(shape)
        value.reach = size_of(shape)
        return value

    def sink_sizes(self):
        """Elements of each sink that belong to one program."""
        return {element: self.sink_end(element, WHOLE) for element in sorted({sink.element for sink in self.sinks})}

    def written_text(self):
        self.dice_of_frame = random.Random(f"{self.seed} frame")
        for element, number in self.arguments:
            bound = NONE if element in INTS else Bound(abs(number), 0, float(number).is_integer())
            self.values.append(Value(f"%a_{element}", (), element, bound))
        if self.seed % LED_BY_LOOP == 0 and not self.has_long_row:
            self.dice = random.Random(f"{self.seed} shared")
            shared_stream(self)
        self.body(1 if self.has_long_row else STEPS)
        self.dice = self.dice_of_frame
        self.sink_unused()
        walk_row(self)
        find_once(self)
        go_far(self)
        multiply_tensors(self)
        add_to_neighbours(self)
        finish(self)
        head = self.number_of_program()
        for element in self.buffers:
            head += self.moved("p", "b", element, REGION)
        if self.twin:
            head += self.moved("c", "d", self.twin, REGION)
        for element, size in self.sink_sizes().items():
            head += self.moved("q", "o", element, size)
        if self.uses_table:
            head += self.moved("t", "t", "i64", SLOTS)
        arguments = [f"%{letter}_{e}: !fsm.ptr<{e}>{self.promise(letter, e)}" for letter, e, _ in self.arrays()]
        arguments += [f"%n{i}: i32{self.promise_of(self.numbers[i])}" for i in range(3)] + [f"%a_{e}: {e}" for e, _ in self.arguments]
        arguments += [f"%m{i}: i32{self.promise_of_known(number)}" for i, number in enumerate(self.known)]
        wishes = self.wishes()
        attributes = f" attributes {{{', '.join(wishes)}}}" if wishes else ""
        body = f"fsm.kernel @random({', '.join(arguments)}){attributes} {{\n" + "\n".join(head + self.lines) + "\n  fsm.return\n}\n"
        return with_frame("".join(self.functions) + body, *self.frame())

    def wishes(self):
        """Attributes of the kernel. From here on it is run only with numbers of warps that have room for its blocks."""
        if self.has_long_row:
            self.warps = self.warps if self.warps in LONG_WARPS else 0
            self.warps_tried = LONG_WARPS
            return [f"num_warps = {self.warps} : i32"] * (self.warps > 0)
        piece = piece_of(self)
        wishes = [f"fsm.piece = {piece} : i32"] if piece else []
        room, registers = Room(self.lines, self.functions, piece), MOST_REGISTERS
        tried = self.warps_tried or (0, *WARPS)
        if self.dice_of_frame.random() < 0.1 and not self.rows:
            registers = self.dice_of_frame.choice((128, MOST_REGISTERS))
            if not any(room.has(warps, registers) for warps in tried if warps):
                registers = MOST_REGISTERS
            wishes.append(f"max_registers = {registers} : i32")
        fitting = [warps for warps in WARPS if room.has(warps, registers)]
        if self.warps and self.warps not in fitting:
            self.warps = min((warps for warps in fitting if warps > self.warps), default=self.warps)
        self.warps_tried = [warps for warps in tried if (warps or self.warps or 1) in fitting] or fitting or tried
        return [f"num_warps = {self.warps} : i32"] * (self.warps > 0) + wishes

    def number_of_program(self):
        """Lines that number all programs of the grid."""
        axes = [axis for axis, extent in zip("xyz", self.grid) if extent > 1] or ["x"]
        for axis in axes:
            self.note("grid", axis)
        *others, last = axes
        lines = [f"  %pid{'_' + last if others else ''} = fsm.program_id {last} : i32"]
        before = f"%pid_{last}"
        # Of several axes the first varies fastest.
        for axis in reversed(others):
            name = "%pid" if axis == others[0] else f"%pid_{axis}{last}"
            lines += [f"  %pid_{axis} = fsm.program_id {axis} : i32", f"  %pids_{axis} = fsm.num_programs {axis} : i32",
                      f"  %pid_of_{axis} = arith.muli {before}, %pids_{axis} overflow<nsw> : i32",
                      f"  {name} = arith.addi %pid_of_{axis}, %pid_{axis} overflow<nsw> : i32"]
            before = name
        return lines

    def frame(self):
        """Names and types of what helpers are handed."""
        frame = [("%pid", "i32")] + [(f"%n{i}", "i32") for i in range(3)] + [(f"%m{i}", "i32") for i in range(len(self.known))]
        frame += [(f"%p_{e}", f"!fsm.ptr<{e}>") for e in self.buffers]
        frame += [(f"%c_{self.twin}", f"!fsm.ptr<{self.twin}>")] * bool(self.twin)
        frame += [(f"%s_{e}", f"!fsm.ptr<{e}>") for e in sorted(self.shared)]
        frame += [("%t", "!fsm.ptr<i64>")] * self.uses_table + [(f"%w_{e}", f"!fsm.ptr<{e}>") for e in sorted(self.rows)]
        return [name for name, _ in frame], [kind for _, kind in frame]

    def moved(self, name, argument, element, size):
        place = "%t" if name == "t" else f"%{name}_{element}"
        return [f"  {place}_size = arith.constant {size} : i32",
                f"  {place}_first = arith.muli %pid, {place}_size overflow<nsw> : i32",
                f"  {place} = fsm.offset %{argument}_{element}, {place}_first : !fsm.ptr<{element}>, i32"]

    def promise(self, letter, element):
        """What is true of an argument, said or not."""
        promises = []
        is_row = letter == "w" and (self.dice_of_frame.random() < 0.9 or element in self.walked_elements)
        if (is_row or self.dice_of_frame.random() < 0.2) and not self.uses_addresses():
            promises.append("fsm.noalias")
        is_aligned = element in self.aligned if letter == "b" else letter == "o" and self.dice_of_frame.random() < 0.6
        if is_row or is_aligned or self.dice_of_frame.random() < 0.3:
            promises.append(f"fsm.align = {self.dice_of_frame.choice((16, 64))} : i32")
        if letter == "w" or letter in "bd" and element not in self.written and self.dice_of_frame.random() < 0.3:
            promises.append("fsm.readonly")
        if self.dice_of_frame.random() < 0.15:
            promises.append("fsm.large")
        self.promises[letter, element] = text = f" {{{', '.join(promises)}}}" if promises else ""
        return text

    def promise_of(self, number):
        """What is true of a number, said or not."""
        choice = self.dice_of_frame.random()
        kind, size = ("", 0) if number <= 0 or choice < 0.7 else ("equal_to", number) if choice < 0.8 else \
            ("divisible", number & -number)
        self.number_promises.append((kind, size))
        return f" {{fsm.{kind} = {size} : i32}}" if kind else ""

    def promise_of_known(self, number):
        return f" {{fsm.divisible = {number & -number} : i32}}" if self.dice_of_frame.random() < 0.3 else ""

    def uses_addresses(self):
        return any("fsm.ptr_to_int" in line for line in self.lines + self.functions)

    def arrays(self):
        """Letter, element type and size of each array, in the order of the arguments: buffers, a second of one type, outputs, table, counters,
        rows."""
        arrays = [("b", e, self.programs * REGION) for e in self.buffers]
        arrays += [("d", self.twin, self.programs * REGION)] if self.twin else []
        arrays += [("o", e, self.programs * size) for e, size in self.sink_sizes().items()]
        arrays += [("t", "i64", self.programs * SLOTS)] * self.uses_table
        arrays += [("s", e, SHARED) for e in sorted(self.shared)]
        return arrays + [("w", e, size) for e, size in sorted(self.rows.items())]
