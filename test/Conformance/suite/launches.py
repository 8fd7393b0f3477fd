"""One launch of a kernel: its text, its arguments, and what must be true of what it leaves behind."""

import os
import pathlib
import re
import sys
import zlib
from dataclasses import dataclass, field

import numpy as np

from suite import formats

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples"))
import batch  # pylint: disable=wrong-import-position
from guards import guard_of  # pylint: disable=wrong-import-position

# What one launch may take before it counts as hanging.
SECONDS = 60
# Elements behind each output that nobody may touch; on the CPU a page lies there.
GUARD = 64
WARPS = (1, 2, 4, 8)


@dataclass
class In:
    """An array that a kernel reads: bits (unsigned numbers)."""

    kind: str
    bits: object

    def contents(self):
        return np.asarray(self.bits, formats.BITS[formats.WIDTH[self.kind]]).reshape(-1)


@dataclass
class Out:
    """An array that a kernel writes; `before` is what stands there, a pattern unless given."""

    kind: str
    count: int
    before: object = None

    def contents(self, guard=GUARD):
        width = formats.WIDTH[self.kind]
        pattern = 0 if width == 1 else 0xA5A5A5A5A5A5A5A5 & ((1 << width) - 1)
        bits = np.full(self.count + guard, pattern, formats.BITS[width])
        if self.before is not None:
            bits[:self.count] = self.before
        return bits


@dataclass
class Outcome:
    """What came of a launch: the exit code, the texts, and each output's bits without the guard."""

    status: int
    stdout: str
    stderr: str
    outputs: list = field(default_factory=list)


@dataclass
class Launch:
    """`check` takes an Outcome and the device's name and gives a sentence about what is wrong, or nothing. With `fails`
    the launch must end with that exit code, and the kernel's outputs are not looked at."""

    title: str
    text: str
    arguments: list
    check: object
    grid: object = 1
    options: tuple = ()
    fails: int = 0

    def command(self, file, device, folder):
        grid = self.grid if isinstance(self.grid, str) else str(self.grid)
        command = [str(file), f"--device={device}", f"--grid={grid}", *self.options]
        if is_gpu(device) and not any(option.startswith("--num-warps") for option in self.options) \
                and "num_warps" not in self.text:
            command.append(f"--num-warps={WARPS[zlib.crc32(self.title.encode()) % len(WARPS)]}")
        for number, argument in enumerate(self.arguments):
            if not isinstance(argument, (In, Out)):
                command.append(f"--arg={argument}")
                continue
            name = f"{folder}/{number}.npy"
            kind = argument.kind
            bits = argument.contents(0) if device == "cpu" and isinstance(argument, Out) else argument.contents()
            np.save(name, formats.array_of(bits, kind))
            prefix = f"{kind}:" if kind in ("bf16", *formats.EIGHTS) else ""
            command.append(f"--arg={prefix}@{name}")
            if isinstance(argument, Out) and not self.fails:
                command.append(f"--out={number}:{folder}/out{number}.npy")
        return command + guard_of([*command, self.title])

    def perform(self, fsm_run, device, folder):
        """A sentence about what is wrong, or an empty one."""
        file = pathlib.Path(folder) / "kernel.mlir"
        file.write_text(self.text, encoding="utf-8")
        try:
            done = batch.run([fsm_run], self.command(file, device, folder), SECONDS)
        except batch.subprocess.TimeoutExpired:
            return f"no end after {SECONDS} s"
        if done.returncode != self.fails:
            return f"exit code {done.returncode} instead of {self.fails}: {shorten(done.stderr, folder)}"
        outcome = Outcome(done.returncode, done.stdout, done.stderr)
        for number, argument in enumerate(self.arguments):
            if not isinstance(argument, Out) or self.fails:
                continue
            got = formats.bits_of(np.load(f"{folder}/out{number}.npy"))
            os.remove(f"{folder}/out{number}.npy")
            if (got[argument.count:] != argument.contents()[argument.count:got.size]).any():
                return f"argument {number} was written to behind its end"
            outcome.outputs.append(got[:argument.count])
        return self.check(outcome, device) or ""


def is_gpu(device):
    return device.split(":")[0] in ("sim", "cuda")


def shorten(text, folder):
    return " | ".join(text.replace(f"{folder}/", "").strip().splitlines()[:4])[:600]


def refusal(text, line, fsm_run, folder):
    """What is wrong with how a kernel is refused, or an empty sentence: there must be an error at `line`, on which the
    op stands, with a sentence."""
    file = pathlib.Path(folder) / "refused.mlir"
    file.write_text(text, encoding="utf-8")
    done = batch.run([fsm_run], [str(file), "--device=interp", "--grid=1", "--list"], SECONDS)
    if done.returncode == 0:
        return f"the kernel is taken\n{text}"
    sentence = rf"^{re.escape(str(file))}:{line}:\d+: error: \S+ .*\w"
    if done.returncode != 2 or not re.search(sentence, done.stderr, re.MULTILINE):
        return f"exit code {done.returncode} and no error at line {line}: {shorten(done.stderr, folder)}\n{text}"
    return ""
