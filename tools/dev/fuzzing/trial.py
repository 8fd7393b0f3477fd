"""Runs a kernel in several ways and compares what they leave in memory with what the interpreter leaves."""

import itertools
import random
import re
from collections import namedtuple

from .arrays import first_difference, read
from .kernel import WARPS
from .launches import OTHERWISE, first_launch, otherwise, second_launch

# A way to run a kernel: the device and further options.
Way = namedtuple("Way", "device options")
# What failed: a sentence, and the words of the command, without the program and the file.
Fault = namedtuple("Fault", "sentence words")

# A GPU need not have room for every kernel; it says so in one of these ways.
NO_ROOM = re.compile(r"needs \d+ (registers a thread|bytes of shared memory a cta|threads a cta)|"
                     r"expected at most 8192 ops")
PRINTED = re.compile(r"^.*: program \(.*\): value.* = .*$", re.MULTILINE)
# Said on interp and sim.
UNWRITTEN = re.compile(r"^.* elements of %.* were not written.*$", re.MULTILINE)
PASSES = ("canonicalize", "fsm-combine", "cse", "loop-invariant-code-motion")
STAGES = (1, 2, 3, 4, 6)
# Each of several devices leaves out one of so many kernels: runs are what takes time.
TURNS = 5
# Which end of arrays lies at a page that nobody may touch.
GUARDS = ("begin", "end")
# Every other kernel, where copies of a loop may have warps of their own.
ROLES = "--roles=always"
# Every other kernel, where ctas may share a loop of products.
SPREAD = (2, 4, 8)
# Every fourth kernel, where roles may load for a neighbour.
CLUSTER = "--cluster=2"
# Every third kernel, where several programs may be one.
BATCH = "--batch-programs=4"
# Another third, where programs go on to others: three are two rounds.
LOOPED = "--loop-programs=2"
# Every other kernel, where what repeats becomes a loop as in a long one.
ROLL = "--roll-from=1"
# What a run changes of many kernels.
CHANGES = (*(f"--num-warps={n}" for n in WARPS), *(f"--num-stages={n}" for n in STAGES), "--no-specialize", ROLES, CLUSTER, BATCH, LOOPED, ROLL,
           *(f"--spread={n}" for n in SPREAD),
           *(f"--guard={side}" for side in GUARDS), *(f"--without={name}" for name in PASSES), *OTHERWISE)


def ways_of(kernel, devices, leaves_out=True):
    """The ways that a kernel is run in, the interpreter's first; always the same for a seed."""
    dice = random.Random(f"{kernel.seed} ways")
    ways = [Way("interp", ())]
    warps = list(kernel.warps_tried)
    dice.shuffle(warps)
    for number, device in enumerate(devices):
        if len(devices) > 1 and kernel.seed % TURNS == number:
            continue
        for turn in range(1 if device == "cpu" or kernel.seed % 16 else 2):
            options = []
            if device != "cpu" and (number_of_warps := warps[turn % len(warps)]):
                options.append(f"--num-warps={number_of_warps}")
            if device == "sim":
                options.append(f"--target={kernel.target}")
            if device != "cpu" and kernel.seed // TURNS % 2:
                options.append(ROLES)
            if device != "cpu" and kernel.seed // TURNS % 4 == 3:
                options.append(CLUSTER)
            # Programs of a cluster have one cta each.
            elif device != "cpu" and kernel.seed % 2:
                options.append(f"--spread={SPREAD[kernel.seed // 2 % len(SPREAD)]}")
            if device != "cpu" and kernel.seed // TURNS % 3 == 1:
                options.append(BATCH)
            if device != "cpu" and kernel.seed // TURNS % 3 == 2:
                options.append(LOOPED)
            if kernel.seed // TURNS % 4 in (0, 3):
                options.append(ROLL)
            if device == "cpu":
                options.append(f"--guard={GUARDS[kernel.seed // TURNS % 2]}")
            if kernel.hinted and dice.random() < 0.6:
                options.append(f"--num-stages={dice.choice([s for s in STAGES if s <= kernel.most_stages])}")
            if dice.random() < 0.4:
                options.append("--no-specialize")
            if leaves_out and dice.random() < 0.4:
                options.append("--without=" + ",".join(dice.sample(PASSES, dice.choice((1, 1, 2, 4)))))
            ways.append(Way(device, tuple(options)))
    return ways


def changes_of(kernel, devices):
    """How the ways of a kernel differ, each change by itself."""
    for way in ways_of(kernel, devices):
        for option in way.options:
            name, _, values = option.partition("=")
            yield from ((f"{name}={value}" for value in values.split(",")) if values else (name,))
    yield from otherwise(kernel)


def runs_of(kernel, devices, leaves_out=True):
    """Each way with the first launch, then one of them with a second: in a process that has loaded the kernel so before, which
    must not take the code that it has."""
    ways = ways_of(kernel, devices, leaves_out)
    first, second = first_launch(kernel), second_launch(kernel)
    last = {way.device: way for way in ways[1:]}.values()
    again = [way for way in last if "--no-specialize" not in way.options] or list(last)
    runs = [(way, first) for way in ways]
    if not again or second == first:
        return runs
    return [*runs, (ways[0], second), (unguarded(again[kernel.seed % len(again)]), second)]


