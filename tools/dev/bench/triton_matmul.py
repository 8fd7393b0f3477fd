"""The opponent: a matrix product in Triton, a tile a program, tiles in groups that share rows and columns in the L2."""

import ctypes

import triton
import triton.language as tl

GROUP = 8
# Rows, columns and inner extent of a tile, stages, warps.
TILES = ((128, 256, 64, 3, 8), (128, 128, 64, 4, 4), (128, 128, 32, 4, 4), (64, 256, 32, 4, 4), (64, 128, 64, 4, 4))
FLAT_TILES = ((16, 64, 128, 4, 4), (16, 128, 128, 4, 4), (32, 64, 128, 4, 4), (64, 64, 128, 4, 4))
# Of a parameter that is a multiple of so much.
ALIGNED = 16


@triton.jit
def product(c, a, b, m, n, k, c_stride, a_stride, b_stride, b_column, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
            GROUP: tl.constexpr, SUMS: tl.constexpr, PRECISION: tl.constexpr):
    program = tl.program_id(0)
    down, across = tl.cdiv(m, BM), tl.cdiv(n, BN)
    group = program // (GROUP * across)
    rows = min(down - group * GROUP, GROUP)
    row = group * GROUP + program % (GROUP * across) % rows
    column = program % (GROUP * across) // rows
    first_row, first_column = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    # What is outside is read somewhere inside, and not stored.
    at = a + (first_row % m)[:, None] * a_stride + inner[None, :]
    bt = b + inner[:, None] * b_stride + (first_column % n)[None, :] * b_column
    sums = tl.zeros((BM, BN), dtype=SUMS)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        x = tl.load(at, mask=inner[None, :] < left, other=0.0)
        y = tl.load(bt, mask=inner[:, None] < left, other=0.0)
        sums = tl.dot(x, y, sums, input_precision=PRECISION)
        at += BK
        bt += BK * b_stride
    place = c + first_row[:, None] * c_stride + first_column[None, :]
    tl.store(place, sums.to(c.dtype.element_ty), mask=(first_row[:, None] < m) & (first_column[None, :] < n))


def tiles_of(product_):
    tiles = FLAT_TILES if product_.rows <= 64 else TILES
    return tuple((rows, columns, product_.step(inner), *rest) for rows, columns, inner, *rest in tiles)


def launcher(case, tile):
    """A function of (c, a, b) that launches on PyTorch's current stream, for the GPU that is there."""
    rows, columns, inner, stages, warps = tile
    sums = tl.int32 if case.kind.stored == "i8" else tl.float32
    grid = (triton.cdiv(case.rows, rows) * triton.cdiv(case.columns, columns),)

    def launch(c, a, b):
        product[grid](c, a, b, case.rows, case.columns, case.inner, c.stride(0), a.stride(0), *b.stride(), rows, columns, inner,
                      GROUP, sums, case.precision, num_warps=warps, num_stages=stages)

    return launch


def compiled_for(case, tile, capability):
    """(PTX, entry, bytes of shared memory, threads) of the kernel for another GPU, which this one runs."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    rows, columns, inner, stages, warps = tile
    kind = {"f16": "*fp16", "bf16": "*bf16", "f32": "*fp32", "tf32": "*fp32"}[case.type]
    numbers = {"m": case.rows, "n": case.columns, "k": case.inner, "c_stride": case.columns + case.padding,
               "a_stride": case.inner + case.padding, "b_stride": case.columns + case.padding}
    constants = {"b_column": 1, "BM": rows, "BN": columns, "BK": inner, "GROUP": GROUP, "SUMS": tl.float32,
                 "PRECISION": case.precision}
    signature = {**dict.fromkeys("cab", kind), **dict.fromkeys(numbers, "i32"), **dict.fromkeys(constants, "constexpr")}
    aligned = [position for position, name in enumerate(signature) if name in "cab" or numbers.get(name, 1) % ALIGNED == 0]
    source = ASTSource(product, signature, constants, {(position,): [["tt.divisibility", ALIGNED]] for position in aligned})
    kernel = triton.compile(source, target=GPUTarget("cuda", capability, 32),
                            options={"num_warps": warps, "num_stages": stages})
    return kernel.asm["ptx"], kernel.metadata.name, kernel.metadata.shared, 32 * warps


def arguments_of(case, c, a, b):
    """What the driver hands to `compiled_for`'s kernel; the last two are scratch memory that it does not use."""
    numbers = (case.rows, case.columns, case.inner, c.stride(0), a.stride(0), b.stride(0))
    return [*(ctypes.c_uint64(tensor.data_ptr()) for tensor in (c, a, b)), *map(ctypes.c_int32, numbers),
            ctypes.c_uint64(0), ctypes.c_uint64(0)]
