"""Thirteen kinds of kernels, written from the docs, on every device against NumPy.

Usage: kernels.py FSM_RUN [--devices=A,B] [--only=TEXT]. Each function below makes the launches of one file: arguments of random
numbers, and what must come out, computed in float64 or, where rounding is part of the answer, in the type's own arithmetic.
"""

import pathlib
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Device"))
from device import DEVICES, finish, from_float64, perform, to_float64

# The type that fsm-run has to be told of a file, by the dtype that NumPy keeps it in.
NAMED = {"bf16": np.uint16, "f8E4M3FN": np.uint8}


@dataclass
class Array:
    """An argument. `expected` is what it must hold afterwards, within `rtol` of its `scale` (its own magnitude if nothing is
    said); exactly if rtol is 0."""

    kind: str
    data: np.ndarray
    expected: np.ndarray | None = None
    rtol: float = 0
    scale: np.ndarray | None = None


@dataclass
class Launch:
    file: str
    title: str
    grid: tuple
    arguments: list
    kernel: str = ""
    parameters: dict = field(default_factory=dict)
    num_warps: int = 0


def floats(random, kind, *shape):
    """Normal numbers of a type, as stored and as float64."""
    stored = from_float64(random.standard_normal(shape), kind)
    return Array(kind, stored), to_float64(stored, kind)


def out(kind, expected, rtol=0, scale=None):
    """An array that is all noise at first, so that what a kernel leaves out is seen."""
    dtype = NAMED.get(kind, np.asarray(expected).dtype if kind.startswith("i") else {"f16": np.float16, "f32": np.float32}.get(kind))
    noise = np.random.default_rng(7).integers(1, 100, expected.shape).astype(dtype)
    return Array(kind, noise, expected, rtol, scale)


