"""Which launches check which example.

Every example is a class with two lists: `basic`, what its own RUN line runs and what must find the mutants, and
`matrix`, the rest. A case is a line of such a list; `launch` turns it into arguments and expected buffers.
"""

import zlib
from dataclasses import dataclass, field, replace

import numpy as np

import references
from devices import CHECKS_BOUNDS
from elements import ELEMENTS
from launches import Launch, input_buffer, output_of

# Relative errors allowed in float32. A sum of 1024 terms in 16 lanes or more has at most 68 roundings of 2^-24 in a
# row: 4e-6. The exponential of the softmax family adds 2^-22 + |x| 1.3 2^-24 (language.md), 1e-6 for the rows tested
# here; in a sum of as many exponentials most of the errors cancel, so the two together stay below 2e-6.
SOFTMAX_ERROR = 2e-6
# A GPU's ex2.approx is off by 2^-22 by itself, and the argument it gets is rounded once more.
SOFTMAX_ERROR_GPU = 4e-6
SUM_ERROR = 4e-6
# No sum; roundings of a dozen operations of which tanh and erf may be 2 ulp off.
POINTWISE_ERROR = 1e-6
# Exact in every element type.
EPS = 2.0**-16


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


class Example:
    """What all examples share. `declared` is the set of parameters the file declares. Besides `basic` and `matrix` there
    are `large`, the matrices that a GPU is for, and `warps`."""

    kernels = ("",)
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

    def launches(self, cases, declared):
        return [self.prepared(case, kernel, declared) for case in cases for kernel in self.kernels]

    def prepared(self, case, kernel, declared):
        seed = zlib.crc32(f"{self.name} {kernel} {case.title}".encode())
        launch = self.launch(case, np.random.default_rng(seed), kernel)
        chosen = {**case.element.parameters, **dict(case.parameters)}
        launch.parameters = {name: value for name, value in chosen.items() if name in declared}
        launch.kernel = kernel
        launch.num_warps = case.num_warps
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
    warps = [replace(case, rows=1, cols=case.rows * case.cols) for case in warp_cases()]

    def grid(self, case):
        return -(-case.cols // self.block(case))


class Copy(OneDimensional):
    name = "01-copy"

    def launch(self, case, random, kernel):
        # Any bits: signed zeros, infinities and NaNs with payloads come through as they are.
        count = case.cols * np.dtype(case.element.storage).itemsize
        stored = np.frombuffer(random.bytes(count), case.element.storage).reshape(1, -1)
        out = self.output(case, (stored, None), "bits")
        return Launch(case.title, self.grid(case), case.device, [out.buffer, self.input(case, stored), case.cols],
                      {0: out})


class VectorAdd(OneDimensional):
    name = "02-vector-add"

    def launch(self, case, random, kernel):
        (a, exact_a), (b, exact_b) = self.normal(case, random), self.normal(case, random)
        with np.errstate(over="ignore"):
            out = self.output(case, (exact_a + exact_b, None), "rounded")
        arguments = [out.buffer, self.input(case, a), self.input(case, b), case.cols]
        return Launch(case.title, self.grid(case), case.device, arguments, {0: out})


class RowSum(Example):
    name = "03-row-sum"
    basic = [*Example.basic, Case(4, 781, "i32", in_gap=1)]
    matrix = [*Example.matrix, Case(3, 1024, "i32"), Case(3, 31, "i32", "interp")]
    large = large_cases(("f32", "f16", "bf16", "i32"))

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        value, scale = references.row_sum(x)
        answer = value[:, None], None if scale is None else scale[:, None]
        out = output_of(case.element, answer, SUM_ERROR, 1, guard=self.guard(case))
        arguments = [out.buffer, self.input(case, stored), case.cols + case.in_gap, case.cols]
        return Launch(case.title, case.rows, case.device, arguments, {0: out})


def special_rows(x):
    """Overwrites the first rows with -inf, NaN, +inf and huge numbers in the places where they are easily got wrong."""
    x[0, :] = -np.inf
    x[1, x.shape[1] // 2] = np.nan
    x[2, -1] = np.inf
    x[3, 0], x[3, -1] = np.nan, np.inf
    x[4, 0], x[4, 1:] = np.inf, -np.inf
    x[5, : x.shape[1] // 2] = -np.inf
    # The exponential of these overflows in every type; f16 just holds them.
    x[6, :], x[6, -1] = 6e4, -6e4
    x[7, :] = np.nan
    return x


SPECIAL = {"special": True}


class Softmax(Example):
    name = "04-softmax"
    persistent = False
    basic = [*Example.basic, Case(9, 781, out_gap=3, options=SPECIAL)]
    matrix = [
        *Example.matrix,
        *(Case(9, cols, kind, device, options=SPECIAL) for kind in FLOATS
          for cols, device in ((33, "interp"), (1024, "cpu"))),
    ]

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        if case.options.get("special"):
            stored = case.element.round(special_rows(x))
            x = case.element.widen(stored)
        out = self.output(case, references.softmax(x), case.softmax_error)
        strides = [case.cols + case.in_gap, case.cols + case.out_gap]
        shape = [case.rows, case.cols] if self.persistent else [case.cols]
        grid = case.options.get("grid", 4) if self.persistent else case.rows
        return Launch(case.title, grid, case.device, [out.buffer, self.input(case, stored), *strides, *shape], {0: out})


class SoftmaxPersistent(Softmax):
    name = "05-softmax-persistent"
    persistent = True
    matrix = [
        *Softmax.matrix,
        # Fewer programs than rows, as many, more; loops shorter and longer than the pipeline is deep.
        *(Case(7, 300, out_gap=1, parameters=(("STAGES", stages),), options={"grid": grid})
          for stages in (1, 2, 3, 6) for grid in (1, 7, 64)),
        Case(1, 781, options={"grid": 3}),
        Case(1823, 781, options={"grid": "persistent:1823"}),
        Case(0, 781, options={"grid": "persistent:0"}),
        Case(6, 93, device="interp", options={"grid": "persistent:6"}),
    ]
    large = large_cases(options=lambda rows: {"grid": f"persistent:{rows}"})


class SoftmaxStrided(Example):
    """`options` names the two layouts: (row stride, column stride) of a rows x cols matrix."""

    name = "06-softmax-strided"
    layouts = {
        "rows": lambda rows, cols: (cols, 1),
        "columns": lambda rows, cols: (1, max(rows, 1)),
        "gaps": lambda rows, cols: (2 * cols + 3, 2),
        "far": lambda rows, cols: (3, 3 * rows + 1),
    }
    basic = [
        Case(6, 781, options={"in": "rows", "out": "rows"}),
        Case(5, 600, options={"in": "columns", "out": "gaps"}),
        Case(0, 31, options={"in": "rows", "out": "rows"}),
        Case(5, 31, "f64", options={"in": "gaps", "out": "far"}),
        Case(5, 31, "f16", options={"in": "far", "out": "columns"}),
        Case(4, 128, "bf16", options={"in": "columns", "out": "rows"}),
        Case(3, 31, device="interp", parameters=(("BLOCK", 32),), options={"in": "far", "out": "gaps"}),
    ]
    matrix = [
        Case(583, 931, options={"in": "rows", "out": "rows"}),
        Case(583, 931, options={"in": "columns", "out": "rows"}),
        Case(583, 931, options={"in": "gaps", "out": "far"}),
        Case(583, 931, "f16", options={"in": "rows", "out": "columns"}),
        Case(7, 1, options={"in": "gaps", "out": "columns"}),
        Case(1, 1024, options={"in": "rows", "out": "gaps"}),
        Case(4, 1024, options={"in": "rows", "out": "rows"}),
        *(Case(5, 50, kind, "interp", parameters=(("BLOCK", 64), ("ROWS", 2)), options={"in": "columns", "out": "far"})
          for kind in FLOATS),
        Case(10, 93, parameters=(("BLOCK", 100), ("ROWS", 3)), options={"in": "rows", "out": "columns"}),
        Case(10, 93, parameters=(("BLOCK", 100), ("ROWS", 1)), options={"in": "far", "out": "rows"}),
        Case(40, 60, parameters=(("BLOCK", 64), ("ROWS", 16)), options={"in": "rows", "out": "rows"}),
        *random_cases(30, FLOATS, tuple(layouts)),
    ]
    large = large_cases(options=lambda rows: {"in": "rows", "out": "rows"})
    warps = [
        *(replace(case, parameters=(("BLOCK", 1024), ("ROWS", 1)))
          for case in warp_cases(options={"in": "columns", "out": "rows"})),
        *(Case(9, 60, kind, parameters=(("BLOCK", 64), ("ROWS", 4)), options={"in": "rows", "out": "gaps"},
               num_warps=warps) for warps in (1, 2, 4, 8, 16) for kind in ("f32", "f16")),
    ]

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        source = self.layouts[case.options["in"]](case.rows, case.cols)
        target = self.layouts[case.options["out"]](case.rows, case.cols)
        guard = 0 if case.device in CHECKS_BOUNDS else (self.block(case) + 16) * max(*source, *target)
        out = output_of(case.element, references.softmax(x), case.softmax_error, *target, guard=guard)
        arguments = [out.buffer, input_buffer(case.element, stored, *source, guard=guard), *source, *target]
        tile = dict(case.parameters).get("ROWS", 4)
        return Launch(case.title, -(-case.rows // tile), case.device, [*arguments, case.rows, case.cols], {0: out})


class SoftmaxBackward(Example):
    name = "07-softmax-backward"

    def launch(self, case, random, kernel):
        y_stored = case.element.round(references.softmax(self.normal(case, random)[1])[0])
        dy_stored, dy = self.normal(case, random)
        answer = references.softmax_backward(case.element.widen(y_stored), dy)
        out = self.output(case, answer, case.softmax_error)
        y = input_buffer(case.element, y_stored, case.cols, guard=self.guard(case))
        strides = [case.cols + case.out_gap, case.cols, case.cols + case.in_gap]
        return Launch(case.title, case.rows, case.device,
                      [out.buffer, y, self.input(case, dy_stored), *strides, case.cols], {0: out})


class RMSNorm(Example):
    name = "09-rms-norm"

    def launch(self, case, random, kernel):
        (x_stored, x), (w_stored, w) = self.normal(case, random), self.normal(case, random, rows=1)
        out = self.output(case, references.rms_norm(x, w, EPS), SUM_ERROR)
        strides = [case.cols + case.in_gap, case.cols + case.out_gap]
        arguments = [out.buffer, self.input(case, x_stored), self.input(case, w_stored), *strides, case.cols, EPS]
        return Launch(case.title, case.rows, case.device, arguments, {0: out})


class LayerNorm(Example):
    name = "10-layer-norm"

    def launch(self, case, random, kernel):
        x_stored = case.element.round(self.normal(case, random)[1] * 2 + 0.5)
        (w_stored, w), (b_stored, b) = (self.normal(case, random, rows=1) for _ in range(2))
        rows, *statistics = references.layer_norm(case.element.widen(x_stored), w, b, EPS)
        out = self.output(case, rows, SUM_ERROR)
        computed = ELEMENTS[case.element.parameters.get("C", "f32")]
        mean, rstd = (output_of(computed, (value[:, None], scale[:, None]), SUM_ERROR, 1, guard=self.guard(case))
                      for value, scale in statistics)
        inputs = [self.input(case, stored) for stored in (x_stored, w_stored, b_stored)]
        strides = [case.cols + case.in_gap, case.cols + case.out_gap]
        return Launch(case.title, case.rows, case.device,
                      [out.buffer, mean.buffer, rstd.buffer, *inputs, *strides, case.cols, EPS],
                      {0: out, 1: mean, 2: rstd})


class Gelu(OneDimensional):
    """The columns of a case are its elements; the bias repeats every 13 or `bias` of them."""

    name = "12-gelu"
    kernels = ("gelu_tanh", "gelu_erf")
    basic = [case for case in OneDimensional.basic if case.type != "i32"]
    matrix = [
        *(case for case in OneDimensional.matrix if case.type != "i32"),
        *(Case(1, 2000, options={"bias": count}) for count in (1, 768, 1024, 1025)),
    ]
    large = [case for case in OneDimensional.large if case.type != "i32"]
    curves = {"gelu_tanh": references.gelu_tanh, "gelu_erf": references.gelu_erf}

    def launch(self, case, random, kernel):
        count = case.options.get("bias", 13)
        x_stored, x = self.normal(case, random)
        x_stored = case.element.round(x * 3)
        b_stored = case.element.round(random.standard_normal((1, count)))
        bias = np.resize(case.element.widen(b_stored), (1, case.cols))
        answer = self.curves[kernel](case.element.widen(x_stored) + bias)
        out = self.output(case, answer, POINTWISE_ERROR)
        b = input_buffer(case.element, b_stored, count, guard=self.guard(case))
        return Launch(case.title, self.grid(case), case.device,
                      [out.buffer, self.input(case, x_stored), b, case.cols, count], {0: out})


EXAMPLES = {
    example.name: example
    for example in (Copy(), VectorAdd(), RowSum(), Softmax(), SoftmaxPersistent(), SoftmaxStrided(), SoftmaxBackward(),
                    RMSNorm(), LayerNorm(), Gelu())
}
