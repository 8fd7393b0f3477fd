"""Kernels that Triton's own compiler has made PTX of, on the simulator, against NumPy: two compilers, and one machine for both.

Call: triton_code.py LIBRARY      (the simulator's; Triton is needed, a GPU is not)

A kernel in a line, as far as its numbers are off and what was reported of it.
"""

import sys
from ctypes import c_char_p, c_int, c_uint64
from pathlib import Path

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "dev"))
from bench.driver import Driver

TYPES = {"float16": "fp16", "float32": "fp32", "int32": "i32"}
RANDOM = np.random.default_rng(7)


@triton.jit
def softmax(y, x, n, B: tl.constexpr):
    place = tl.program_id(0) * n + tl.arange(0, B)
    row = tl.load(x + place, mask=tl.arange(0, B) < n, other=-float("inf"), eviction_policy="evict_first")
    powers = tl.exp(row - tl.max(row, 0))
    tl.store(y + place, powers / tl.sum(powers, 0), mask=tl.arange(0, B) < n)


@triton.jit
def product(c, a, b, n, B: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    row, column, k = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, BK)
    total = tl.zeros((B, B), tl.float32)
    for i in range(0, n, BK):
        left = tl.load(a + row[:, None] * n + (i + k)[None, :])
        right = tl.load(b + (i + k)[:, None] * n + column[None, :])
        total = tl.dot(left, right, total, input_precision=PRECISION)
    tl.store(c + row[:, None] * n + column[None, :], total)


@triton.jit
def add_all(y, x, B: tl.constexpr):
    place = tl.arange(0, B)
    tl.atomic_add(y + place, tl.load(x + tl.program_id(0) * B + place))


def run(driver, kernel, grid, arrays, numbers, constants, capability=90):
    """What the first array holds behind a launch, and what the simulator said of it."""
    names = kernel.arg_names
    signature = {name: "*" + TYPES[array.dtype.name] for name, array in zip(names, arrays)}
    signature |= {names[len(arrays) + i]: "i32" for i in range(len(numbers))} | dict.fromkeys(constants, "constexpr")
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants,
                       attrs={(i,): [["tt.divisibility", 16]] for i in range(len(arrays) + len(numbers))})
    code = triton.compile(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": 4, "num_stages": 3})
    addresses = []
    for array in arrays:
        addresses.append(driver.allocate(array.nbytes))
        driver.copy_in(addresses[-1], array)
    function = driver.function(driver.load(code.asm["ptx"]), code.metadata.name, code.metadata.shared)
    # Triton's kernels take the addresses of two kinds of scratch behind their arguments.
    values = [*addresses, *map(c_int, numbers), c_uint64(0), c_uint64(0)]
    driver.launch(function, (*grid, 1), (32 * code.metadata.num_warps, 1, 1), code.metadata.shared, values)
    driver.synchronize()
    result = np.empty_like(arrays[0])
    driver.copy_out(result, addresses[0])
    return result, driver.cuda.fsmSimulatorReports().decode()


def tell(name, found, expected, bound, reports):
    error = np.abs(found - expected).max()
    kinds = sorted({line.split("error: ")[-1].split(": ")[1] for line in reports.splitlines()})
    print(f"{name}: {'right' if error <= bound else f'off by {error}'}, {', '.join(kinds) or 'no report'}")


def main():
    driver = Driver(sys.argv[1])
    driver.cuda.fsmSimulatorReports.restype = c_char_p
    x = RANDOM.standard_normal((3, 496), np.float32)
    powers = np.exp(x.astype(float))
    found, reports = run(driver, softmax, (3, 1), [np.zeros_like(x), x], [496], {"B": 512})
    tell("softmax", found, powers / powers.sum(1, keepdims=True), 1e-7, reports)
    for dtype, capability, precision, bound in ((np.float16, 90, "ieee", 1e-4), (np.float32, 90, "tf32", 0.1),
                                                (np.float16, 80, "ieee", 1e-4), (np.float32, 80, "tf32", 0.05),
                                                (np.float32, 80, "ieee", 1e-4)):
        a, b = (RANDOM.standard_normal((128, 128), np.float32).astype(dtype) for _ in range(2))
        found, reports = run(driver, product, (2, 2), [np.zeros((128, 128), np.float32), a, b], [128],
                             {"B": 64, "BK": 32, "PRECISION": precision}, capability)
        tell(f"product of {np.dtype(dtype)}, {precision}, sm_{capability}", found, a.astype(float) @ b.astype(float), bound, reports)
    x = RANDOM.integers(-9, 9, (5, 512)).astype(np.float32)
    found, reports = run(driver, add_all, (5, 1), [np.zeros(512, np.float32), x], [], {"B": 512})
    tell("sums by atomics", found, x.sum(0), 0, reports)


main()
