"""What examples are tested with: cases, and what all examples share.

A case is a line of a list of an example; `launch` turns it into arguments and expected buffers.
"""

import zlib
from dataclasses import dataclass, field, replace

import numpy as np

from devices import CHECKS_BOUNDS
from elements import ELEMENTS
from launches import input_buffer, output_of

# Relative errors allowed in float32. The exponential of the softmax family is off by 2^-22 + |x| 1.3 2^-24 (language.md),
# 1e-6 for the rows tested here; in a sum of as many exponentials most of the errors cancel: with the roundings of the sum
# it all stays below 2e-6.
SOFTMAX_ERROR = 2e-6
# A GPU's ex2.approx is off by 2^-22 by itself, and the argument it gets is rounded once more.
SOFTMAX_ERROR_GPU = 4e-6


@dataclass(frozen=True)
class Case:
    """rows x cols elements of a type on a device. `in_gap` and `out_gap` are elements between two rows; `options` is
    whatever else an example understands."""

    rows: int
    cols: int
    type: str = "f32"
    device: str = "cpu"
    in_gap: int = 0
    out_gap: int = 0
    parameters: tuple = ()
    options: dict = field(default_factory=dict, hash=False)
    num_warps: int = 0
    num_stages: int = 0
    num_ctas: int = 0
    # What the kernel's text says of the pieces in which its blocks are walked.
    piece: int = 0

    @property
    def softmax_error(self):
        return SOFTMAX_ERROR if self.device in ("cpu", "interp") else SOFTMAX_ERROR_GPU

    @property
    def element(self):
        return ELEMENTS[self.type]

    @property
    def title(self):
        extras = [f"{name}={value}" for name, value in (*self.parameters, *self.options.items())]
        gaps = [f"gaps {self.in_gap}, {self.out_gap}"] if self.in_gap or self.out_gap else []
        warps = [f"{self.num_warps} warps"] if self.num_warps else []
        warps += [f"{self.num_stages} stages"] if self.num_stages else []
        warps += [f"{self.num_ctas} ctas"] if self.num_ctas else []
        warps += [f"pieces of {self.piece}"] if self.piece else []
        return ", ".join([f"{self.device} {self.type} {self.rows}x{self.cols}", *gaps, *extras, *warps])


def random_cases(count, types, layouts=()):
    """The same shapes, blocks, gaps and types in every run, but chosen by nobody. With `layouts` those of the strided
    softmax."""
    random = np.random.default_rng(count)
    cases = []
    for _ in range(count):
        block = int(random.integers(1, 300 if layouts else 3000))
        cols = int(random.integers(1, block + 1))
        parameters, options = [("BLOCK", block)], {}
        in_gap, out_gap = (int(gap) for gap in random.integers(0, 20, 2) * random.integers(0, 2, 2))
        if layouts:
            parameters.append(("ROWS", int(random.integers(1, 9))))
            options = {"in": str(random.choice(layouts)), "out": str(random.choice(layouts))}
            in_gap = out_gap = 0
        device = "interp" if random.integers(0, 4) == 0 else "cpu"
        rows = int(random.integers(1, 10))
        cases.append(Case(rows, cols, str(random.choice(types)), device, in_gap, out_gap, tuple(parameters), options))
    return cases


FLOATS = ("f32", "f64", "f16", "bf16")
LARGE_SHAPES = ((1823, 781), (583, 931), (1, 1), (4097, 33))


def large_cases(types=("f32", "f16", "bf16"), options=lambda rows: {}):
    return [Case(rows, cols, kind, options=options(rows)) for rows, cols in LARGE_SHAPES for kind in types]


