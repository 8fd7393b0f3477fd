"""One random kernel: what it is made of, its text, its launch, and what its sinks may differ by."""

import functools
import random
import re
from collections import Counter, namedtuple

# The modules of steps fill the table.
from . import reduce_steps, scalar_steps, shape_steps  # noqa: F401
from .control_steps import Control
from .language import ABSENT, ELEMENTS, INTS, WIDTH
from .memory_steps import Memory
from .registry import CELLS, HOLDERS
from .values import NONE, Value, size_of, type_of
from .writer import REGION, Writer

# Most blocks are small, so that many kernels can be run.
VECTORS = [(n,) for n in (1, 2, 3, 5, 16, 31, 32, 33, 64, 64, 100, 127, 128)]
TILES = [(r, c) for r in (1, 2, 3, 4, 8, 16) for c in (1, 2, 7, 16)] + [(4, 32), (3, 32), (32, 4)]
CUBES = [(2, 3, 4), (4, 1, 16), (2, 8, 8), (3, 2, 17), (2, 2, 2, 2), (1, 3, 2, 5), (2, 1, 4, 2, 8), (3, 2, 2, 3, 2)]
LARGE = [(256,), (257,), (512,), (2, 65), (5, 64), (4, 128), (33, 8), (16, 32), (32, 16), (8, 4, 8), (3, 2, 33)]
# Elements of a type that a program may leave in sinks.
MOST_SINKS = 8192
# Elements of a buffer that all programs count in.
SHARED = 64

# A value that is kept in the output: elements `start` to `start + count` of each program's part of the sink of its
# element type, and how far they may be from the interpreter's.
Sink = namedtuple("Sink", "element start count error")


# Steps that a kernel outside of its loops and branches is dealt at most, and how often one holds others instead.
MOST_STEPS = 20
HOLDS = 0.16


@functools.lru_cache(maxsize=2)
def cards(turn):
    """All cells in the order of this round."""
    order = list(range(len(CELLS)))
    random.Random(f"round {turn}").shuffle(order)
    return order


