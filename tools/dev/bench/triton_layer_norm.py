"""Layer norm in three loops over a row's blocks, in Triton: the kernel of layer_norm_blocked.mlir."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, rows, weight, bias, in_stride, out_stride, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    rows += row * in_stride
    out += row * out_stride
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        sums += tl.load(rows + offs, mask=offs < cols, other=0.0).to(tl.float32)
    mean = tl.sum(sums, axis=0) / cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        x = tl.load(rows + offs, mask=offs < cols, other=0.0).to(tl.float32)
        centred = tl.where(offs < cols, x - mean, 0.0)
        squares += centred * centred
    rstd = tl.rsqrt(tl.sum(squares, axis=0) / cols + eps)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        mask = offs < cols
        w = tl.load(weight + offs, mask=mask)
        b = tl.load(bias + offs, mask=mask)
        x = tl.load(rows + offs, mask=mask, other=0.0).to(tl.float32)
        tl.store(out + offs, (x - mean) * rstd * w + b, mask=mask)


def launcher(arrays, block, num_warps, epsilon):
    """A function of one set of arrays that launches it."""
    rows, cols = arrays["in"].shape

    def launch(arrays):
        kernel[(rows,)](arrays["out"], arrays["in"], arrays["weight"], arrays["bias"], cols, cols, cols, epsilon, BLOCK=block,
                        num_warps=num_warps)

    launch(arrays)
    return launch
