"""One random kernel: what it is made of, its text, its launch, and what its sinks may differ by."""

import inspect
import random
import re
from collections import Counter, namedtuple

# The modules of steps fill the table.
from . import reduce_steps, scalar_steps, shape_steps  # noqa: F401
from .control_steps import Control
from .language import ABSENT, ELEMENTS
from .memory_steps import Memory
from .registry import STEPS
from .values import NONE, Value, size_of
from .writer import REGION, Writer

VECTORS = [(n,) for n in (1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 127, 128, 256, 257, 512)]
TILES = [(r, c) for r in (1, 2, 3, 4, 8, 16) for c in (1, 2, 7, 16, 32)] + [(2, 65), (5, 64), (4, 128), (33, 8), (16, 32)]
CUBES = [(2, 3, 4), (4, 1, 16), (2, 8, 8), (3, 2, 33), (8, 4, 8), (2, 2, 2, 2), (1, 3, 2, 5), (2, 1, 4, 2, 8), (3, 2, 2, 3, 2)]
# Elements of a type that a program may leave in sinks.
MOST_SINKS = 8192
# Elements of a buffer that all programs count in.
SHARED = 64

# A value that is kept in the output: elements `start` to `start + count` of each program's part of the sink of its
# element type, and how far they may be from the interpreter's.
Sink = namedtuple("Sink", "element start count error")


def takes_path(function):
    return "path" in inspect.signature(function).parameters


class Kernel(Writer, Memory, Control):
    """Kernel `seed` without the steps in `skipped`, which are named by paths. Each step has dice of its own, so that
    leaving one out changes little in the others."""

    def __init__(self, seed, skipped=frozenset()):
        super().__init__()
        self.seed, self.skipped = seed, skipped
        self.dice = dice = random.Random(seed)
        self.paths, self.notes = [], Counter()
        self.trips, self.added, self.stored, self.hinted = 1, 0, False, False
        self.written, self.shared, self.sinks = set(), {}, []
        self.shapes = dice.sample(VECTORS, dice.choice((1, 2))) + dice.sample(TILES, 1)
        if dice.random() < 0.35:
            self.shapes += dice.sample(CUBES, 1)
        self.elements = dice.sample(ELEMENTS, 5) + ["i32"]
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
            chosen = self.dice.choices(FUNCTIONS_OF, WEIGHTS)[0]
            if chosen in WITH_PATH:
                chosen(self, here)
            else:
                chosen(self)
        self.dice = outer

    # What is left at the end.

    def sink_unused(self):
        """Stores what nothing has used, each value to a place of its own, so that no step goes unseen."""
        used = Counter(re.findall(r"%\w+(?:#\d+)?", "\n".join(self.lines)))
        places = {}
        for value in reversed(self.values):
            base = value.name.split("#")[0]
            count = size_of(value.shape)
            start = sum(s.count for s in self.sinks if s.element == value.element)
            if used[value.name] > (1 if "#" not in value.name else 0) or start + count > MOST_SINKS or base.startswith("%i"):
                continue
            self.sink(value, start, places)

    def sink(self, value, start, places):
        element, error = value.element, value.bound.error
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
        self.body(self.dice.randrange(6, 26))
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


FUNCTIONS_OF = [s.function for s in STEPS]
WEIGHTS = [s.weight for s in STEPS]
WITH_PATH = {function for function in FUNCTIONS_OF if takes_path(function)}