def warp_cases(large=(("BLOCK", 4096),), options=None):
    """Every number of warps over blocks that they fill, fill in part, and that hold much for each."""
    cases = []
    for warps in (1, 2, 4, 8, 16):
        shared = {"options": options or {}, "num_warps": warps}
        cases += [Case(5, 781, **shared), Case(7, 1000, "f16", **shared), Case(3, 1024, "bf16", **shared),
                  Case(9, 33, parameters=(("BLOCK", 64),), **shared), Case(2, 93, "f64", **shared)]
        if warps >= 4:
            cases.append(Case(3, 1024, parameters=large, **shared))
    return cases


def cluster_cases(options=None):
    """Programs on several CTAs: blocks that these fill, fill in part, and that are in each of them."""
    shared = {"options": options or {}}
    return [Case(5, 781, num_ctas=2, **shared), Case(3, 1024, "bf16", num_ctas=8, num_warps=2, **shared),
            Case(2, 93, "f64", num_ctas=4, **shared), Case(3, 1000, "f16", num_ctas=16, num_warps=1, **shared),
            Case(4, 33, parameters=(("BLOCK", 64),), num_ctas=8, num_warps=4, **shared),
            # Many narrow accesses of a thread.
            Case(3, 2001, "bf16", parameters=(("BLOCK", 2001),), num_ctas=2, num_warps=1, **shared),
            Case(3, 1777, "f16", parameters=(("BLOCK", 2048),), num_ctas=2, num_warps=1, **shared)]


def piece_cases(options=None):
    """Blocks that are walked in pieces: whole ones, and with a shorter piece at the end."""
    shared = {"options": options or {}}
    return [Case(5, 781, piece=256, **shared), Case(3, 1024, "bf16", piece=128, num_warps=2, **shared),
            Case(3, 999, "f16", parameters=(("BLOCK", 1000),), piece=256, **shared),
            Case(2, 93, "f64", piece=512, num_ctas=2, **shared)]


# What the registers of one CTA hold of a row of f32, in a softmax.
LARGEST = 32768


def long_cases(parameters=(), options=None):
    """Rows of 1, 2, 3, 5 and 16 times what a CTA's registers hold."""
    return [Case(2 if times < 5 else 1, times * LARGEST - gap, kind, device, options=options or {},
                 parameters=(("BLOCK", times * LARGEST), *parameters)) for device in ("cpu", "sim")
            for times, gap, kind in ((1, 0, "f32"), (2, 7, "f32"), (3, 0, "f32"), (5, 1, "f16"), (16, 3, "f32"))]