def unguarded(way):
    """The way, where arrays begin as the launch says."""
    return Way(way.device, tuple(option for option in way.options if not option.startswith("--guard")))


def renamed(kernel):
    """The text of a kernel under names that no other has."""
    text = re.sub(r"@(v\d+)", rf"@helper{kernel.seed}_\1", kernel.text)
    return text.replace("fsm.kernel @random(", f"fsm.kernel @random{kernel.seed}(")


def printed_otherwise(expected, actual):
    """A sentence about the first line that two runs say differently, or nothing."""
    for wanted, got in itertools.zip_longest(expected, actual, fillvalue="nothing"):
        if wanted != got:
            return f"expected the line '{wanted}', got '{got}'"
    return ""


class Trial:
    """Kernels, run by one Batch in one folder of inputs."""

    def __init__(self, batch, folder, devices, leaves_out=True):
        self.batch, self.folder, self.devices, self.leaves_out = batch, folder, devices, leaves_out
        self.refusals = []
        self.before = self.after = ""

    def words(self, kernel, way, launch):
        """What follows fsm-run and the file."""
        kind = "special" if kernel.specials else "whole" if kernel.wholes else "edge" if kernel.edges else "real"
        words = ["--kernel=random"] * bool(self.before + self.after)
        words += [f"--device={way.device}", f"--grid={','.join(map(str, launch.grid))}"]
        for letter, element, size in kernel.arrays():
            bits = f"{element}:" if element == "bf16" or element.startswith("f8") else ""
            words.append(f"--arg={bits}@{self.folder}/{element}-{kind}-{size}.npy" if letter in "bdw"
                         else f"--arg={element}[{size}]")
        return words + [f"--arg={n}" for n in launch.numbers + launch.scalars] + list(launch.options + way.options)

    def surround(self, kernel, others):
        """From now on the kernel's module holds the other ones too, each where its seed puts it."""
        self.before = "".join(renamed(other) for other in others if other.seed < kernel.seed)
        self.after = "".join(renamed(other) for other in others if other.seed > kernel.seed)

    def outs(self, kernel, name):
        return {index: self.folder / f"{kernel.seed}-{name}-{index}.npy" for index in range(len(kernel.arrays()))}

    def run(self, kernel, text=None):
        """The first fault, or nothing; `text` stands for the kernel's own."""
        source = self.folder / f"kernel-{kernel.seed}.mlir"
        source.write_text(self.before + (text or kernel.text) + self.after)
        self.refusals = []
        try:
            return self.run_ways(kernel, source)
        finally:
            for path in self.folder.glob(f"{kernel.seed}-*.npy"):
                path.unlink()
            source.unlink()

    def run_ways(self, kernel, source):
        expected, printed, unwritten, launched = {}, [], [], None
        for number, (way, launch) in enumerate(runs_of(kernel, self.devices, self.leaves_out)):
            words = self.words(kernel, way, launch)
            outs = self.outs(kernel, f"way{number}")
            code, text = self.batch.run([str(source), *words, *(f"--out={i}:{path}" for i, path in outs.items())])
            if code == 2 and way.device != "interp" and NO_ROOM.search(text):
                self.refusals.append(text.splitlines()[0])
                continue
            if code:
                return Fault(f"exit code {code}: {text[:2000].strip()}", words)
            lines = PRINTED.findall(text)
            notes = UNWRITTEN.findall(text)
            if launch != launched:
                # The interpreter's, which is first.
                expected, printed, unwritten, launched = outs, lines, notes, launch
            elif way.device == "sim" and (difference := printed_otherwise(unwritten, notes)):
                return Fault(difference, words)
            elif difference := self.compare(kernel, expected, outs) or printed_otherwise(printed, lines):
                return Fault(difference, words)
        return None

    def compare(self, kernel, expected, actual):
        for index, (letter, element, _) in enumerate(kernel.arrays()):
            if expected[index].read_bytes() == actual[index].read_bytes():
                continue
            wanted, got = read(expected[index]), read(actual[index])
            if letter == "t":
                continue  # Addresses.
            if letter != "o":
                # Counters of all programs hold small whole numbers, buffers what is exact.
                if sentence := first_difference(wanted, got, element, 0):
                    return f"argument %{letter}_{element}: {sentence}"
                continue
            if sentence := self.compare_sinks(kernel, element, wanted, got):
                return f"argument %{letter}_{element}: {sentence}"
        return ""

    def compare_sinks(self, kernel, element, wanted, got):
        """Each value that was kept, by the bound of its own."""
        wanted, got = (array.reshape(kernel.programs, -1) for array in (wanted, got))
        for sink in kernel.sinks:
            if sink.element != element:
                continue
            part = slice(sink.start, sink.start + sink.count)
            sentence = first_difference(wanted[:, part].copy(), got[:, part].copy(), element, sink.error)
            if sentence:
                return f"the value at {sink.start} of each program: {sentence}"
        return ""


