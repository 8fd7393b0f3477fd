"""The derivative of the layer norm: what its kernels must compute, and the launches that check them."""

from dataclasses import replace

import numpy as np

from elements import ELEMENTS
from example import FLOATS, Case, Example, large_cases, random_cases, warp_cases
from launches import Buffer, Launch, Output, input_buffer, output_of

# A sum of 1024 terms in 16 lanes or more has at most 68 roundings of 2^-24 in a row: 4e-6.
SUM_ERROR = 4e-6


def backward(x, dy, weight, mean, rstd):
    """dx, and what each row adds to dw and db; pairs of value and scale as in references.py."""
    xhat, wdy = (x - mean) * rstd, weight * dy
    # x - mean is as exact as x and the mean are.
    size = (np.abs(x) + np.abs(mean)) * rstd

    def average(rows):
        return rows.sum(axis=1, keepdims=True) / max(x.shape[1], 1)
    value = (wdy - xhat * average(xhat * wdy) - average(wdy)) * rstd
    scale = (np.abs(wdy) + size * average(size * np.abs(wdy)) + average(np.abs(wdy))) * rstd
    return (value, scale), (dy * xhat, np.abs(dy) * size), (dy, np.abs(dy))


class LayerNormBackward(Example):
    """`options` has the number of rows of partial sums, `groups`."""

    name = "11-layer-norm-backward"
    kernels = ("locked", "partial", "finish")
    basic = [
        Case(13, 781, in_gap=3, out_gap=5),
        Case(2, 1024, options={"groups": 1}),
        Case(0, 781),
        Case(3, 1, out_gap=1),
        Case(5, 781, "f64"),
        Case(9, 1000, "f16", out_gap=24, options={"groups": 20}),
        Case(5, 781, "bf16"),
        Case(9, 33, device="interp", parameters=(("BLOCK", 64),), in_gap=2, out_gap=1),
        Case(5, 20, "f16", device="interp", parameters=(("BLOCK", 32), ("COLUMNS", 7))),
    ]
    matrix = [
        *(Case(4, cols, kind, out_gap=2) for cols, kind in ((1, "f64"), (31, "f16"), (32, "f32"), (1023, "bf16"))),
        *(Case(3, cols, kind, "interp", parameters=(("BLOCK", 100),)) for kind in FLOATS for cols in (1, 97)),
        Case(70, 64, in_gap=64, options={"groups": 1}),
        Case(40, 100, "f16", parameters=(("BLOCK", 100), ("ROWS", 3)), options={"groups": 7}),
        Case(3, 2048, parameters=(("BLOCK", 2048),)),
        # Groups of warps share the rows of a program: some have one more, or none.
        Case(29, 2048, device="sim", parameters=(("BLOCK", 2048),), in_gap=16, out_gap=5),
        Case(13, 4000, "f16", "sim", parameters=(("BLOCK", 4096),), options={"groups": 2}),
        *random_cases(8, FLOATS),
    ]
    large = large_cases(options=lambda rows: {"groups": 64})
    # A row of f64 and its sums are too much for the registers of one warp.
    warps = [replace(case, parameters=(("BLOCK", 128),)) if case.type == "f64" else case for case in warp_cases()]
    # Loops carry the sums of whole rows, of which no piece is enough.
    pieces = long = []

    def statistics(self, case, x):
        """The means and 1 / deviations, as stored."""
        computed = ELEMENTS[case.element.parameters.get("C", "f32")]
        columns = max(case.cols, 1)
        mean = x.sum(axis=1, keepdims=True) / columns
        rstd = 1 / np.sqrt(((x - mean) ** 2).sum(axis=1, keepdims=True) / columns + 2.0**-10)
        return computed, computed.round(mean), computed.round(rstd)

    def partial(self, case, computed, groups, rows, value, scale):
        """The output of partial sums: row g has those of rows g, g + groups, ..."""
        sums = [np.array([part[group::groups].sum(axis=0) for group in range(rows)]).reshape(rows, case.cols)
                for part in (value, scale)]
        return output_of(computed, sums, SUM_ERROR, case.cols, guard=self.guard(case))

    def finish(self, case, random, groups):
        computed = ELEMENTS[case.element.parameters.get("C", "f32")]
        stored = [computed.round(random.standard_normal((groups, case.cols))) for _ in range(2)]
        exact = [computed.widen(parts) for parts in stored]
        sums = [(parts.sum(axis=0)[None], np.abs(parts).sum(axis=0)[None]) for parts in exact]
        outputs = [output_of(case.element, answer, SUM_ERROR, case.cols, guard=self.guard(case)) for answer in sums]
        inputs = [input_buffer(computed, parts, case.cols, guard=self.guard(case)) for parts in stored]
        grid = -(-case.cols // dict(case.parameters).get("COLUMNS", 16))
        return Launch(case.title, grid, case.device,
                      [*(output.buffer for output in outputs), *inputs, groups, case.cols], dict(enumerate(outputs)))

    def launch(self, case, random, kernel):
        groups = case.options.get("groups", 3)
        if kernel == "finish":
            return self.finish(case, random, groups)
        x_stored = case.element.round(self.normal(case, random)[1] * 2 + 0.5)
        x = case.element.widen(x_stored)
        (dy_stored, dy), (w_stored, w) = self.normal(case, random), self.normal(case, random, rows=1)
        computed, mean, rstd = self.statistics(case, x)
        dx_answer, *parts = backward(x, dy, w, computed.widen(mean), computed.widen(rstd))
        dx = self.output(case, dx_answer, SUM_ERROR)
        is_locked = kernel == "locked"
        # Without a row for it a row of partial sums is not written under a lock; a program of its own writes zeros.
        rows = min(case.rows, groups) if is_locked else groups
        dw, db = (self.partial(case, computed, groups, rows, *part) for part in parts)
        inputs = [self.input(case, stored) for stored in (dy_stored, x_stored, w_stored)]
        inputs += [input_buffer(computed, stored, 1, guard=self.guard(case)) for stored in (mean, rstd)]
        strides = [case.cols + case.out_gap, case.cols + case.in_gap, case.cols + case.in_gap]
        outputs = {0: dx, 1: dw, 2: db}
        if is_locked:
            outputs[3] = self.locks(groups, rows)
        numbers = [case.cols, groups] if is_locked else [case.rows, case.cols]
        arguments = [*(output.buffer for output in outputs.values()), *inputs, *strides, *numbers]
        return Launch(case.title, case.rows if is_locked else groups, case.device, arguments, outputs)

    def locks(self, groups, rows):
        """All free again, and those with partial sums marked."""
        after = np.zeros((1, 2 * groups), np.int32)
        after[0, groups:groups + rows] = 1
        buffer = Buffer(ELEMENTS["i32"], np.zeros(2 * groups, np.int32))
        return Output(buffer, np.arange(2 * groups)[None], after, None, "bits")
