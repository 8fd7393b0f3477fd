"""Products of tensors that end within a tile, whose copies bring only what is there: random extents against NumPy.

Usage: short_boxes.py FSM_RUN [--devices=A,B] [--count=N].

All numbers are small integers, so that there is one right answer. What lies behind each tensor's end is NaN, and results begin as NaN: what
is read there, or multiplied though nobody has written it, is seen.
"""

import pathlib
import random
import re
import sys
import tempfile

import numpy as np

from device import DEVICES, batch, finish

KERNEL = pathlib.Path(__file__).resolve().parents[2] / "examples" / "16-matmul.mlir"
PLAIN = {"T": "f16", "O": "f32", "PRECISION": "//", "SLOPE": "1.0"}
# Tiles, stages, and what else is asked for: with warps that load and without, two CTAs that share a loop, programs that go on.
FORMS = (((64, 64, 64), 4, ["--roles=always"]), ((64, 64, 64), 3, ["--roles=never"]), ((64, 64, 32), 3, ["--spread=2"]),
         ((128, 64, 64), 2, []), ((256, 64, 64), 2, []), ((64, 128, 64), 3, ["--loop-programs=always"]), ((64, 64, 64), 3, ["--cluster=2", "--roles=always"]))
SECONDS = 120


class Case:
    """Rows, columns and inner extent of a product, and how its programs are."""

    def __init__(self, number, dice):
        self.number = number
        (self.bm, self.bn, self.bk), self.stages, self.options = FORMS[number % len(FORMS)]
        # Also more rows than a tile has, and those of the second factor by columns, which then end within a tile.
        self.m = dice.choice([dice.randint(1, self.bm), 1, self.bm - 1, self.bm, self.bm + dice.randint(1, 9)])
        self.n = dice.choice([8 * dice.randint(1, 10), 8 * dice.randint(1, 30)])
        self.k = dice.choice([8 * dice.randint(1, 8), 8 * dice.randint(1, 40)])
        self.by_columns = number // len(FORMS) % 2 == 1

    @property
    def title(self):
        columns = ", second factor by columns" if self.by_columns else ""
        return f"{self.number}: {self.m} x {self.n} x {self.k} by {self.bm} x {self.bn} x {self.bk}, {self.stages} stages{columns}, {' '.join(self.options)}"

    @property
    def shortens(self):
        """Whether a factor ends within its tile, along the dimension whose lines a box counts; copies that programs share are whole."""
        lines_of_second = self.n < self.bn if self.by_columns else self.k < self.bk
        return "--cluster=2" not in self.options and (self.m < self.bm or lines_of_second)

    def factors(self):
        generator = np.random.default_rng(self.number)
        return [generator.integers(-4, 5, shape).astype(np.float16) for shape in ((self.m, self.k), (self.k, self.n))]

    def line(self, folder, device):
        a, b = self.factors()
        expected = a.astype(np.float32) @ b.astype(np.float32)
        # Lines behind the end that no copy may bring.
        files = []
        for name, array in (("a", a), ("b", b.T if self.by_columns else b)):
            padded = np.full((array.shape[0] + 9, array.shape[1]), np.nan, np.float16)
            padded[:array.shape[0]] = array
            files.append(folder / f"{name}{self.number}.npy")
            np.save(files[-1], padded)
        np.save(folder / f"c{self.number}.npy", expected)
        values = {**PLAIN, "BM": self.bm, "BN": self.bn, "BK": self.bk, "STAGES": self.stages,
                  "B_STRIDES": "1, %b_stride" if self.by_columns else "%b_stride, 1"}
        numbers = [self.m, self.n, self.k, self.n, self.k, self.k if self.by_columns else self.n]
        return [str(KERNEL), f"--device={device}", "--grid=auto", f"--arg=f32[{self.m}x{self.n}]:full:nan",
                *(f"--arg=@{file}" for file in files), *(f"--arg={number}" for number in numbers), *self.options,
                *(word for name, value in values.items() for word in ("-D", f"{name}={value}")),
                f"--check=0:{folder}/c{self.number}.npy,rtol=0,atol=0"]


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    count = next((int(word.partition("=")[2]) for word in sys.argv[1:] if word.startswith("--count=")), 42)
    dice = random.Random(15)
    cases = [Case(number, dice) for number in range(count)]
    complaints, shortened = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in cases:
            for device in DEVICES:
                line = case.line(folder, device)
                done = batch.run([fsm_run], line, SECONDS)
                if done.returncode:
                    complaints.append(f"{case.title} on {device}: exit {done.returncode}: {done.stderr.strip()[:600]}")
            if device == "sim":
                plan = batch.run([fsm_run], [*line[:-1], "--emit=contract"], SECONDS).stdout
                is_short = bool(re.search('"box_ends": true', plan))
                shortened += is_short
                if is_short != case.shortens:
                    complaints.append(f"{case.title}: expected {'a' if case.shortens else 'no'} box that ends with its tensor")
    print("\n".join(complaints))
    print(f"{len(cases)} products, {shortened} with boxes that end with their tensors, {len(complaints)} failures")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
