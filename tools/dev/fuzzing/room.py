"""How many registers a thread of a GPU needs for the blocks of a kernel, about: for choosing numbers of warps that have room.

More than the compiler counts (lib/Analysis/BlockLives.cpp), so that what runs has room to spare: a block is held from
the line that makes it to the last that uses it, around each loop that uses it from outside; what is made of ranges and
scalars alone is made again where it is needed. Extents count as the next powers of two, bytes as 16 bits.
"""

import re

from .language import WIDTH

# Of a thread, and of all threads of a program.
MOST_REGISTERS, ALL_REGISTERS = 255, 65536
WARP = 32
# What the compiler's own changes of the code may add: a tenth.
SPARE = 1.1

NAME = re.compile(r"%\w+")
DEFINED = re.compile(r"^\s*(%\w+)(?::(\d+))? = (?:(scf|func|fsm|arith|math)\.(\w+))")
PAIR = re.compile(r"(%\w+) = (%\w+)")
TYPE = re.compile(r"tensor<((?:\d+x)+)(\w+)>|!fsm\.ptr<(?:!fsm\.ptr<\w+>|\w+)>|\b(?:i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E4M3FN|f8E5M2)\b")
CALLED = re.compile(r"func\.call @(\w+)")
FREE = ("range", "splat", "constant")
MOVED = ("broadcast", "expand_dims", "transpose", "hint")


def registers_with(warps):
    """How many a thread may have of a program of so many warps."""
    return min(MOST_REGISTERS, ALL_REGISTERS // (warps * WARP) // 8 * 8)


def words_of(extents, element, threads):
    size = 1
    for extent in extents.split("x")[:-1]:
        size *= 1 << (int(extent) - 1).bit_length()
    bits = 1 if element == "i1" else max(16, WIDTH[element])
    return -(-max(1, size // threads) * bits // 32)


class Line:
    """What a line defines, as pairs of name and (extents, element), and the names that it uses."""

    def __init__(self, text):
        self.names = set(NAME.findall(text))
        self.results, self.is_loop, self.op = [], " scf.for " in text or " scf.while " in text, ""
        self.called = CALLED.findall(text)
        match = DEFINED.match(text)
        if not match and not self.is_loop:
            return
        tail = text[text.rfind("->"):] if "->" in text else text[text.rfind(" : "):]
        kinds = [(found.group(1), found.group(2)) for found in TYPE.finditer(tail)]
        if match:
            self.op = match.group(4)
            self.is_arith = match.group(3) == "arith"
            self.names.discard(match.group(1))
            if self.op in ("for", "while", "if", "call"):
                # All results go by one name.
                self.results.append((match.group(1), kinds))
            else:
                kind = kinds[-1] if kinds else (None, None)
                self.results.append((match.group(1), [(kind[0], "i1") if self.op in ("cmpi", "cmpf") else kind]))
        for (inside, _), kind in zip(PAIR.findall(text.partition("iter_args(")[2]), kinds):
            self.names.discard(inside)
            self.results.append((inside, [kind]))

    def is_made_again(self, blocks, again):
        """Whether no register has to hold what it defines."""
        if self.op in FREE:
            return True
        extents, element = self.results[0][1][0]
        is_simple = self.op in MOVED or self.is_arith and (element or "").startswith("i")
        return bool(extents) and is_simple and all(name in again for name in self.names & blocks)


def loops_around(texts):
    """For each line the loops around it, from the outermost on, as numbers of their first and their last line."""
    around, open_ones, ends = [], [], {}
    for number, text in enumerate(texts):
        depth = len(text) - len(text.lstrip())
        if text.lstrip().startswith("}") and open_ones and open_ones[-1][1] == depth and not text.endswith("{"):
            ends[open_ones.pop()[0]] = number
        around.append([first for first, _ in open_ones])
        if (" scf.for " in text or " scf.while " in text) and text.endswith("{"):
            open_ones.append((number, depth))
    return [[(first, ends.get(first, len(texts))) for first in firsts] for firsts in around]


def changes_of(texts):
    """At which lines blocks begin and end to be held, as (line, +1 or -1, kinds); and (line, function) of calls."""
    lines, around = [Line(text) for text in texts], loops_around(texts)
    made, blocks, again, lasts = {}, set(), set(), {}
    for number, line in enumerate(lines):
        for name, kinds in line.results:
            made[name] = number, kinds
            if any(extents for extents, _ in kinds):
                blocks.add(name)
        if line.results and line.op not in ("", "for", "while", "if", "call") and line.is_made_again(blocks, again):
            again.add(line.results[0][0])
        for name in line.names & made.keys():
            end = next((end for first, end in around[number] if first > made[name][0]), number)
            lasts[name] = max(lasts.get(name, 0), end)
    return [(made[name][0], lasts[name], made[name][1]) for name in blocks - again if name in lasts], \
        [(number, called) for number, line in enumerate(lines) for called in line.called]


class Room:
    """What a kernel's blocks need, for any number of warps; of blocks that are walked, where there is a piece."""

    def __init__(self, lines, functions, piece=0):
        self.functions = {}
        if piece:
            lines = [re.sub(r"(?<=[<x])\d+(?=x)", lambda extent: str(min(int(extent.group()), piece)), line) for line in lines]
        for text in functions:
            head, *inside = text.split("\n")
            self.functions[re.search(r"@(\w+)", head).group(1)] = changes_of(inside)
        self.own = changes_of(lines)

    def registers(self, warps):
        return self.most(self.own, warps * WARP)

    def most(self, part, threads):
        """The most words at any line: a block is held behind its line, until just before the results of its last use."""
        lives, calls = part
        changes = []
        for first, last, kinds in lives:
            words = sum(words_of(*kind, threads) for kind in kinds if kind[0])
            changes += [(first, words), (last, -words)]
        for number, called in calls:
            words = self.most(self.functions[called], threads)
            changes += [(number - 0.5, words), (number, -words)]
        now = most = 0
        for _, change in sorted(changes):
            now += change
            most = max(most, now)
        return most

    def has(self, warps, registers=MOST_REGISTERS):
        """Whether programs of so many warps have room, in so many registers a thread."""
        return SPARE * self.registers(warps) <= min(registers, registers_with(warps))
