"""The cases of the matrix product. rows x cols is the shape of c; the option `inner` is the dimension that is summed
over, `out` the element type of c where it is not that of the sums."""

import numpy as np

import references
from devices import CHECKS_BOUNDS
from elements import ELEMENTS
from example import Case, Example
from launches import Launch, input_buffer, output_of

# What the file is told for element types other than f32.
PARAMETERS = {
    "f32": {},
    "f64": {"T": "f64", "C": "f64", "O": "f64", "PRECISION": "//"},
    "f16": {"T": "f16", "O": "f16", "NARROW": "arith.truncf", "PRECISION": "//"},
    "bf16": {"T": "bf16", "O": "bf16", "NARROW": "arith.truncf", "PRECISION": "//"},
    "i8": {"T": "i8", "C": "i32", "O": "i32", "PRECISION": "//", "ZERO": "0", "SLOPE": "3", "MUL": "arith.muli",
           "LESS": "arith.cmpi slt,"},
}
SUMS = {"f64": "f64", "i8": "i32"}


def product(rows, inner, cols, kind="f32", device="cpu", parameters=(), num_warps=0, **more):
    gaps = {name: more.pop(name) for name in ("in_gap", "out_gap") if name in more}
    return Case(rows, cols, kind, device, parameters=tuple(parameters), options={"inner": inner, **more},
                num_warps=num_warps, **gaps)


def tiles(rows, cols, inner, group=8):
    return (("BM", rows), ("BN", cols), ("BK", inner), ("GROUP", group))


KINDS = ("f32", "f16", "i8")
CUBES = tuple((n, n, n) for n in (1, 17, 128, 500))
SKINNY = ((1, 300, 200), (200, 300, 1), (130, 3, 70), (1, 500, 1), (5, 0, 7))


class Matmul(Example):
    name = "16-matmul"
    basic = [
        product(70, 45, 100, in_gap=3, out_gap=5),
        product(1, 1, 1),
        # Three rows of tiles in groups of two.
        product(150, 64, 130, parameters=(("GROUP", 2),)),
        product(17, 33, 5, "f64"),
        product(40, 100, 36, "f16", out_gap=2),
        product(40, 100, 36, "bf16"),
        product(33, 70, 65, "i8", in_gap=1),
        product(20, 17, 33, device="interp", in_gap=2, out_gap=1),
        product(0, 5, 7),
    ]
    matrix = [
        # More than is simulated of other examples; the longest first.
        product(500, 500, 500, "f16", "sim"),
        *(product(200, 200, 200, kind, "sim") for kind in ("f32", "i8")),
        *(product(*shape, kind, device) for device in ("cpu", "interp") for kind in KINDS for shape in CUBES + SKINNY),
        # f16 operands, f32 sums and results.
        *(product(n, n, n, "f16", out="f32") for n in (17, 128, 500)),
        *(product(100, 60, 90, parameters=tiles(rows, cols, inner, group))
          for rows, cols, inner, group in ((16, 16, 16, 1), (128, 32, 8, 3), (33, 17, 5, 2), (1, 64, 64, 8), (64, 1, 1, 1))),
        *(product(50, 40, 30, parameters=(("SLOPE", slope),)) for slope in ("1.0", "0.0")),
        product(50, 40, 30, parameters=(("PRECISION", "precision = tf32x3"),)),
    ]
    large = [product(n, n, n, kind) for kind in ("f32", "f16", "i8") for n in (500, 1024)]
    # Products are made on one CTA.
    clusters = pieces = long = []
    warps = [product(*shape, kind, parameters=tiles(*tile), num_warps=warps)
             for warps in (1, 2, 4, 8, 16) for shape, kind, tile in (
                 ((40, 20, 50), "f32", (32, 32, 16)), ((70, 33, 30), "f16", (64, 16, 32)), ((20, 40, 33), "i8", (16, 33, 20)))]

    def prepared(self, case, kernel, declared):
        launch = super().prepared(case, kernel, declared)
        launch.parameters = {**PARAMETERS[case.type], **dict(case.parameters)}
        if case.options.get("out") == "f32":
            launch.parameters.update({"O": "f32", "NARROW": "arith.bitcast"})
        return launch

    def operand(self, case, random, rows, cols):
        if case.type == "i8":
            stored = random.integers(-128, 128, (rows, cols)).astype(np.int8)
            return stored, stored.astype(np.int64)
        stored = case.element.round(random.standard_normal((rows, cols)))
        return stored, case.element.widen(stored)

    def recorded(self, cols, kind):
        return product(9, 31, cols, kind, "cuda")

    def launch(self, case, random, kernel):
        inner = case.options["inner"]
        chosen = {"BM": 64, "BN": 64, "BK": 32, **PARAMETERS[case.type], **dict(case.parameters)}
        (a_stored, a), (b_stored, b) = (self.operand(case, random, *shape)
                                        for shape in ((case.rows, inner), (inner, case.cols)))
        sums = ELEMENTS[SUMS.get(case.type, "f32")]
        slope = np.asarray(float(chosen.get("SLOPE", 0.01))).astype(sums.storage)
        strides = [case.cols + case.out_gap, inner + case.in_gap, case.cols + case.in_gap]
        # What a kernel without masks could reach.
        block = max(chosen["BM"], chosen["BN"], chosen["BK"])
        guard = 0 if case.device in CHECKS_BOUNDS else (block + 1) * (max(strides) + block)
        kind = case.options.get("out") or (case.type if case.element.is_half else sums.name)
        error = (inner + 2) * 2.0**-24
        out = output_of(ELEMENTS[kind], references.matmul(a, b, slope, error), error, strides[0], guard=guard)
        inputs = [input_buffer(case.element, stored, stride, guard=guard)
                  for stored, stride in ((a_stored, strides[1]), (b_stored, strides[2]))]
        grid = -(-case.rows // chosen["BM"]) * -(-case.cols // chosen["BN"])
        return Launch(case.title, grid, case.device,
                      [out.buffer, *inputs, case.rows, case.cols, inner, *strides], {0: out})