def card(place):
    """The cell at a place of the endless row of rounds."""
    return CELLS[cards(place // len(CELLS))[place % len(CELLS)]]


class Kernel(Writer, Memory, Control):
    """Kernel `seed` without the steps in `skipped`, which are named by paths. Each step has dice of its own, so that
    leaving one out changes little in the others."""

    def __init__(self, seed, skipped=frozenset()):
        super().__init__()
        self.seed, self.skipped = seed, skipped
        self.dice = dice = random.Random(seed)
        self.paths, self.notes = [], Counter()
        self.trips, self.added, self.stored, self.hinted = 1, 0, False, False
        self.written, self.aligned, self.shared, self.sinks = set(), set(), {}, []
        self.shapes = dice.sample(VECTORS, 1) + dice.sample(TILES, dice.choice((1, 2)))
        if dice.random() < 0.35:
            self.shapes += dice.sample(CUBES, 1)
        if dice.random() < 0.2:
            self.shapes += dice.sample(LARGE, 1)
        self.elements = dice.sample(ELEMENTS, 4) + ["i32"]
        self.buffers = dice.sample(ELEMENTS, dice.choice((1, 2, 3)))
        # What floats are loaded: whole numbers, those and NaN, infinities and -0, or numbers of any kind.
        kind = dice.random()
        self.wholes = kind < 0.5
        self.specials = kind < 0.12
        self.programs = dice.choice((1, 1, 2, 5))
        self.numbers = [dice.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 64, 500)) for _ in range(3)]
        self.warps = dice.choice((0, 1, 2, 4, 8, 16))
        self.target = dice.choice(("sm_75", "sm_80", "sm_90", "sm_90a"))
        self.text = self.written_text()

    def has(self, op):
        return op not in ABSENT

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
        if self.dice.random() < HOLDS:
            self.dice.choices([h.function for h in HOLDERS], [h.weight for h in HOLDERS])[0](self, path)
            return
        cell = card(self.seed * MOST_STEPS + path[0]) if len(path) == 1 else self.dice.choice(CELLS)
        cell.function(self, cell.op, cell.element)

    # What is left at the end.

    def sink_unused(self):
        """Keeps what nothing has used, so that no step goes unseen: exact values of a shape by one number of their bits,
        others each at a place of its own."""
        used = Counter(re.findall(r"%\w+(?:#\d+)?", "\n".join(self.lines)))
        mixed, places = {}, {}
        for value in reversed(self.values):
            if used[value.name] > (0 if "#" in value.name else 1):
                continue
            if value.exact and (value.element in INTS or not self.specials):
                bits = self.bits_of(value)
                before = mixed.get(value.shape)
                mixed[value.shape] = bits if before is None else self.mix(before, bits)
            else:
                self.sink(value, places)
        for value in mixed.values():
            self.sink(value, places)

    def mix(self, before, bits):
        factor = self.constant(bits.shape, "i32", 31)
        return self.binary("arith.addi", self.binary("arith.muli", before, factor), bits)

    def bits_of(self, value):
        """A number of 32 bits that changes when any bit of the value does."""
        shape, width = value.shape, WIDTH[value.element]
        if value.element not in INTS:
            value = self.define(shape, f"i{width}", f"arith.bitcast {value.name} : {value.type} to {type_of(shape, f'i{width}')}")
        if width == 64:
            high = self.binary("arith.shrui", value, self.constant(shape, "i64", 32))
            low, high = (self.define(shape, "i32", f"arith.trunci {v.name} : {v.type} to {type_of(shape, 'i32')}")
                         for v in (value, high))
            return self.mix(high, low)
        if width < 32:
            return self.define(shape, "i32", f"arith.extui {value.name} : {value.type} to {type_of(shape, 'i32')}")
        return value

    def sink(self, value, places):
        element, error = value.element, value.bound.error
        start = sum(s.count for s in self.sinks if s.element == element)
        if start + size_of(value.shape) > MOST_SINKS:
            return
        self.sinks.append(Sink(element, start, size_of(value.shape), error))
        at = self.constant((), "i32", start)
        base = self.define((), "ptr", f"fsm.offset %q_{element}, {at.name} : !fsm.ptr<{element}>, i32", hide=True)
        if not value.shape:
            self.write(f"fsm.store {value.name}, {base.name} : {value.type}, !fsm.ptr<{element}>")
            return
        if value.shape not in places:
            places[value.shape] = self.places(value.shape)
        place = places[value.shape]
        self.write(f"fsm.store {value.name}, {base.name}[{place.name}] : {value.type}, !fsm.ptr<{element}>, {place.type}")

    def sink_sizes(self):
        """Elements of each sink that belong to one program."""
        sizes = Counter()
        for sink in self.sinks:
            sizes[sink.element] += sink.count
        return dict(sorted(sizes.items()))

    def written_text(self):
        self.dice_of_frame = random.Random(f"{self.seed} frame")
        self.body(self.dice.randrange(7, MOST_STEPS + 1))
        self.dice = self.dice_of_frame
        self.sink_unused()
        head = ["  %pid = fsm.program_id x : i32"]
        for element in self.buffers:
            head += self.moved("p", "b", element, REGION)
        for element, size in self.sink_sizes().items():
            head += self.moved("q", "o", element, size)
        arguments = [f"%{letter}_{e}: !fsm.ptr<{e}>{self.promise(letter, e)}" for letter, e, _ in self.arrays()]
        arguments += [f"%n{i}: i32" for i in range(3)]
        warps = f" attributes {{num_warps = {self.warps} : i32}}" if self.warps else ""
        return f"fsm.kernel @random({', '.join(arguments)}){warps} {{\n" + "\n".join(head + self.lines) + \
            "\n  fsm.return\n}\n"

    def moved(self, name, argument, element, size):
        place = f"%{name}_{element}"
        return [f"  {place}_size = arith.constant {size} : i32",
                f"  {place}_first = arith.muli %pid, {place}_size overflow<nsw> : i32",
                f"  {place} = fsm.offset %{argument}_{element}, {place}_first : !fsm.ptr<{element}>, i32"]

    def promise(self, letter, element):
        """What is true of an argument, said or not."""
        promises = []
        if self.dice_of_frame.random() < 0.2 and not self.uses_addresses():
            promises.append("fsm.noalias")
        if self.dice_of_frame.random() < 0.3 or (letter == "b" and element in self.aligned):
            promises.append(f"fsm.align = {self.dice_of_frame.choice((16, 64))} : i32")
        if letter == "b" and element not in self.written and self.dice_of_frame.random() < 0.3:
            promises.append("fsm.readonly")
        return f" {{{', '.join(promises)}}}" if promises else ""

    def uses_addresses(self):
        return any("fsm.ptr_to_int" in line for line in self.lines)

    def arrays(self):
        """Letter, element type and size of each array, in the order of the arguments."""
        arrays = [("b", e, self.programs * REGION) for e in self.buffers]
        arrays += [("o", e, self.programs * size) for e, size in self.sink_sizes().items()]
        return arrays + [("s", e, SHARED) for e in sorted(self.shared)]
