"""Random programs that access a few words, and whether two of them race by what the language says of order.

Usage: races.py FSM_RUN [--devices=A,B] [--count=N] [--seed=N].

The programs of a kernel do different things, one access after the other: plain, volatile and atomic, of words and bytes. Who
comes before whom is found here by sets of accesses, as if programs ran one after the other, which they do on interp, and on sim
where a kernel acquires. No access may be reported that does not race; each that does must be, but for two stores that leave the
same and a compiler that leaves one out; and the two places that are named must be of two that race.
"""

import pathlib
import random
import re
import sys
import tempfile
from dataclasses import dataclass, field

from device import DEVICES, SECONDS, batch, finish

WORDS = 5
STEPS = 4
KINDS = ("load", "load", "store", "store", "store byte", "load byte", "add", "add", "swap", "load volatile", "store volatile")
ORDERS = ("relaxed", "acquire", "release", "acq_rel")
HEADER = """fsm.kernel @k(%m: !fsm.ptr<i32>, %o: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %number = fsm.ptr_to_int %m : !fsm.ptr<i32> -> i64
  %one = arith.constant 1 : i32
  %absent = arith.constant 77 : i32
"""
INTERP = re.compile(r"\d+\.mlir:(\d+):\d+: program \((\d+), 0, 0\) .* program \((\d+), 0, 0\) .*nothing orders the two\n"
                    r".*\d+\.mlir:(\d+):\d+: note: the other access is here")
SIM = re.compile(r"\d+\.mlir:(\d+): global memory race: .*which program \((\d+), 0, 0\).*\(source line (\d+)\).*"
                 r"program \((\d+), 0, 0\), warp")


@dataclass
class Access:
    """What a program does at a line, and what it has learnt before."""

    program: int
    line: int
    first: int
    size: int
    reads: bool
    writes: bool
    strong: bool
    sem: str = "relaxed"
    value: bytes = None
    changes: tuple = ()
    known: set = field(default_factory=set)

    def bytes(self):
        return range(self.first, self.first + self.size)


