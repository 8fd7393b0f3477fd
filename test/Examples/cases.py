"""Which launches check which example.

Every example is a class with two lists: `basic`, what its own RUN line runs and what must find the mutants, and
`matrix`, the rest; example.py has what they share.
"""

from dataclasses import replace

import numpy as np

import references
from devices import CHECKS_BOUNDS
from elements import ELEMENTS
from example import (FLOATS, SOFTMAX_ERROR_GPU, Case, Example, OneDimensional, cluster_cases, large_cases,
                     long_cases, piece_cases, random_cases, warp_cases)
from launches import Launch, input_buffer, output_of
from layer_norm import LayerNormBackward
from matmul import Matmul, MatmulGrouped, MatmulPersistent, MatmulWeights

# Relative errors allowed in float32. A sum of 1024 terms in 16 lanes or more has at most 68 roundings of 2^-24 in a
# row: 4e-6.
SUM_ERROR = 4e-6
# No sum; roundings of a dozen operations of which tanh and erf may be 2 ulp off.
POINTWISE_ERROR = 1e-6
# Exact in every element type.
EPS = 2.0**-16


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
    # Loads run ahead where someone asks for it.
    basic = [*Softmax.basic, *(Case(9, cols, kind, options={"grid": 2}, num_stages=stages)
                               for cols, kind, stages in ((781, "f32", 3), (1024, "f32", 4), (1000, "bf16", 2)))]
    matrix = [
        *Softmax.matrix,
        # Fewer programs than rows, as many, more; loops shorter and longer than the pipeline is deep.
        *(Case(7, 300, out_gap=1, options={"grid": grid}, num_stages=stages)
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

    rows = {"in": "rows", "out": "rows"}
    clusters = cluster_cases(rows)
    pieces = piece_cases(rows)
    long = long_cases((("ROWS", 1),), rows)

    def recorded(self, cols, kind):
        return Case(3, cols, kind, "cuda", options={"in": "rows", "out": "rows"})

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        source = self.layouts[case.options["in"]](case.rows, case.cols)
        target = self.layouts[case.options["out"]](case.rows, case.cols)
        # All that a kernel without masks could reach, but for the longest rows.
        guard = 0 if case.device in CHECKS_BOUNDS else min((self.block(case) + 16) * max(*source, *target), 1 << 23)
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


class SoftmaxOnline(Example):
    """Rows of several blocks, each of which may scale the sum anew: one exponential more for each."""

    name = "08-softmax-online"
    basic = [*Softmax.basic, Case(2, 5000, out_gap=1), Case(9, 781, "f16", options=SPECIAL)]
    matrix = [
        *Softmax.matrix,
        *(Case(3, cols, kind, parameters=(("BLOCK", block),))
          for cols, block, kind in ((781, 100, "f32"), (33, 1, "f32"), (2049, 1024, "f16"), (700, 93, "bf16"),
                                    (300, 64, "f64"), (20000, 2048, "f32"))),
        *(Case(9, 300, kind, "interp", parameters=(("BLOCK", 50),), options=SPECIAL) for kind in FLOATS),
        *(Case(2, 1000, num_stages=stages) for stages in (1, 2, 5)),
    ]

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        if case.options.get("special"):
            stored = case.element.round(special_rows(x))
            x = case.element.widen(stored)
        out = self.output(case, references.softmax(x), SOFTMAX_ERROR_GPU)
        strides = [case.cols + case.in_gap, case.cols + case.out_gap]
        return Launch(case.title, case.rows, case.device,
                      [out.buffer, self.input(case, stored), *strides, case.cols], {0: out})


class CrossEntropy(Example):
    name = "13-cross-entropy"
    factor = 0.125

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        labels = random.integers(0, case.cols, (case.rows, 1), np.int32)
        labels[1::3] = -1
        (losses, sizes), derivative = references.cross_entropy(x, labels[:, 0], self.factor)
        computed = ELEMENTS[case.element.parameters.get("C", "f32")]
        loss = output_of(computed, (losses[:, None], sizes[:, None]), case.softmax_error, 1, guard=self.guard(case))
        out = self.output(case, derivative, case.softmax_error)
        label = input_buffer(ELEMENTS["i32"], labels, 1)
        strides = [case.cols + case.in_gap, case.cols + case.out_gap]
        return Launch(case.title, case.rows, case.device,
                      [loss.buffer, out.buffer, self.input(case, stored), label, *strides, case.cols, self.factor],
                      {0: loss, 1: out})


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


class Dropout(OneDimensional):
    """The same bits on every device, and for every number of counters of a program."""

    name = "14-dropout"
    # A program has four elements for each of its block's.
    long = [replace(case, parameters=(("BLOCK", dict(case.parameters)["BLOCK"] // 4),)) for case in OneDimensional.long]
    basic = [case for case in OneDimensional.basic if case.type != "i32"]
    matrix = [
        *(case for case in OneDimensional.matrix if case.type != "i32"),
        *(Case(1, 2000, options={"p": p, "seed": seed}) for p in (0.5, 1.0, 1e-3) for seed in (0, -1, 2**40 + 7)),
    ]
    large = [case for case in OneDimensional.large if case.type != "i32"]

    def block(self, case):
        return 4 * dict(case.parameters).get("BLOCK", 256)

    def launch(self, case, random, kernel):
        stored, x = self.normal(case, random)
        computed = ELEMENTS[case.element.parameters.get("C", "f32")].storage
        p, seed = case.options.get("p", 0.8), case.options.get("seed", 0x123456789ABCDEF)
        answer = references.dropout(x.astype(computed), computed(p), seed)
        out = self.output(case, (case.element.round(answer), None), "bits")
        arguments = [out.buffer, self.input(case, stored), case.cols, p, seed]
        return Launch(case.title, self.grid(case), case.device, arguments, {0: out})


class Argmax(Example):
    """The greatest element of each row and its column. Every other row has few different numbers."""

    name = "15-argmax"
    basic = [*Softmax.basic, Case(9, 781, "bf16", "interp", options=SPECIAL), Case(9, 300, "f64", options=SPECIAL)]
    matrix = [*Example.matrix, *(Case(9, 97, kind, device, options=SPECIAL) for kind in FLOATS
                                 for device in ("cpu", "interp", "sim"))]

    def launch(self, case, random, kernel):
        x = random.standard_normal((case.rows, case.cols))
        x[1::2] = np.round(x[1::2])
        if case.options.get("special"):
            x = special_rows(x)
        stored = case.element.round(x)
        most, column = references.argmax(case.element.widen(stored))
        values = output_of(case.element, (most, None), "rounded", 1, guard=self.guard(case))
        columns = output_of(ELEMENTS["i32"], (column, None), "bits", 1, guard=self.guard(case))
        return Launch(case.title, case.rows, case.device,
                      [values.buffer, columns.buffer, self.input(case, stored), case.cols + case.in_gap, case.cols],
                      {0: values, 1: columns})


EXAMPLES = {
    example.name: example
    for example in (Copy(), VectorAdd(), RowSum(), Softmax(), SoftmaxPersistent(), SoftmaxStrided(), SoftmaxBackward(),
                    SoftmaxOnline(), RMSNorm(), LayerNorm(), LayerNormBackward(), Gelu(), CrossEntropy(), Dropout(),
                    Argmax(), Matmul(), MatmulPersistent(), MatmulGrouped(), MatmulWeights())
}
