"""What the language has, as tables: element types, and which ops take which of them."""

INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = ("f16", "bf16", "f32", "f64")
# Stored, moved and converted only.
SMALL_FLOATS = ("f8E4M3FN", "f8E5M2")
ELEMENTS = (*INTS, *FLOATS, *SMALL_FLOATS)
WIDE_INTS = ("i8", "i16", "i32", "i64")
WIDTH = {**INTS, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f8E4M3FN": 8, "f8E5M2": 8}
# Significant bits, the hidden one included.
PRECISION = {"f8E4M3FN": 4, "f8E5M2": 3, "bf16": 8, "f16": 11, "f32": 24, "f64": 53}
# Sums, products and functions of a type are computed in this one.
COMPUTED_IN = {"f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64"}
# Magnitudes beyond these are clamped before an op could make them infinite.
LARGEST = {"f8E4M3FN": 256, "f8E5M2": 4096, "f16": 30000, "bf16": 1 << 40, "f32": 1 << 40, "f64": 1 << 60}
# What a value below the normal numbers may be off by, where an op flushes it or rounds twice.
TINY = {"f8E4M3FN": 2.0**-9, "f8E5M2": 2.0**-16, "f16": 2.0**-24, "bf16": 2.0**-126, "f32": 2.0**-126,
        "f64": 2.0**-1022}

BITWISE = ("arith.andi", "arith.ori", "arith.xori")
UPPER_HALF = ("fsm.umulhi",)
INT_OPS = ("arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", *BITWISE)
SHIFTS = ("arith.shli", "arith.shrsi", "arith.shrui")
DIVISIONS = ("arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi", "arith.ceildivsi",
             "arith.ceildivui")
INT_ORDERS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_ORDERS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
MINMAX = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf")
ROUNDINGS = ("math.ceil", "math.floor", "math.trunc", "math.roundeven", "math.round")
COUNTS = ("math.ctpop", "math.ctlz", "math.cttz")
INT_KINDS = ("sum", "prod", "max", "min", "umax", "umin", "and", "or", "xor")
FLOAT_KINDS = ("sum", "prod", "max", "min")
ATOMIC_KINDS = {
    "add": ("i32", "i64", "f16", "bf16", "f32", "f64"),
    **{kind: ("i32", "i64", "f32", "f64") for kind in ("max", "min", "exch")},
    **{kind: ("i32", "i64") for kind in ("umax", "umin", "and", "or", "xor")},
}
# What the rounding of operands of a product may add to it, in parts of a sum of magnitudes.
PRECISIONS = {"ieee": 0.0, "tf32": 2.0**-9, "tf32x3": 2.0**-18, "bf16x3": 2.0**-14, "bf16x6": 2.0**-20}
# Left and right of a product, and what it is added to.
DOT_TYPES = {"f16": "f32", "bf16": "f32", "f8E4M3FN": "f32", "f8E5M2": "f32", "f32": "f32", "i8": "i32", "f64": "f64"}
