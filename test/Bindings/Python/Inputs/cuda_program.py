"""A program that knows nothing of FSM and has no GPU. With the argument 0 it makes a mistake."""

import sys

import torch
import triton
import triton.language as tl

device = torch.device("cuda", torch.cuda.current_device())


@triton.jit
def scaled(x, y, n, SAFE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < (n if SAFE else n + 1)
    value = tl.load(x + at, mask=at < n, other=0.0) * 2
    tl.store(y + at, value, mask=inside)


stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    x = torch.rand(1000, device=device)
    y = torch.empty_like(x)
    scaled[(triton.cdiv(1000, 128), )](x, y, 1000, SAFE=sys.argv[1] == "1", BLOCK=128)
torch.cuda.synchronize()
assert torch.equal(y.cpu(), 2 * x.cpu())
print(f"right, as {__name__} with {sys.argv[1:]}")