class Kernel:
    """A random kernel: its text, and what its programs do in their order."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.orders = ORDERS if seed % 2 else ("relaxed", "release")
        # Programs that hear of one another before what they do, and tell it afterwards.
        self.tells = seed % 4 == 1
        self.lines, self.accesses = HEADER.splitlines(), []
        self.programs = self.dice.choice((2, 2, 3, 4))
        for program in range(self.programs):
            self.lines += [f"  %c{program} = arith.constant {program} : i32",
                           f"  %is{program} = arith.cmpi eq, %pid, %c{program} : i32", f"  scf.if %is{program} {{"]
            if self.tells:
                self.add(program, f"{program}_h", "add", 0, self.dice.choice(("acquire", "acq_rel", "relaxed")))
            for step in range(self.dice.randint(1, STEPS)):
                self.add(program, f"{program}_{step}", self.dice.choice(KINDS), self.dice.randrange(self.tells, WORDS))
            if self.tells:
                self.add(program, f"{program}_t", "add", 0, self.dice.choice(("release", "acq_rel", "release", "relaxed")))
            self.lines.append("  }")
        self.lines += ["  fsm.return", "}"]

    def add(self, program, name, kind, word, sem=None):
        value = self.dice.choice((0, 1, 1, 257))
        size, element, pointer = (1, "i8", f"%q{name}") if "byte" in kind else (4, "i32", f"%p{name}")
        first = 4 * word + (self.dice.randrange(2) if size == 1 else 0)
        how = " volatile" if "volatile" in kind else ""
        self.lines += [f"    %i{name} = arith.constant {word} : i32", f"    %p{name} = fsm.offset %m, %i{name} : !fsm.ptr<i32>, i32"]
        if size == 1:
            self.lines += [f"    %b{name} = arith.constant {first} : i64", f"    %n{name} = arith.addi %number, %b{name} : i64",
                           f"    %q{name} = fsm.int_to_ptr %n{name} : i64 -> !fsm.ptr<i8>"]
        access = Access(program, 0, first, size, not kind.startswith("store"), kind.startswith(("store", "add")), bool(how))
        if kind.startswith("load"):
            self.perform(access, f"%x{name} = fsm.load {pointer}{how} : !fsm.ptr<{element}> -> {element}")
            self.keep(name, element)
        elif kind.startswith("store"):
            access.value = value.to_bytes(4, "little")[:size]
            self.lines.append(f"    %v{name} = arith.constant {value % 256 if size == 1 else value} : {element}")
            self.perform(access, f"fsm.store %v{name}, {pointer}{how} : {element}, !fsm.ptr<{element}>")
        else:
            access.sem, scope = sem or self.dice.choice(self.orders), "" if sem else self.dice.choice(("", "", "", " scope = cta"))
            access.strong = not scope
            op = "atomic_rmw <add> %one" if kind == "add" else "atomic_cas %absent, %one"
            self.perform(access, f"%x{name} = fsm.{op}, {pointer} sem = {access.sem}{scope} : i32, !fsm.ptr<i32>")

    def perform(self, access, line):
        self.lines.append(f"    {line}")
        access.line = len(self.lines)
        self.accesses.append(access)

    def keep(self, name, element):
        """What was loaded goes to a place of its own, so that the load stays."""
        self.lines += [f"    %w{name} = arith.extsi %x{name} : i8 to i32"] if element == "i8" else []
        self.lines += [f"    %j{name} = arith.constant {len(self.accesses)} : i32",
                       f"    %k{name} = fsm.offset %o, %j{name} : !fsm.ptr<i32>, i32",
                       f"    fsm.store %{'w' if element == 'i8' else 'x'}{name}, %k{name} : i32, !fsm.ptr<i32>"]


def run_in_turn(kernel):
    """Notes for each access which others it comes behind, and which bytes it changes."""
    memory, messages = bytearray(4 * WORDS), {}
    known, program = set(), -1
    for number, access in enumerate(kernel.accesses):
        if access.program != program:
            known, program = set(), access.program
        acquires, releases = (access.strong and access.sem in both for both in (("acquire", "acq_rel"), ("release", "acq_rel")))
        if acquires:
            known |= messages.get(access.first, set())
        access.known = set(known)
        known.add(number)
        before = bytes(memory[byte] for byte in access.bytes())
        after = access.value
        if after is None:
            after = (int.from_bytes(before, "little") + access.writes).to_bytes(access.size, "little")
        access.changes = tuple(byte for byte, old, new in zip(access.bytes(), before, after) if old != new)
        memory[access.first:access.first + access.size] = after
        if access.value is not None:
            overwrite(messages, access, {n for n, a in enumerate(kernel.accesses[:number + 1]) if a.program == program})
        if releases and access.writes:
            messages[access.first] = messages.get(access.first, set()) | known


def overwrite(messages, access, own):
    """A store ends what a flag says, but for a volatile one of who says it."""
    for place in list(messages):
        overlaps = set(range(place, place + 4)) & set(access.bytes())
        if overlaps and not (access.strong and max(messages[place]) in own):
            del messages[place]


def races(kernel, surely):
    """The pairs of accesses that race; `surely`: of two stores those in a byte that the later one changes."""
    for number, later in enumerate(kernel.accesses):
        for earlier_number, earlier in enumerate(kernel.accesses[:number]):
            both = set(earlier.bytes()) & set(later.bytes())
            if not both or earlier.program == later.program or not (earlier.writes or later.writes):
                continue
            if earlier_number in later.known or (earlier.strong and later.strong):
                continue
            plain = not (earlier.strong or later.strong) and earlier.value is not None and later.value is not None
            if plain and surely and not both & set(later.changes):
                continue
            if plain and all(earlier.value[b - earlier.first] == later.value[b - later.first] for b in both) and not surely:
                # One of the programs may have written another value before.
                if not any(other.program in (earlier.program, later.program) and other.writes and
                           set(other.bytes()) & both for other in kernel.accesses if other not in (earlier, later)):
                    continue
            yield earlier, later


def fault(kernel, device, code, text):
    """What is wrong with a report, or nothing; and whether there was one."""
    certain, possible = list(races(kernel, True)), list(races(kernel, False))
    if code not in (0, 1) or (code == 1 and "race" not in text and "nothing orders" not in text):
        return f"exit {code}: {text}"
    if code == 0:
        return "no report" if certain and device == "interp" else ""
    if not possible:
        return f"a report where nothing races: {text}"
    pairs = {(a.program, a.line, b.program, b.line) for a, b in possible}
    found = [(int(other), int(line), int(program), int(here)) for here, program, other, line in INTERP.findall(text)]
    found += [(int(other), int(line), int(program), int(here)) for here, other, line, program in SIM.findall(text)]
    wrong = [pair for pair in found if pair not in pairs]
    if wrong or not found:
        return f"{wrong or 'nothing'} races where {sorted(pairs)} do: {text}"
    return ""


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    numbers = {"count": 100, "seed": 0}
    numbers.update((name, int(word.partition("=")[2])) for word in sys.argv[1:] for name in numbers
                   if word.startswith(f"--{name}="))
    complaints, certain, reported = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(numbers["seed"], numbers["seed"] + numbers["count"]):
            kernel = Kernel(seed)
            run_in_turn(kernel)
            path = pathlib.Path(name) / f"{seed}.mlir"
            path.write_text("\n".join(kernel.lines) + "\n", encoding="utf-8")
            for device in DEVICES:
                done = batch.run([fsm_run], [str(path), f"--device={device}", f"--grid={kernel.programs}",
                                             f"--arg=i32[{WORDS}]:full:0", "--arg=i32[32]"], SECONDS)
                certain += any(races(kernel, True))
                reported += done.returncode != 0
                if sentence := fault(kernel, device, done.returncode, done.stderr):
                    complaints.append(f"kernel {seed} on {device}: {sentence}")
    print("\n".join(complaints))
    print(f"{numbers['count']} kernels, {certain} launches race, {reported} reported, {len(complaints)} failures")
    return 0 if finish() and not complaints and reported > 0.9 * certain > 0.2 * numbers["count"] else 1


if __name__ == "__main__":
    sys.exit(main())
