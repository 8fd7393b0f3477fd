"""Products of matrices of every type and of many shapes on every device, against NumPy.

Usage: dots.py FSM_RUN [--devices=cpu,interp,cuda,sim] [--jobs=N] [--deal].

An element of a float product is a sum of K products and acc, in any order, of which each step may round once:
it is off by at most (K + 2) eps (sum |a b| + |acc|). i8 products are exact and their sums wrap.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from device import dealt, given, perform, perform_all, round_bf16, to_float64

INPUTS = pathlib.Path(__file__).parent / "Inputs"
WARPS = (0, 1, 2, 4, 8)
# The type of the sum, and what is said of the precision: a comment is nothing.
TYPES = {"f16": ("f32", "//"), "bf16": ("f32", "//"), "f8E4M3FN": ("f32", "//"), "f8E5M2": ("f32", "//"),
         "f32": ("f32", "precision = ieee"), "f64": ("f64", "//"), "i8": ("i32", "//"),
         "tf32": ("f32", "precision = tf32"), "tf32x3": ("f32", "precision = tf32x3"), "bf16x3": ("f32", "precision = bf16x3"),
         "bf16x6": ("f32", "precision = bf16x6"), "f16 in f16": ("f16", "//"), "f8E4M3FN cut": ("f32", "accumulate = 32")}
# What is in memory, where it is not what the name says.
STORED = {"tf32": "f32", "tf32x3": "f32", "bf16x3": "f32", "bf16x6": "f32", "f16 in f16": "f16", "f8E4M3FN cut": "f8E4M3FN"}
# What a rounding of the operands to tf32, 11 bits, may do to a product; FSM does not round them yet, but may.
EPSILON = {"f32": 2.0 ** -24, "f64": 2.0 ** -53, "tf32": 2.0 ** -10, "tf32x3": 2.0 ** -20, "bf16x3": 2.0 ** -15,
           "bf16x6": 2.0 ** -21, "f16": 2.0 ** -10, "f8E4M3FN cut": 33 * 2.0 ** -13 / 32}
# Batches (or none), rows, inner, columns.
SHAPES = ((0, 1, 1, 1), (0, 17, 33, 5), (0, 16, 16, 16), (0, 64, 32, 64), (0, 128, 8, 16), (3, 8, 8, 4),
          (0, 1, 50, 70), (0, 40, 50, 1), (2, 5, 3, 33))
# Fragments of tensor cores: the fewest; rows and columns of which some warps have none, or some lanes; more steps than are
# written out; inner extents that no step divides.
ON_TENSOR_CORES = ("f16", "bf16", "tf32", "i8", "f64", "f8E4M3FN", "f8E5M2", "tf32x3", "bf16x3", "bf16x6", "f16 in f16",
                   "f8E4M3FN cut")
FRAGMENTS = ((0, 9, 8, 8), (0, 16, 16, 8), (0, 40, 48, 24), (0, 20, 24, 40), (0, 21, 32, 37), (0, 32, 272, 72),
             (0, 128, 64, 128), (0, 33, 21, 18), (0, 17, 35, 9), (0, 48, 100, 40))
LARGE = ((0, 32, 300, 64), (0, 64, 520, 32), (4, 64, 64, 64), (0, 16384, 1, 1), (0, 2000, 3, 5))


def f8_numbers(exponent_bits, bias, has_infinity):
    """The value of each of the 256 bit patterns, from the definition of the format."""
    mantissa_bits = 7 - exponent_bits
    numbers = []
    for bits in range(256):
        exponent, mantissa = bits >> mantissa_bits & (1 << exponent_bits) - 1, bits & (1 << mantissa_bits) - 1
        scale = 2.0 ** (max(exponent, 1) - bias - mantissa_bits)
        value = (mantissa + (1 << mantissa_bits) * (exponent > 0)) * scale
        if has_infinity and exponent == (1 << exponent_bits) - 1:
            value = np.nan if mantissa else np.inf
        if not has_infinity and bits & 0x7F == 0x7F:
            value = np.nan
        numbers.append(-value if bits >> 7 else value)
    return np.array(numbers)


F8 = {"f8E4M3FN": f8_numbers(4, 7, False), "f8E5M2": f8_numbers(5, 15, True)}


def stored_type(kind):
    return STORED.get(kind, kind)


def operand(kind, shape, generator):
    """Stored elements, and their values in float64 (int64 for i8)."""
    kind = stored_type(kind)
    if kind == "i8":
        data = generator.integers(-128, 127, shape, np.int8, endpoint=True)
        return data, data.astype(np.int64)
    if kind in F8:
        # Every pattern that is finite, small ones and denormals among them.
        finite = np.flatnonzero(np.isfinite(F8[kind])).astype(np.uint8)
        data = generator.choice(finite, shape)
        return data, F8[kind][data]
    values = generator.standard_normal(shape)
    if kind == "bf16":
        data = round_bf16(values)
        return data, to_float64(data, "bf16")
    data = values.astype({"f16": np.float16, "f64": np.float64}.get(kind, np.float32))
    return data, data.astype(np.float64)


def special(kind, data):
    """Some rows that hold NaN or an infinity, first, in the middle, last; the others must not notice."""
    kind = stored_type(kind)
    patterns = {"bf16": (0x7FC0, 0xFF80), "f8E4M3FN": (0x7F, 0xFF), "f8E5M2": (0x7F, 0xFC)}
    nan, infinity = patterns.get(kind, (np.nan, -np.inf))
    rows = data.reshape(-1, data.shape[-1])
    rows[0, 0] = nan
    rows[len(rows) // 2, -1] = infinity
    rows[-1, len(rows[-1]) // 2] = nan
    return data, F8[kind][data] if kind in F8 else to_float64(data, kind)


def checks():
    """(title, kernel, type, shapes, arrays, answer, bound)"""
    generator = np.random.default_rng(3)
    for kind in TYPES:
        for shape in SHAPES:
            yield make("dot", kind, shape, generator)
        yield make("twice", kind, (0, 16, 24, 20), generator)
        if kind in ON_TENSOR_CORES:
            for shape in FRAGMENTS:
                yield make("dot", kind, shape, generator)
            yield make("twice", kind, (0, 48, 32, 24), generator)
            if kind != "i8":
                yield make("dot", kind, (0, 24, 16, 24), generator, has_special=True)
                yield make("dot", kind, (0, 24, 18, 24), generator, has_special=True)
        if kind != "i8":
            yield make("dot", kind, (0, 6, 9, 7), generator, has_special=True)
    for kind, shape in (("f32", (0, 20, 30, 24)), ("f16", (0, 32, 64, 32)), ("i8", (0, 7, 9, 5))):
        yield make("transposed", kind, shape, generator)
    for kind in ON_TENSOR_CORES:
        for shape in ((0, 48, 64, 24), (0, 24, 16, 36), (0, 27, 32, 22), (0, 40, 36, 24)):
            yield make("transposed", kind, shape, generator)
            yield make("transposed_right", kind, shape, generator)
    # Operands that do not fit shared memory at once, and outer products, whose rows are shorter than a vector.
    for kind, shape in zip(("f32", "f16", "f32", "f32", "i8"), LARGE):
        yield make("dot", kind, shape, generator)


def make(kernel, kind, shape, generator, has_special=False):
    batches, rows, inner, columns = shape
    front = (batches,) if batches else ()
    left, wide_left = operand(kind, (*front, rows, inner), generator)
    right, wide_right = operand(kind, (*front, inner, columns), generator)
    if has_special:
        left, wide_left = special(kind, left)
    sum_type = TYPES[kind][0]
    if sum_type == "i32":
        acc = generator.integers(-2**31, 2**31, (*front, rows, columns)).astype(np.int32)
    else:
        acc = generator.standard_normal((*front, rows, columns)).astype(
            {"f16": np.float16, "f32": np.float32, "f64": np.float64}[sum_type])
    times = 2 if kernel == "twice" else 1
    with np.errstate(all="ignore"):
        exact = np.int64 if sum_type == "i32" else np.longdouble
        wide_acc = acc.astype(exact)
        wide_left, wide_right = wide_left.astype(exact), wide_right.astype(exact)
        answer = wide_acc + times * (wide_left @ wide_right)
        magnitude = times * (np.abs(wide_left) @ np.abs(wide_right)) + np.abs(wide_acc)
    epsilon = EPSILON[kind] if kind in EPSILON and kind != "f16" else EPSILON.get(sum_type, 0)
    # A step of f8 has 32 products, also where there are fewer.
    bound = (times * inner + (32 if kind.endswith("cut") else 2)) * epsilon * magnitude
    if kernel == "transposed":
        left = np.ascontiguousarray(left.T)
    if kernel == "transposed_right":
        right = np.ascontiguousarray(right.T)
    title = f"{kernel} {kind} {'x'.join(map(str, shape if batches else shape[1:]))}" + " special" * has_special
    return title, kernel, kind, (rows, inner, columns), (left, right, acc), answer, bound


def wrong_elements(got, answer, bound):
    if got.dtype == np.int32:
        return int((got != answer.astype(np.int32)).sum())
    with np.errstate(all="ignore"):
        close = np.abs(got - answer) <= bound
    same = (got == answer) | (np.isnan(got) & np.isnan(answer))
    return int((~np.where(np.isfinite(answer), close, same)).sum())


def launch(fsm_run, device, warps, check, folder):
    _, kernel, kind, _, (left, right, acc), _, _ = check
    sum_type, precision = TYPES[kind]
    element = stored_type(kind)
    text = lambda shape: "x".join(map(str, shape))
    is_transposed = kernel.startswith("transposed")
    left_shape = left.shape[::-1] if kernel == "transposed" else left.shape
    right_shape = right.shape[::-1] if kernel == "transposed_right" else right.shape
    parameters = {"T": element, "S": sum_type, "PRECISION": precision, "A": text(left_shape), "B": text(right_shape),
                  "C": text(acc.shape), "AN": left.size, "BN": right.size, "CN": acc.size}
    if is_transposed:
        parameters |= {"AT": text(left_shape[::-1]), "BT": text(right_shape[::-1])}
    source = INPUTS / ("dot-transposed.mlir" if is_transposed else "dot.mlir")
    command = [str(source), f"--device={device}", "--grid=1", f"--kernel={kernel}",
               f"--arg={sum_type}[{text(acc.shape)}]", f"--out=0:{folder / 'out.npy'}"]
    prefix = f"{element}:" if element == "bf16" or element in F8 else ""
    for name, array, before in (("a", left, prefix), ("b", right, prefix), ("c", acc, "")):
        np.save(folder / f"{name}.npy", array)
        command.append(f"--arg={before}@{folder / f'{name}.npy'}")
    for name, value in parameters.items():
        command += ["-D", f"{name}={value}"]
    if warps:
        command.append(f"--num-warps={warps}")
    perform(fsm_run, command)
    return np.load(folder / "out.npy")


def judge(fsm_run, device, warps, check):
    """What is wrong, or nothing."""
    title = f"{check[0]} {device}" + (f" {warps} warps" if warps else "")
    with tempfile.TemporaryDirectory() as folder:
        try:
            got = launch(fsm_run, device, warps, check, pathlib.Path(folder))
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            return f"{title}: {error}"
    wrong = wrong_elements(got, check[5], check[6])
    return f"{title}: {wrong} of {got.size} elements wrong" if wrong else ""


def check_one(fsm_run, run):
    index, check, device = run
    warps = WARPS[index % len(WARPS)] if device.startswith(("cuda", "sim")) else 0
    # Fewer threads cannot hold large blocks.
    largest = max(array.size for array in check[4])
    least = 16 if largest >= 2**14 else 4 if largest >= 3000 else 1
    return judge(fsm_run, device, warps and max(warps, least), check)


def main():
    chosen = [check for check in checks() if given("only", "") in check[0]]
    # A kernel and an element type have one way to the product, or a few.
    return perform_all(dealt(chosen, lambda check: check[1:3]), check_one)


if __name__ == "__main__":
    sys.exit(main())
