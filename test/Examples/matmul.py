"""The cases of the matrix product. rows x cols is the shape of c; the option `inner` is the dimension that is summed
over, `out` the element type of c where it is not that of the sums."""

import numpy as np

import references
from devices import CHECKS_BOUNDS
from elements import ELEMENTS
from example import Case, Example
from launches import SENTINEL, Buffer, Launch, Output, input_buffer, output_of

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
        product(70, 33, 130, parameters=tiles(32, 16, 32), grid="auto"),
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
        return Launch(case.title, case.options.get("grid", grid), case.device,
                      [out.buffer, *inputs, case.rows, case.cols, inner, *strides], {0: out})


# What may become of the sums.
CURVES = tuple((("EPILOGUE", curve),) for curve in ("plain", "leaky_relu", "gelu"))


class MatmulPersistent(Matmul):
    """The option `grid` is how many programs there are; EPILOGUE says what becomes of the sums."""

    name = "17-matmul-persistent"
    kinds = {
        "f32": {},
        "f64": {"T": "f64", "C": "f64", "PRECISION": "//"},
        "f16": {"T": "f16", "NARROW": "arith.truncf", "PRECISION": "//"},
        "bf16": {"T": "bf16", "NARROW": "arith.truncf", "PRECISION": "//"},
    }
    basic = [
        product(70, 45, 100, in_gap=3, out_gap=5),
        # Three rows of tiles in groups of two, more tiles than programs, fewer, and as many as the GPU likes.
        product(150, 64, 130, parameters=(("GROUP", 2),), grid=4),
        product(1, 1, 1, grid=7),
        product(70, 33, 130, grid="persistent:6"),
        product(17, 33, 5, "f64", parameters=CURVES[0]),
        product(40, 100, 136, "f16", parameters=CURVES[2], out_gap=2),
        product(80, 100, 36, "bf16", parameters=CURVES[0]),
        product(20, 17, 33, device="interp", parameters=CURVES[2], in_gap=2, out_gap=1),
        product(0, 5, 7),
    ]
    matrix = [
        *(product(*shape, kind, device, parameters=curve) for device in ("cpu", "interp") for kind in ("f32", "f16")
          for shape, curve in zip(((17, 17, 17), (128, 128, 128), *SKINNY), CURVES * 3)),
        *(product(128, 96, 192, kind, parameters=curve) for kind in ("f32", "f16", "bf16") for curve in CURVES),
        *(product(100, 60, 90, parameters=tiles(*tile), grid=grid) for tile, grid in (
            ((16, 16, 16, 1), 5), ((128, 32, 8, 3), 2), ((33, 17, 5, 2), 40), ((1, 64, 64, 8), 9), ((64, 1, 1, 1), 64))),
        # Whole tiles of rows that the hardware copies.
        product(256, 256, 192, "f16", "sim", parameters=(*CURVES[2], *tiles(128, 128, 64)), num_warps=8, grid=3),
        product(200, 104, 136, "f16", "sim", parameters=(*CURVES[1], *tiles(64, 64, 64)), num_warps=4, grid=2),
    ]
    large = [product(n, n, n, kind, grid="persistent:1024") for kind in ("f32", "f16") for n in (500, 1024)]

    def prepared(self, case, kernel, declared):
        launch = super().prepared(case, kernel, declared)
        launch.parameters = {**self.kinds[case.type], **dict(case.parameters)}
        return launch

    warps = [case for case in Matmul.warps if case.type != "i8"]

    def launch(self, case, random, kernel):
        inner = case.options["inner"]
        chosen = {"BM": 64, "BN": 64, "BK": 32, "EPILOGUE": "leaky_relu", **self.kinds[case.type], **dict(case.parameters)}
        (a_stored, a), (b_stored, b) = (self.operand(case, random, *shape)
                                        for shape in ((case.rows, inner), (inner, case.cols)))
        sums = ELEMENTS[chosen.get("C", "f32")]
        bias_stored = sums.round(random.standard_normal((1, case.cols)))
        strides = [case.cols + case.out_gap, inner + case.in_gap, case.cols + case.in_gap]
        block = max(chosen["BM"], chosen["BN"], chosen["BK"])
        guard = 0 if case.device in CHECKS_BOUNDS else (block + 1) * (max(strides) + block)
        # A sum more, and the error function.
        error = (inner + 3) * 2.0**-24 + (1e-6 if chosen["EPILOGUE"] == "gelu" else 0)
        slope = np.asarray(0.01).astype(sums.storage)
        answer = references.matmul_bent(a, b, sums.widen(bias_stored), chosen["EPILOGUE"], slope, error)
        out = output_of(case.element, answer, error, strides[0], guard=guard)
        inputs = [input_buffer(case.element, stored, stride, guard=guard)
                  for stored, stride in ((a_stored, strides[1]), (b_stored, strides[2]))]
        bias = input_buffer(sums, bias_stored, case.cols, guard=guard)
        return Launch(case.title, case.options.get("grid", 3), case.device,
                      [out.buffer, *inputs, bias, case.rows, case.cols, inner, *strides], {0: out})


