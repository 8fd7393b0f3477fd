"""Masked loads that run ahead of their loops, by bulk copies, asynchronous ones and through registers, against NumPy.

Usage: staged_masks.py FSM_RUN [--devices=A,B] [--jobs=N] [--only=TEXT].

A program moves rows of a matrix into another, one an iteration, elements under a mask. Masks are bounds by each comparison,
of a range, of sums that may wrap and of sums that do, and end before the row, in it, at its end and behind it. What is off
is nothing, a number, or -0. Bits are compared.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, given, guard_of, perform_all

ROWS = 4
# How blocks come: large ones by bulk copies where a GPU has them, of extents that fill the threads and that do not.
LARGE = (("f32", 8192), ("f32", 8200), ("i8", 33008))
SMALL = (("f32", 256), ("f64", 100), ("i8", 77), ("f32", 100))
STORAGE = {"f32": np.float32, "f64": np.float64, "i8": np.int8}
TARGETS = ("", "sm_80", "sm_75")
SCHEDULES = ("seed=0,landing=2", "seed=3,landing=1", "seed=5,landing=3")
TOP = 2 ** 31
# NumPy's comparison, and whether the bound may stand on the left, with the comparison turned around.
COMPARE = {"slt": np.less, "sle": np.less_equal, "sge": np.greater_equal, "ult": np.less, "ule": np.less_equal, "ne": np.not_equal}
FLIPPED = {"slt": "sgt", "sle": "sge", "sge": "sle", "ult": "ugt", "ule": "uge", "ne": "ne"}
# What is compared with the bound: a range from 0 or elsewhere, or its sum with a number of the launch, which does not wrap
# and says so, or does not, or which wraps.
COUNTED = ("range", "range from 16", "sum", "sum without flag", "sum that wraps")
BOUNDS = ("all", "odd", "none", "behind", "before")
OTHERS = ("none", "7", "-0")


class Case:
    """Rows of a block under a mask."""

    def __init__(self, number, block, order, counted, bound, is_flipped):
        (self.kind, self.width), self.order, self.counted = block, order, counted
        self.other = OTHERS[number % (3 if self.kind != "i8" else 2)]
        self.is_flipped, self.stages, self.number = is_flipped, 2 + number % 3, number
        step = 16 // np.dtype(STORAGE[self.kind]).itemsize
        # In elements of the row; what is a multiple of 16 bytes comes by bulk copies.
        self.end = {"before": -16, "none": 0, "partial": self.width * 5 // 8 // step * step, "odd": self.width // 2 + 1,
                    "all": self.width, "behind": self.width + 16}[bound]
        self.begin = 16 if counted == "range from 16" else 0
        self.base = TOP - self.width // 2 // 16 * 16 if counted == "sum that wraps" else 1024 if "sum" in counted else 0
        self.title = f"{self.width} x {self.kind}, {'flipped ' * self.is_flipped}{order} of {counted} up to {bound}, " \
                     f"other {self.other}"

    def numbers(self):
        """What is compared, the bound, and the mask."""
        bound = self.base + self.end + self.begin
        counted = self.base + self.begin + np.arange(self.width, dtype=np.int64)
        if self.counted == "sum that wraps":
            bound = self.base + self.end // 64 * 16
        counted, bound = ((side + TOP) % (2 * TOP) - TOP for side in (counted, np.int64(bound)))
        left, right = (side % (2 * TOP) for side in (counted, bound)) if self.order[0] == "u" else (counted, bound)
        return int(bound), COMPARE[self.order](left, right)

    def text(self):
        block, ints = f"tensor<{self.width}x{self.kind}>", f"tensor<{self.width}xi32>"
        flag = " overflow<nsw>" if self.counted == "sum" else ""
        masked = "%range" if "range" in self.counted else "%sum"
        sides = ("%bounds", masked) if self.is_flipped else (masked, "%bounds")
        order = FLIPPED[self.order] if self.is_flipped else self.order
        number = {"7": "7.0" if "f" in self.kind else "7", "-0": "-0.0", "none": "0"}[self.other]
        other = [f"%other = arith.constant {number} : {self.kind}"] if self.other != "none" else []
        lines = ["%zero = arith.constant 0 : i32", "%one = arith.constant 1 : i32",
                 f"%width = arith.constant {self.width} : i32", f"%at = fsm.range 0, {self.width} : {ints}",
                 f"%range = fsm.range {self.begin}, {self.begin + self.width} : {ints}",
                 f"%bases = fsm.splat %base : {ints}", f"%sum = arith.addi %bases, %at{flag} : {ints}",
                 f"%bounds = fsm.splat %bound : {ints}", *other,
                 "scf.for %i = %zero to %rows step %one : i32 {",
                 f"%mask = arith.cmpi {order}, {sides[0]}, {sides[1]} : {ints}",
                 "%place = arith.muli %i, %width : i32",
                 f"%from = fsm.offset %in, %place : !fsm.ptr<{self.kind}>, i32",
                 f"%x = fsm.load %from[%at], %mask{', %other' * len(other)} : !fsm.ptr<{self.kind}>, {ints} -> {block}",
                 f"%to = fsm.offset %out, %place : !fsm.ptr<{self.kind}>, i32",
                 f"fsm.store %x, %to[%at] : {block}, !fsm.ptr<{self.kind}>, {ints}",
                 f"}} {{fsm.num_stages = {self.stages} : i32}}", "fsm.return"]
        pointer = f"!fsm.ptr<{self.kind}>"
        return f"fsm.kernel @k(%out: {pointer}, %in: {pointer}, %rows: i32, %base: i32, %bound: i32) {{\n  " \
            + "\n  ".join(lines) + "\n}\n"

    def fault(self, fsm_run, device):
        """What is wrong, or nothing."""
        bound, mask = self.numbers()
        noise = np.random.default_rng(self.width).integers(-9, 9, (ROWS, self.width)).astype(STORAGE[self.kind])
        off = {"none": 0, "7": 7, "-0": -0.0}[self.other]
        answer = np.where(mask, noise, np.array(off, STORAGE[self.kind]))
        command = [fsm_run]
        if device == "sim":
            command = ["env", f"FSM_SIMULATOR={SCHEDULES[self.number % 3]},global_races=2", fsm_run]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "k.mlir").write_text(self.text(), encoding="utf-8")
            np.save(f"{folder}/in.npy", noise)
            arguments = [f"{folder}/k.mlir", f"--device={device}", "--grid=1", f"--arg={self.kind}[{answer.size}]",
                         f"--arg=@{folder}/in.npy", f"--arg={ROWS}", f"--arg={self.base - 2 * TOP * (self.base >= TOP)}",
                         f"--arg={bound}", f"--out=0:{folder}/out.npy"]
            if device.startswith(("sim", "cuda")):
                # Enough that a thread has registers for what it holds.
                arguments += [f"--num-warps={8 if self.width > 4096 else 1 + self.number % 2}", f"--num-stages={self.stages}"]
            target = TARGETS[self.number % 3] if self.width <= 4096 else ""
            arguments += [f"--target={target}"] if target and device == "sim" else []
            done = batch.run(command, arguments + guard_of(arguments), SECONDS)
            if done.returncode:
                return f"{' '.join([*command, *arguments])}\nexit {done.returncode}: {done.stderr.strip()}"
            got = np.load(f"{folder}/out.npy").reshape(answer.shape)
        wrong = np.argwhere(got.view(np.uint8).reshape(ROWS, -1) != answer.view(np.uint8).reshape(ROWS, -1))
        return f"{len(wrong)} bytes wrong, the first at {tuple(wrong[0])}" if len(wrong) else ""


def chosen(counted, order, is_flipped, turns):
    """Blocks and bounds that a mask is tried with: all bounds if bulk copies may count by it, else some by turns."""
    if order == "slt" and not is_flipped and counted != "sum that wraps":
        yield from ((next(turns[0]), bound) for bound in BOUNDS)
    else:
        yield next(turns[0]), next(turns[2])
    yield next(turns[0]), "partial"
    yield next(turns[1]), next(turns[2])


def cases():
    turns = [itertools.cycle(choice) for choice in (LARGE, SMALL, BOUNDS)]
    orders = [(order, False) for order in COMPARE] + [(order, True) for order in ("slt", "sle", "sge")]
    tried = [(counted, *order, *choice) for counted, order in itertools.product(COUNTED, orders)
             for choice in chosen(counted, *order, turns)]
    for number, (counted, order, is_flipped, block, bound) in enumerate(tried):
        yield Case(number, block, order, counted, bound, is_flipped)


def check_one(fsm_run, run):
    case, device = run
    fault = case.fault(fsm_run, device)
    return fault and f"FAIL {case.title}, {case.stages} stages, {device}: {fault}"


def main():
    return perform_all([(case, device) for case in cases() for device in DEVICES if given("only", "") in case.title], check_one)


if __name__ == "__main__":
    sys.exit(main())
