"""The opponent once more: as many programs as multiprocessors go from tile to tile, and the hardware copies and stores tiles."""

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from .products import BYTES, FEW_ROWS
from .triton_matmul import ALIGNED, GROUP

# Rows, columns and inner extent of a tile, stages, warps, and in how many parts its result is stored.
TILES = ((128, 256, 64, 3, 8, 2), (128, 256, 64, 4, 8, 2), (128, 128, 64, 4, 4, 1), (128, 128, 64, 4, 8, 1), (256, 128, 64, 3, 8, 2))


@triton.jit
def product_persistent(c, a, b, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
                       PROGRAMS: tl.constexpr, PARTS: tl.constexpr, BY_COLUMNS: tl.constexpr, SUMS: tl.constexpr, TO: tl.constexpr,
                       PRECISION: tl.constexpr):
    down, across = tl.cdiv(m, BM), tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), down * across, PROGRAMS, flatten=True):
        group = tile // (GROUP * across)
        rows = min(down - group * GROUP, GROUP)
        row = (group * GROUP + tile % (GROUP * across) % rows) * BM
        column = tile % (GROUP * across) // rows * BN
        sums = tl.zeros((BM, BN), dtype=SUMS)
        for step in range(0, tl.cdiv(k, BK)):
            x = a.load([row, step * BK])
            if BY_COLUMNS:
                sums = tl.dot(x, b.load([column, step * BK]).T, sums, input_precision=PRECISION)
            else:
                sums = tl.dot(x, b.load([step * BK, column]), sums, input_precision=PRECISION)
        if PARTS == 2:
            left, right = sums.reshape(BM, 2, BN // 2).permute(0, 2, 1).split()
            c.store([row, column], left.to(TO))
            c.store([row, column + BN // 2], right.to(TO))
        else:
            c.store([row, column], sums.to(TO))


def is_possible(case):
    """Whether rows begin where the hardware's copies begin."""
    stored, result = BYTES[case.kind.stored], BYTES[case.kind.result]
    rows = ((case.inner, stored), (case.inner if case.kind.by_columns else case.columns, stored), (case.columns, result))
    return case.rows > FEW_ROWS and all((extent + case.padding) * size % ALIGNED == 0 for extent, size in rows)


def tiles_of(case):
    return tuple((rows, columns, case.step(inner), *rest) for rows, columns, inner, *rest in TILES) if is_possible(case) else ()


def launcher(case, tile, sets, programs):
    """A function of the number of a set of (c, a, b) that launches on PyTorch's current stream."""
    rows, columns, inner, stages, warps, parts = tile
    sums = tl.int32 if case.kind.stored == "i8" else tl.float32
    to = {"f16": tl.float16, "bf16": tl.bfloat16, "f32": tl.float32, "i32": tl.int32}[case.kind.result]

    def descriptors(c, a, b):
        factor = (b.t(), [columns, inner]) if case.kind.by_columns else (b, [inner, columns])
        return (TensorDescriptor.from_tensor(c, [rows, columns // parts]), TensorDescriptor.from_tensor(a, [rows, inner]),
                TensorDescriptor.from_tensor(*factor))

    described = [descriptors(*tensors) for tensors in sets]
    grid = (min(programs, triton.cdiv(case.rows, rows) * triton.cdiv(case.columns, columns)),)

    def launch(index):
        product_persistent[grid](*described[index], case.rows, case.columns, case.inner, rows, columns, inner, GROUP, grid[0], parts,
                                 case.kind.by_columns, sums, to, case.precision, num_warps=warps, num_stages=stages)

    return launch
