"""One line for each element of each value: the source line, the program, the label, the coordinates and the value."""

import math
import re

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns
from suite.launches import In

SHAPES = ((), (37,), (3, 5), (2, 2, 3))
LINE = re.compile(r".*?:(?P<line>\d+):\d+: program \((?P<program>[\d, ]+)\): (?P<label>\w+) ?(?:#\d+ )?"
                  r"(?:\[(?P<place>[\d, ]*)\] )?= (?P<value>\S+)$")


def is_value(text, bits, kind, hexadecimal):
    """Whether a text is a number: an integer exactly, a float to its last digit."""
    if hexadecimal:
        return int(text, 16) == bits
    if kind == "i1":
        return text in ("0", "1") and int(text) == bits
    number = formats.decode(bits, kind)
    if not formats.is_float(kind):
        return int(text) == number
    return math.isnan(float(text)) if math.isnan(number) else formats.encode(float(text), kind) == bits


def expected(shape, data, line):
    """Line of the text, program, coordinates and bits of each line that is printed, in the order in one program."""
    for index in np.ndindex(shape):
        yield line, index, data[index] if shape else data[()]


def lines_of(outcome, label):
    """What was printed, by program."""
    found = {}
    for text in (outcome.stderr + outcome.stdout).splitlines():
        match = LINE.match(text)
        if match and match["label"] == label:
            place = tuple(int(n) for n in (match["place"] or "").split(",") if n.strip())
            program = tuple(int(n) for n in match["program"].split(","))
            found.setdefault(program, []).append((int(match["line"]), place, match["value"]))
    return found


def one(kind, shape, hexadecimal, grid):
    data = patterns(kind, int(np.prod(shape, dtype=int)), "print").reshape(shape)
    kernel = Kernel(source="*" + kind)
    value = kernel.load("%source", kind, shape)
    line = kernel.write(f'fsm.print "label"{" hex" * hexadecimal} {value} : {block(shape, kind)}')

    def check(outcome, device):
        del device
        found = lines_of(outcome, "label")
        programs = {(x, y, 0) for x in range(grid[0]) for y in range(grid[1])}
        if set(found) != programs:
            return f"lines of the programs {sorted(found)}: {outcome.stderr[:300]}"
        answer = list(expected(shape, data, line))
        for program, lines in found.items():
            if [entry[:2] for entry in lines] != [entry[:2] for entry in answer]:
                return f"program {program} printed the elements {lines[:5]} of {len(lines)}, expected {answer[:5]}"
            wrong = [(text, int(bits)) for (_, _, text), (_, _, bits) in zip(lines, answer)
                     if not is_value(text, int(bits), kind, hexadecimal)]
            if wrong:
                return f"program {program} printed {wrong[0][0]} for the bits {wrong[0][1]:#x}"
        return ""
    return kernel.launch(f"{shape}{' hex' * hexadecimal}", [In(kind, data)], check, grid=",".join(map(str, grid)))


def address():
    """A pointer is printed as a number that is not 0, and each with its place."""
    kernel = Kernel(source="*f32")
    kernel.write('fsm.print "label" %source : !fsm.ptr<f32>')

    def check(outcome, device):
        del device
        lines = lines_of(outcome, "label").get((0, 0, 0), [])
        return "" if len(lines) == 1 and int(lines[0][2], 0) > 0 else f"printed {lines}: {outcome.stderr[:300]}"
    return [kernel.launch("address", [In("f32", [0] * 4)], check)]


def make(kind):
    if kind == formats.POINTER:
        return address()
    found = [one(kind, shape, False, (2, 2) if shape == (3, 5) else (1, 1)) for shape in SHAPES]
    return found + ([] if formats.is_float(kind) else [one(kind, (37,), True, (1, 1))])


OP = Structured(formats.TYPES, make)