class Example:
    """What all examples share. `declared` is the set of parameters the file declares. Besides `basic` and `matrix` there
    are `large`, the matrices that a GPU is for, `warps`, `clusters`, `pieces` and `long`, rows of up to 2^19 numbers."""

    kernels = ("",)
    # Element types beside f32 whose cases look for mutants.
    mutated = ()
    basic = [
        Case(5, 781, in_gap=3, out_gap=5),
        Case(2, 1024),
        Case(0, 781),
        Case(3, 1, out_gap=1),
        Case(3, 781, "f64"),
        Case(3, 1000, "f16", out_gap=24),
        Case(3, 781, "bf16"),
        Case(3, 781, device="interp", in_gap=2, out_gap=1),
    ]
    matrix = [
        *(Case(2, cols, out_gap=2) for cols in (1, 2, 31, 32, 33, 1000, 1023, 1024)),
        *(Case(1, cols, kind) for kind in ("f64", "f16", "bf16") for cols in (1, 33, 1024)),
        *(Case(3, cols, kind, "interp") for kind in FLOATS for cols in (1, 97)),
        Case(0, 781, device="interp"),
        Case(33, 64, in_gap=64),
        # Blocks that are no powers of two, and longer ones.
        Case(4, 1, parameters=(("BLOCK", 1),)),
        Case(4, 100, parameters=(("BLOCK", 100),)),
        Case(4, 99, "f16", parameters=(("BLOCK", 100),)),
        Case(3, 781, parameters=(("BLOCK", 781),)),
        Case(3, 93, device="interp", parameters=(("BLOCK", 100),)),
        Case(3, 2048, parameters=(("BLOCK", 2048),)),
        Case(3, 4096, parameters=(("BLOCK", 4096),)),
        *random_cases(30, FLOATS),
    ]
    large = large_cases()
    warps = warp_cases()
    clusters = cluster_cases()
    pieces = piece_cases()
    long = long_cases()

    def recorded(self, cols, kind):
        """The case whose results on a GPU the simulator's tests replay."""
        return Case(3, cols, kind, "cuda")

    def launches(self, cases, declared):
        return [self.prepared(case, kernel, declared) for case in cases for kernel in self.kernels]

    def prepared(self, case, kernel, declared):
        seed = zlib.crc32(f"{self.name} {kernel} {case.title}".encode())
        launch = self.launch(case, np.random.default_rng(seed), kernel)
        chosen = {**case.element.parameters, **dict(case.parameters)}
        launch.parameters = {name: value for name, value in chosen.items() if name in declared}
        launch.kernel = kernel
        launch.num_warps, launch.num_stages = case.num_warps, case.num_stages
        launch.num_ctas, launch.piece = case.num_ctas, case.piece
        return launch

    def block(self, case):
        return dict(case.parameters).get("BLOCK", 1024)

    def guard(self, case):
        """How far behind its matrix a kernel without its mask could reach; nothing where bounds are checked."""
        return 0 if case.device in CHECKS_BOUNDS else 2 * (self.block(case) + case.cols + case.in_gap + case.out_gap)

    def normal(self, case, random, rows=None):
        """Random normal numbers as stored, and their exact values."""
        shape = (case.rows if rows is None else rows, case.cols)
        if case.element.is_integer:
            stored = random.integers(-(2**31), 2**31, shape, np.int32)
        else:
            stored = case.element.round(random.standard_normal(shape))
        return stored, case.element.widen(stored)

    def input(self, case, stored):
        return input_buffer(case.element, stored, case.cols + case.in_gap, guard=self.guard(case))

    def output(self, case, answer, rule):
        return output_of(case.element, answer, rule, case.cols + case.out_gap, guard=self.guard(case))


class OneDimensional(Example):
    """Examples over n elements: the columns of one row. Program i takes the i-th block."""

    basic = [
        Case(1, 3000),
        Case(1, 0),
        Case(1, 2048),
        Case(1, 1, "f64"),
        Case(1, 1025, "f16"),
        Case(1, 1023, "bf16"),
        Case(1, 3000, "i32"),
        Case(1, 1500, device="interp"),
    ]
    matrix = [
        *(Case(1, n, kind) for kind in ("f32", "f64", "f16", "bf16", "i32") for n in (1, 1023, 1024, 100000)),
        *(Case(1, n, kind, "interp") for kind in ("f32", "f64", "f16", "bf16", "i32") for n in (1, 300)),
        Case(1, 0, device="interp"),
        Case(1, 1000, parameters=(("BLOCK", 1),), device="interp"),
        Case(1, 1000, parameters=(("BLOCK", 100),)),
        Case(1, 1000, "bf16", parameters=(("BLOCK", 781),)),
        Case(1, 100000, parameters=(("BLOCK", 4096),)),
        *(replace(case, rows=1, cols=case.cols * case.rows, in_gap=0, out_gap=0)
          for case in random_cases(30, (*FLOATS, "i32"))),
    ]
    large = [replace(case, rows=1, cols=case.rows * case.cols)
             for case in large_cases(("f32", "f16", "bf16", "i32"))]
    warps, clusters, pieces, long = ([replace(case, rows=1, cols=case.rows * case.cols) for case in cases]
                                     for cases in (warp_cases(), cluster_cases(), piece_cases(), long_cases()))

    def recorded(self, cols, kind):
        return Case(1, 3 * cols, kind, "cuda")

    def grid(self, case):
        return -(-case.cols // self.block(case))