class MatmulWeights(Matmul):
    """Weights of i8 with a scale for each column."""

    name = "19-matmul-w8a16"
    mutated = ("f16",)
    basic = [
        product(70, 45, 100, "f16", in_gap=3, out_gap=5),
        product(1, 1, 1, "f16"),
        product(150, 64, 130, "bf16"),
        product(20, 17, 33, "f16", "interp", in_gap=2, out_gap=1),
        product(0, 5, 7, "f16"),
    ]
    matrix = [
        *(product(*shape, "f16", device) for device in ("cpu", "interp") for shape in ((17, 17, 17), (128, 128, 128), *SKINNY)),
        product(128, 96, 192, "bf16"),
        *(product(100, 60, 90, "f16", parameters=tiles(*tile)[:3])
          for tile in ((16, 16, 16), (128, 32, 8), (33, 17, 5), (1, 64, 64), (64, 1, 1))),
        product(200, 104, 136, "f16", "sim", parameters=tiles(64, 64, 64)[:3], num_warps=4),
    ]
    large = [product(n, n, n, "f16") for n in (500, 1024)]
    warps = [product(70, 33, 30, "f16", parameters=tiles(64, 16, 32)[:3], num_warps=warps) for warps in (1, 2, 4, 8, 16)]

    def recorded(self, cols, kind):
        return product(9, 31, cols, "bf16" if kind == "bf16" else "f16", "cuda", grid=-(-cols // 64))

    def prepared(self, case, kernel, declared):
        launch = super().prepared(case, kernel, declared)
        launch.parameters = {"T": case.type, **dict(case.parameters)}
        return launch

    def launch(self, case, random, kernel):
        inner = case.options["inner"]
        chosen = {"BM": 64, "BN": 64, "BK": 32, **dict(case.parameters)}
        a_stored, a = self.operand(case, random, case.rows, inner)
        weights = random.integers(-128, 128, (inner, case.cols)).astype(np.int8)
        scales = np.abs(random.standard_normal((1, case.cols))).astype(np.float32) / 128
        strides = [case.cols + case.out_gap, inner + case.in_gap, case.cols + case.in_gap]
        block = max(chosen["BM"], chosen["BN"], chosen["BK"])
        guard = 0 if case.device in CHECKS_BOUNDS else (block + 1) * (max(strides) + block)
        exact = weights * scales.astype(np.float64)
        error = (inner + 3) * 2.0**-24
        out = output_of(case.element, (a @ exact, np.abs(a) @ np.abs(exact)), error, strides[0], guard=guard)
        arguments = [out.buffer, input_buffer(case.element, a_stored, strides[1], guard=guard),
                     input_buffer(ELEMENTS["i8"], weights, strides[2], guard=guard),
                     input_buffer(ELEMENTS["f32"], scales, case.cols, guard=guard)]
        return Launch(case.title, case.options.get("grid", "auto"), case.device, [*arguments, case.rows, case.cols, inner, *strides], {0: out})


def listed(*products, kind="f32", device="cpu", parameters=(), num_warps=0, **more):
    """A case of products, each by its m, k and n. The shape is that of all results."""
    return Case(1, sum(m * n for m, _, n in products), kind, device, parameters=tuple(parameters),
                options={"list": products, **more}, num_warps=num_warps)


SOME = ((70, 45, 100), (1, 1, 1), (0, 5, 7), (64, 64, 64), (5, 0, 7), (130, 20, 3))


class MatmulGrouped(MatmulPersistent):
    """The option `list` has the products."""

    name = "18-matmul-grouped"
    basic = [
        listed(*SOME),
        listed(*SOME, grid=1),
        listed((33, 17, 65), grid=40),
        listed((40, 100, 136), (70, 33, 30), kind="f16"),
        listed((80, 100, 36), (1, 200, 130), kind="bf16"),
        listed((17, 33, 5), kind="f64"),
        listed((20, 17, 33), (5, 70, 2), device="interp"),
        listed((40, 104, 136), (30, 72, 8), kind="f16", parameters=(("MULTIPLE", 8),)),
        listed((40, 8, 136), (130, 72, 16), kind="bf16", device="interp", parameters=(("MULTIPLE", 8),)),
        listed(),
    ]
    matrix = [
        *(listed(*SOME, *SOME, kind=kind, device=device, grid=grid)
          for device in ("cpu", "interp") for kind in ("f32", "f16") for grid in (2, 7)),
        *(listed((100, 60, 90), (20, 10, 30), parameters=tiles(*tile)[:3], grid=5)
          for tile in ((16, 16, 16), (128, 32, 8), (33, 17, 5), (64, 1, 1))),
        *(listed((200, 136, 104), (64, 64, 64), kind="f16", device="sim", num_warps=4, grid=2,
                 parameters=(*tiles(64, 64, 64)[:3], ("GROUP", 2), ("MULTIPLE", multiple))) for multiple in (1, 8)),
    ]
    large = [listed(*((n, n, n) for n in (500, 1000, 64)), kind=kind, grid="persistent:500") for kind in ("f32", "f16")]
    warps = [listed((70, 33, 30), (20, 40, 33), kind="f16", parameters=tiles(64, 16, 32)[:3], num_warps=warps)
             for warps in (1, 2, 4, 8, 16)]

    def recorded(self, cols, kind):
        return listed((9, 31, cols), (20, 5, 3), kind=kind, device="cuda")

    def prepared(self, case, kernel, declared):
        launch = super().prepared(case, kernel, declared)
        launch.parameters.update({"O": launch.parameters.get("T", "f32")})
        return launch

    def launch(self, case, random, kernel):
        products = case.options["list"]
        factors = [(self.operand(case, random, m, k), self.operand(case, random, k, n)) for m, k, n in products]
        # Elements between two matrices, which nobody may touch.
        gap = dict(case.parameters).get("MULTIPLE", 1)
        parts = [[m * n for m, _, n in products], [m * k for m, k, _ in products], [k * n for _, k, n in products]]
        begins = np.array([np.cumsum([0, *(size + gap for size in sizes)])[:-1] for sizes in parts], np.int64).T
        exact = [(a @ b, np.abs(a) @ np.abs(b)) for (_, a), (_, b) in factors]
        value, scale = (np.concatenate([np.zeros(0), *(pair[i].ravel() for pair in exact)])[None] for i in range(2))
        guard = 0 if case.device in CHECKS_BOUNDS else 1 << 17
        flat = np.concatenate([np.zeros(0, np.int64), *(begin + np.arange(size) for begin, size in zip(begins[:, 0], parts[0]))])
        size = sum(parts[0]) + gap * len(products) + guard
        error = (max([0, *(k for _, k, _ in products)]) + 2) * 2.0**-24
        out = Output(Buffer(case.element, case.element.round(np.full(size, SENTINEL))), flat.astype(int)[None], value, scale, error)
        inputs = []
        for side in range(2):
            pool = case.element.round(np.full(sum(parts[1 + side]) + gap * len(products) + guard, np.nan))
            for begin, pair in zip(begins[:, 1 + side], factors):
                stored = pair[side][0].ravel()
                pool[begin:begin + stored.size] = stored
            inputs.append(Buffer(case.element, pool))
        sizes = np.array([(m, n, k) for m, k, n in products], np.int32).reshape(-1)
        lists = [Buffer(ELEMENTS["i64"], begins.reshape(-1)), Buffer(ELEMENTS["i32"], sizes)]
        return Launch(case.title, case.options.get("grid", 3), case.device, [out.buffer, *inputs, *lists, len(products)], {0: out})
