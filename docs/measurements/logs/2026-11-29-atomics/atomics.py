"""Sums by atomics: rows of a gradient that are added to rows of a table, by random numbers, few rows, one row; split-K sums. us of a CUDA graph's launch."""
import sys, torch, triton, triton.language as tl
@triton.jit
def scatter(out, src, ids, n, width, ROWS: tl.constexpr, BLOCK: tl.constexpr, SEM: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS); c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    i = tl.load(ids + r, mask=r < n, other=0)
    m = (r < n)[:, None] & (c < width)[None, :]
    x = tl.load(src + r[:, None] * width + c[None, :], mask=m, other=0.0)
    tl.atomic_add(out + i[:, None] * width + c[None, :], x, mask=m, sem=SEM)
@triton.jit
def addall(out, src, n, BLOCK: tl.constexpr):
    p = tl.program_id(0); o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + p * n + o, mask=o < n, other=0.0)
    tl.atomic_add(out + o, x, mask=o < n)
def timed(f):
    f(); torch.cuda.synchronize()
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        f(); torch.cuda.synchronize(); g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g):
            for _ in range(10): f()
    ts = []
    for _ in range(9):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(); g.replay(); b.record(); torch.cuda.synchronize(); ts.append(a.elapsed_time(b) * 100)
    ts.sort(); return ts[4], ts[0], ts[-1]
torch.manual_seed(0)
def main():
  for dt in (torch.bfloat16, torch.float16, torch.float32):
    for width, rows, block in ((64, 64, 64), (1024, 4, 1024), (1000, 4, 1024), (4096, 1, 4096)):
        n = 1 << (22 - (width.bit_length() - 1)) ; n = min(n, 65536)
        src = torch.randn(n, width, device="cuda").to(dt)
        for name, hi in (("random", 32768), ("few", 16), ("one", 1)):
            if sys.argv[1] == "base" and name != "random" and dt != torch.float32: continue
            ids = torch.randint(0, hi, (n,), device="cuda")
            for sem in ("acq_rel", "relaxed"):
                out = torch.zeros(hi, width, device="cuda", dtype=dt)
                grid = (triton.cdiv(n, rows), triton.cdiv(width, block))
                f = lambda: scatter[grid](out, src, ids, n, width, rows, block, sem)
                f(); torch.cuda.synchronize()
                if name == "random":
                    ref = torch.zeros(hi, width, device="cuda", dtype=torch.float64).index_add_(0, ids, src.double())
                    err = ((out.double() - ref).abs().max() / ref.abs().max()).item()
                else: err = float("nan")
                t = timed(f)
                print(f"{str(dt)[6:]:9} {n}x{width} {name:7} {sem:8} {t[0]:9.2f} {t[1]:9.2f} {t[2]:9.2f} us  error {err:.2g}", flush=True)
  for n in (1 << 16, 1 << 18):
    src = torch.randn(32, n, device="cuda"); out = torch.zeros(n, device="cuda")
    t = timed(lambda: addall[(32, n // 1024)](out, src, n, 1024))
    out.zero_(); addall[(32, n // 1024)](out, src, n, 1024); err = (out.double() - src.double().sum(0)).abs().max().item()
    print(f"split-K f32 32 x {n}                {t[0]:9.2f} {t[1]:9.2f} {t[2]:9.2f} us  error {err:.2g}", flush=True)
if sys.argv[1] == "triton": main()
else:
    import fsm.triton
    with fsm.triton.enable(): main()