def blocks(count, block):
    return max(1, -(-count // block))


def welford(random):
    for rows, cols, block, warps in ((3, 1000, 128, 0), (5, 1, 128, 1), (2, 129, 64, 4), (4, 777, 256, 2)):
        x, exact = floats(random, "f32", rows, cols)
        x.data += np.float32(100)
        exact = x.data.astype(np.float64)
        means = out("f32", exact.mean(1), 1e-6)
        variances = out("f32", exact.var(1), 1e-5, exact.var(1) + 1e-2)
        yield Launch("welford", f"{rows}x{cols} by {block}", (rows,), [means, variances, x, cols], "", {"BLOCK": block}, warps)


def embedding(random):
    for tokens, rows, width, kind in ((20, 50, 64, "f32"), (7, 3, 33, "f32"), (9, 1000, 1, "f16"), (8, 5, 64, "bf16")):
        table, _ = floats(random, kind, rows, width)
        ids = random.integers(-2, rows + 2, tokens)
        ids[0] = 2**40
        known = (ids >= 0) & (ids < rows)
        found = np.where(known[:, None], table.data[np.where(known, ids, 0)], 0).astype(table.data.dtype)
        grid = (blocks(tokens, 8),)
        sizes = [tokens, rows, width]
        yield Launch("embedding", f"{kind} {tokens} of {rows}x{width}", grid,
                     [out(kind, found), table, Array("i64", ids), *sizes], "lookup", {"T": kind})
        if kind == "f32":
            gradient, exact = floats(random, kind, tokens, width)
            start, before = floats(random, kind, rows, width)
            sums, sizes_of = before.copy(), np.abs(before)
            np.add.at(sums, ids[known], exact[known])
            np.add.at(sizes_of, ids[known], np.abs(exact[known]))
            start.expected, start.rtol, start.scale = sums, 1e-6, sizes_of
            yield Launch("embedding", f"back, {tokens} to {rows}x{width}", grid,
                         [start, gradient, Array("i64", ids), *sizes], "gradient")


def transposition(random):
    for rows, cols, kind, tile in ((70, 45, "f32", (32, 32)), (1, 200, "i8", (16, 64)), (33, 65, "f16", (64, 16)), (5, 3, "i64", (8, 8)),
                                   (40, 40, "f8E4M3FN", (32, 16))):
        dtype = {"i8": np.int8, "i64": np.int64, "f16": np.float16, "f32": np.float32}.get(kind, np.uint8)
        x = np.frombuffer(random.bytes(rows * cols * np.dtype(dtype).itemsize), dtype).reshape(rows, cols)
        if kind.startswith("f") and kind != "f8E4M3FN":
            x = random.standard_normal((rows, cols)).astype(dtype)
        grid = (blocks(cols, tile[1]), blocks(rows, tile[0]))
        yield Launch("transposition", f"{kind} {rows}x{cols} by {tile}", grid, [out(kind, x.T.copy()), Array(kind, x), rows, cols], "",
                     {"ROWS": tile[0], "COLS": tile[1], "T": kind})


def depthwise_convolution(random):
    for channels, height, width, size in ((3, 20, 50, 3), (2, 1, 1, 3), (2, 9, 33, 5), (1, 40, 7, 1)):
        x, exact = floats(random, "f32", channels, height, width)
        weights, w = floats(random, "f32", channels, size, size)
        half = size // 2
        wide = np.pad(exact, ((0, 0), (half, half), (half, half)))
        answer, scale = np.zeros_like(exact), np.zeros_like(exact)
        for i in range(size):
            for j in range(size):
                term = w[:, i, j, None, None] * wide[:, i:i + height, j:j + width]
                answer += term
                scale += np.abs(term)
        yield Launch("depthwise-convolution", f"{channels}x{height}x{width} by {size}", (blocks(width, 32), blocks(height, 8), channels),
                     [out("f32", answer, 2e-6, scale), x, weights, height, width], "", {"SIZE": size, "HALF": half})


def segment_sum(random):
    for count, segments, kind in ((1000, 37, "f32"), (257, 1, "f32"), (1, 4, "i32"), (600, 600, "i32"), (300, 3, "f16")):
        ids = np.sort(random.integers(0, segments, count)).astype(np.int32)
        # Sums of small whole numbers are exact in any order.
        values = random.integers(-8, 9, count).astype({"i32": np.int32, "f16": np.float16}.get(kind, np.float32))
        sums = np.zeros(segments, values.dtype)
        expected = np.bincount(ids, values, segments).astype(values.dtype)
        integer = {"ADD": "arith.addi", "ZERO": "0"} if kind == "i32" else {}
        yield Launch("segment-sum", f"{kind} {count} in {segments}", (blocks(count, 256),),
                     [Array(kind, sums, expected), Array(kind, values), Array("i32", ids), count], "", {"T": kind, **integer})


def int8_weights(random):
    for rows, inner, columns, kind in ((20, 70, 50, "f32"), (1, 33, 100, "f32"), (16, 32, 32, "f16"), (5, 1, 3, "bf16"), (33, 129, 65, "f16")):
        x, exact = floats(random, kind, rows, inner)
        w = random.integers(-128, 128, (inner, columns)).astype(np.int8)
        scales, factors = floats(random, "f32", columns)
        answer = exact @ w * factors
        scale = np.abs(exact) @ np.abs(w.astype(float)) * np.abs(factors)
        parameters = {"T": kind} if kind == "f32" else {"T": kind, "PRECISION": "//"}
        yield Launch("int8-weights", f"{kind} {rows}x{inner}x{columns}", (blocks(columns, 32), blocks(rows, 16)),
                     [out("f32", answer, 4e-6, scale), x, Array("i8", w), scales, rows, inner, columns], "", parameters)


def attention(random):
    for heads, length, kind in ((2, 50, "f32"), (1, 1, "f32"), (1, 129, "f32"), (2, 40, "f16")):
        (q, eq), (k, ek), (v, ev) = (floats(random, kind, heads, length, 32) for _ in range(3))
        scores = np.where(np.tril(np.ones((length, length), bool)), eq @ ek.transpose(0, 2, 1) * 0.17677669, -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        weights = powers / powers.sum(-1, keepdims=True)
        # Scores are off by some 1e-6, probabilities of f16 by 2^-11, the answer is rounded to its type.
        rtol = 1e-5 if kind == "f32" else 2e-3
        parameters = {} if kind == "f32" else {"T": kind, "PRECISION": "//", "NARROW": "arith.truncf"}
        yield Launch("attention", f"{kind} {heads}x{length}", (blocks(length, 16), heads),
                     [out(kind, weights @ ev, rtol, weights @ np.abs(ev)), q, k, v, length], "", parameters)


def cumulative_sum(random):
    for rows, cols, kind, block in ((3, 1000, "f32", 128), (2, 1, "i32", 128), (4, 129, "i64", 64), (2, 700, "f64", 256)):
        integer = kind.startswith("i")
        dtype = {"i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}[kind]
        x = random.integers(-2**30, 2**30, (rows, cols)).astype(dtype) if integer else random.standard_normal((rows, cols)).astype(dtype)
        expected = np.cumsum(x, 1, dtype=dtype if integer else np.float64)
        y = out("f32", expected, 1e-5, np.cumsum(np.abs(x), 1, dtype=np.float64)) if kind == "f32" else Array(
            kind, np.full_like(x, 3), expected, 0 if integer else 1e-12, None if integer else np.cumsum(np.abs(x), 1))
        parameters = {"T": kind, "BLOCK": block, **({"ADD": "arith.addi", "ZERO": "0"} if integer else {})}
        yield Launch("cumulative-sum", f"{kind} {rows}x{cols} by {block}", (rows,), [y, Array(kind, x), cols], "", parameters)


def top_k(random):
    for rows, cols, k, block in ((4, 100, 8, 128), (3, 1, 1, 128), (2, 128, 128, 128), (3, 500, 5, 512)):
        # Many are equal.
        x = random.integers(-20, 20, (rows, cols)).astype(np.float32)
        places = np.argsort(-x, 1, kind="stable")[:, :k].astype(np.int32)
        values = np.take_along_axis(x, places, 1)
        yield Launch("top-k", f"{k} of {rows}x{cols}", (rows,), [out("f32", values), out("i32", places), Array("f32", x), cols, k], "",
                     {"BLOCK": block})


def rotary_embedding(random):
    for tokens, width in ((10, 64), (1, 64), (13, 16)):
        x, exact = floats(random, "f32", tokens, width)
        frequencies = (10000.0 ** (-2 * np.arange(width // 2) / width)).astype(np.float32)
        # The angle is rounded once, as the kernel does.
        angle = (np.arange(tokens, dtype=np.float32)[:, None] * frequencies).astype(np.float64)
        even, odd = exact[:, ::2], exact[:, 1::2]
        turned = np.stack([even * np.cos(angle) - odd * np.sin(angle), even * np.sin(angle) + odd * np.cos(angle)], -1)
        scale = np.repeat(np.abs(even) + np.abs(odd), 2, axis=1)
        yield Launch("rotary-embedding", f"{tokens}x{width}", (blocks(tokens, 4),),
                     [out("f32", turned.reshape(tokens, width), 1e-6, scale), x, Array("f32", frequencies), tokens], "",
                     {"WIDTH": width, "HALF": width // 2})


def sorts(name):
    def launches(random):
        for rows, low, high in ((5, -9, 9), (3, -1000, 1000), (1, 0, 2)):
            x = random.integers(low, high, (rows, 64)).astype(np.float32)
            for warps in (0, 1, 4):
                yield Launch(name, f"{rows} rows of {low} to {high}, {warps} warps", (rows,),
                             [out("f32", np.sort(x, 1)), Array("f32", x)], num_warps=warps)
    return launches


def f8_numbers():
    """All finite f8E4M3FN from 0 up, by the definition of the format: bias 7, three bits of fraction."""
    bits = np.arange(127)
    exponent, fraction = bits >> 3, bits & 7
    return np.where(exponent == 0, fraction * 2.0**-9, (8 + fraction) * 2.0 ** (exponent - 10))


def round_f8(x):
    """Bits of the nearest f8E4M3FN, of two the even one."""
    numbers = f8_numbers()
    size = np.minimum(np.abs(x), 448)
    below = np.minimum(np.searchsorted(numbers, size, side="right") - 1, 125)
    middle = (numbers[below] + numbers[below + 1]) / 2
    up = (size > middle) | ((size == middle) & (below % 2 == 1))
    return (below + up | np.signbit(x) << 7).astype(np.uint8)


def f8_quantisation(random):
    for rows, cols in ((4, 200), (2, 1), (3, 256)):
        x, _ = floats(random, "f32", rows, cols)
        x.data *= np.float32(10) ** random.integers(-3, 4, (rows, 1)).astype(np.float32)
        x.data[0] = 0
        ratio = np.abs(x.data).max(1) / np.float32(448)
        scale = np.where(ratio == 0, np.float32(1), ratio)
        bits = round_f8((x.data / scale[:, None]).astype(np.float64))
        yield Launch("f8-quantisation", f"{rows}x{cols}", (rows,), [out("f8E4M3FN", bits), out("f32", scale), x, cols], "quantise")
        values = np.where(bits & 0x80, -1, 1) * f8_numbers()[bits & 0x7F]
        yield Launch("f8-quantisation", f"{rows}x{cols} back", (rows,),
                     [out("f32", values.astype(np.float32) * scale[:, None]), Array("f8E4M3FN", bits), Array("f32", scale), cols], "restore")


KINDS = (welford, embedding, transposition, depthwise_convolution, segment_sum, int8_weights, attention, cumulative_sum, top_k,
         rotary_embedding, sorts("rank-sort"), sorts("bitonic-sort"), f8_quantisation)


def run(fsm_run, launch, device, folder):
    """What is wrong with the arrays afterwards, or nothing."""
    line = [str(HERE / f"{launch.file}.mlir"), f"--device={device}", f"--grid={','.join(map(str, launch.grid))}"]
    line += [f"--kernel={launch.kernel}"] * bool(launch.kernel) + [f"--num-warps={launch.num_warps}"] * bool(launch.num_warps)
    for name, value in launch.parameters.items():
        line += ["-D", f"{name}={value}"]
    for index, argument in enumerate(launch.arguments):
        if not isinstance(argument, Array):
            line.append(f"--arg={argument}")
            continue
        np.save(folder / f"in{index}.npy", argument.data)
        line.append(f"--arg={argument.kind + ':' if argument.kind in NAMED else ''}@{folder / f'in{index}.npy'}")
        if argument.expected is not None:
            line.append(f"--out={index}:{folder / f'out{index}.npy'}")
    perform(fsm_run, line)
    for index, argument in enumerate(launch.arguments):
        if isinstance(argument, Array) and argument.expected is not None:
            fault = compare(argument, np.load(folder / f"out{index}.npy"))
            if fault:
                return f"argument {index}: {fault}"
    return ""


def compare(array, got):
    expected = array.expected
    if array.rtol == 0:
        wrong = got != expected.astype(got.dtype)
    else:
        answer = to_float64(got, array.kind)
        scale = np.abs(expected) if array.scale is None else array.scale
        wrong = ~(np.abs(answer - expected) <= array.rtol * scale)
    if not wrong.any():
        return ""
    at = tuple(np.argwhere(wrong)[0])
    return f"{wrong.sum()} of {got.size} wrong, first at {list(map(int, at))}: got {got[at]}, expected {expected[at]}"


def main():
    only = "".join(word.partition("=")[2] for word in sys.argv if word.startswith("--only="))
    done = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for kind in KINDS:
            for launch in kind(np.random.default_rng(5)):
                for device in DEVICES:
                    title = f"{launch.file} {launch.kernel} {launch.title} on {device}"
                    if only not in title:
                        continue
                    try:
                        fault = run(sys.argv[1], launch, device, pathlib.Path(name))
                    except RuntimeError as error:
                        fault = str(error)
                    done, failed = done + 1, failed + bool(fault)
                    if fault:
                        print(f"FAIL {title}: {fault}")
    print(f"{done} checks, {failed} failed")
    return 0 if finish() and done and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
