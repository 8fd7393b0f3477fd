"""Many small kernels, one thing each, by Triton's compiler and by FSM: python micro.py triton|fsm|cpu [FILTER]. us of a launch."""
import json, os, re, sys, time, torch, triton, triton.language as tl
from triton.language.extra import libdevice
MODE = sys.argv[1]; FILTER = re.compile(sys.argv[2] if len(sys.argv) > 2 else ""); D = "cpu" if MODE == "cpu" else "cuda"
S = 64 if MODE == "cpu" else 1   # sizes are divided by this
K = []
def bench(name, kernel, grid, args, outs, **const): K.append((name, kernel, grid, args, outs, const))
g = torch.Generator().manual_seed(0)
def rnd(*shape, dtype=torch.float32):
    if dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64): return torch.randn(*shape, generator=g).to(dtype).to(D)
    return torch.randint(-100 if dtype.is_signed else 0, 100, shape, generator=g).to(dtype).to(D)
def ints(hi, *shape, dtype=torch.int32): return torch.randint(0, hi, shape, generator=g, dtype=dtype).to(D)
def zeros(*shape, dtype=torch.float32): return torch.zeros(*shape, dtype=dtype, device=D)

@triton.jit
def transpose(o, x, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B); c = tl.program_id(1) * B + tl.arange(0, B)
    t = tl.load(x + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :])
    tl.store(o + c[:, None] * M + r[None, :], tl.trans(t), mask=(c < N)[:, None] & (r < M)[None, :])
@triton.jit
def colsum(o, x, M, N, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN); acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, M, BM):
        r = i + tl.arange(0, BM)
        acc += tl.load(x + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :], other=0.0).to(tl.float32)
    tl.store(o + c, tl.sum(acc, 0), mask=c < N)
@triton.jit
def colstep(o, x, M, N, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN); acc = tl.zeros((BN,), tl.float32)
    for i in range(0, M, BM):
        r = i + tl.arange(0, BM)
        acc += tl.sum(tl.load(x + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :], other=0.0).to(tl.float32), 0)
    tl.store(o + c, acc, mask=c < N)
@triton.jit
def argmax(o, v, x, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B)
    t = tl.load(x + r * N + c, mask=c < N, other=float("-inf")); m, i = tl.max(t, 0, return_indices=True)
    tl.store(o + r, i); tl.store(v + r, m)
@triton.jit
def cumsum_row(o, x, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B)
    tl.store(o + r * N + c, tl.cumsum(tl.load(x + r * N + c, mask=c < N, other=0.0), 0), mask=c < N)
@triton.jit
def cumsum_tile(o, x, N, R: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B); p = r[:, None] * N + c[None, :]
    tl.store(o + p, tl.cumsum(tl.load(x + p), AXIS))
@triton.jit
def rec(a, b, c, d): return a * c, b * c + d
@triton.jit
def linrec(o, x, y, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); p = r * N + c
    _, s = tl.associative_scan((tl.load(x + p) * 0.1, tl.load(y + p)), 0, rec)
    tl.store(o + p, s)
@triton.jit
def welford(m1, v1, w1, m2, v2, w2):
    d = m2 - m1; w = w1 + w2; q = tl.where(w == 0.0, 0.0, w2 / w)
    return m1 + d * q, v1 + v2 + d * d * w1 * q, w
@triton.jit
def wf(o, x, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); t = tl.load(x + r * N + c).to(tl.float32)
    m, v, w = tl.reduce((t, t * 0, t * 0 + 1), 0, welford)
    tl.store(o + 2 * r, m); tl.store(o + 2 * r + 1, v / w)
@triton.jit
def sort(o, x, N, B: tl.constexpr, R: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B); p = r[:, None] * N + c[None, :]
    tl.store(o + p, tl.sort(tl.load(x + p), 1))
@triton.jit
def topk(o, x, N, B: tl.constexpr, Kk: tl.constexpr, R: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B)
    t = tl.topk(tl.load(x + r[:, None] * N + c[None, :]), Kk, 1)
    tl.store(o + r[:, None] * Kk + tl.arange(0, Kk)[None, :], t)
@triton.jit
def hist(o, x, BINS: tl.constexpr, B: tl.constexpr):
    p = tl.program_id(0); h = tl.histogram(tl.load(x + p * B + tl.arange(0, B)), BINS)
    tl.atomic_add(o + tl.arange(0, BINS), h, sem="relaxed")
@triton.jit
def hist_global(o, x, B: tl.constexpr):
    tl.atomic_add(o + tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), 1, sem="relaxed")
@triton.jit
def amax(o, x, i, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); tl.atomic_max(o + tl.load(i + p), tl.load(x + p), sem="relaxed")
@triton.jit
def gather(o, x, i, N, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); p = r[:, None] * N + tl.arange(0, B)[None, :]
    tl.store(o + p, tl.gather(tl.load(x + p), tl.load(i + p), 1))
@triton.jit
def flip(o, x, N, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); p = r[:, None] * N + tl.arange(0, B)[None, :]
    tl.store(o + p, tl.flip(tl.load(x + p), 1))
@triton.jit
def rope(o, x, cs, sn, T, H: tl.constexpr, B: tl.constexpr):
    t = tl.program_id(0); h = tl.arange(0, H); c = tl.arange(0, B)
    p = t * H * 2 * B + h[:, None] * 2 * B + tl.arange(0, 2 * B)[None, :]
    a, b = tl.split(tl.reshape(tl.load(x + p), (H, B, 2)))
    co = tl.load(cs + t * B + c)[None, :]; si = tl.load(sn + t * B + c)[None, :]
    tl.store(o + p, tl.reshape(tl.join(a * co - b * si, a * si + b * co), (H, 2 * B)))
@triton.jit
def rope_half(o, x, cs, sn, T, H: tl.constexpr, B: tl.constexpr):
    t = tl.program_id(0); h = tl.arange(0, H); c = tl.arange(0, B); p = t * H * 2 * B + h[:, None] * 2 * B + c[None, :]
    a = tl.load(x + p); b = tl.load(x + p + B); co = tl.load(cs + t * B + c)[None, :]; si = tl.load(sn + t * B + c)[None, :]
    tl.store(o + p, a * co - b * si); tl.store(o + p + B, b * co + a * si)
@triton.jit
def unary(o, x, n, B: tl.constexpr, F: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); t = tl.load(x + p, mask=p < n)
    if F == "exp": t = tl.exp(t)
    elif F == "log": t = tl.log(tl.abs(t) + 1e-3)
    elif F == "sin": t = tl.sin(t)
    elif F == "erf": t = tl.erf(t)
    elif F == "sigmoid": t = tl.sigmoid(t)
    elif F == "rsqrt": t = tl.rsqrt(tl.abs(t) + 0.1)
    elif F == "tanh": t = libdevice.tanh(t)
    elif F == "pow": t = libdevice.pow(tl.abs(t) + 0.1, t)
    elif F == "gelu": t = 0.5 * t * (1 + tl.erf(t * 0.70710678))
    elif F == "silu": t = t * tl.sigmoid(t.to(tl.float32)).to(t.dtype)
    elif F == "div": t = t / (t * t + 1)
    elif F == "f8": t = t.to(tl.float8e4nv)
    elif F == "f8e5": t = t.to(tl.float8e5)
    elif F == "bf16": t = t.to(tl.bfloat16)
    elif F == "i8": t = (t * 20).to(tl.int8)
    elif F == "idiv": t = t // 7 + t % 13
    elif F == "f8up": t = t.to(tl.float8e4nv, bitcast=True).to(tl.float16)
    elif F == "hash":
        for _ in tl.static_range(4): t = (t ^ (t >> 16)) * 0x45d9f3b
    elif F == "copy": t = t + 0
    tl.store(o + p, t, mask=p < n)
@triton.jit
def idivr(o, x, n, d, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); t = tl.load(x + p, mask=p < n); tl.store(o + p, t // d + t % d, mask=p < n)
@triton.jit
def rand(o, n, seed, B: tl.constexpr, N: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); tl.store(o + p, tl.randn(seed, p) if N else tl.rand(seed, p), mask=p < n)
@triton.jit
def rand4(o, n, seed, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); a, b, c, d = tl.rand4x(seed, p)
    q = tl.program_id(0) * 4 * B + tl.arange(0, B); tl.store(o + q, a); tl.store(o + q + B, b); tl.store(o + q + 2 * B, c); tl.store(o + q + 3 * B, d)
@triton.jit
def int4(o, x, s, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); q = tl.load(x + r * B + c)
    lo = ((q & 15) - 8).to(tl.float16); hi = ((q >> 4) - 8).to(tl.float16); sc = tl.load(s + r)
    tl.store(o + r * 2 * B + tl.arange(0, 2 * B), tl.interleave(lo * sc, hi * sc))
@triton.jit
def take(o, x, i, N, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B)
    tl.store(o + r[:, None] * N + c[None, :], tl.load(x + tl.load(i + r)[:, None] * N + c[None, :]))
@triton.jit
def put(o, x, i, N, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B)
    tl.store(o + tl.load(i + r)[:, None] * N + c[None, :], tl.load(x + r[:, None] * N + c[None, :]))
@triton.jit
def bag(o, x, i, N, L, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); acc = tl.zeros((B,), tl.float32)
    for j in range(L): acc += tl.load(x + tl.load(i + r * L + j) * N + c).to(tl.float32)
    tl.store(o + r * N + c, acc)
@triton.jit
def csr(o, v, ci, x, rp, B: tl.constexpr):
    r = tl.program_id(0); a = tl.load(rp + r); b = tl.load(rp + r + 1); acc = tl.zeros((B,), tl.float32)
    for j in range(a, b, B):
        k = j + tl.arange(0, B); m = k < b
        acc += tl.load(v + k, mask=m, other=0.0) * tl.load(x + tl.load(ci + k, mask=m, other=0), mask=m, other=0.0)
    tl.store(o + r, tl.sum(acc, 0))
@triton.jit
def strided(o, x, n, ST, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); tl.store(o + p, tl.load(x + p * ST, mask=p < n), mask=p < n)
@triton.jit
def gemv(o, a, x, N, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); acc = tl.zeros((R, B), tl.float32)
    for k in range(0, N, B):
        c = k + tl.arange(0, B); acc += tl.load(a + r[:, None] * N + c[None, :]).to(tl.float32) * tl.load(x + c)[None, :].to(tl.float32)
    tl.store(o + r, tl.sum(acc, 1))
@triton.jit
def mid(o, x, A: tl.constexpr, Bm: tl.constexpr, C: tl.constexpr):
    p = tl.program_id(0); a = tl.arange(0, A)[:, None, None]; b = tl.arange(0, Bm)[None, :, None]; c = tl.arange(0, C)[None, None, :]
    t = tl.sum(tl.load(x + p * A * Bm * C + a * Bm * C + b * C + c), 1)
    tl.store(o + p * A * C + tl.arange(0, A)[:, None] * C + tl.arange(0, C)[None, :], t)
@triton.jit
def stencil(o, x, H, W, B: tl.constexpr, BH: tl.constexpr):
    y = tl.program_id(0) * BH + tl.arange(0, BH)[:, None]; c = tl.program_id(1) * B + tl.arange(0, B)[None, :]; acc = tl.zeros((BH, B), tl.float32)
    for dy in tl.static_range(3):
        for dx in tl.static_range(3):
            yy = y + dy - 1; xx = c + dx - 1
            acc += tl.load(x + yy * W + xx, mask=(yy >= 0) & (yy < H) & (xx >= 0) & (xx < W), other=0.0) * (dy * 3 + dx + 1)
    tl.store(o + y * W + c, acc, mask=(y < H) & (c < W))
@triton.jit
def softmax0(o, x, N, B: tl.constexpr, R: tl.constexpr):
    c = tl.program_id(0) * B + tl.arange(0, B); r = tl.arange(0, R); p = r[:, None] * N + c[None, :]
    t = tl.load(x + p); e = tl.exp(t - tl.max(t, 0)[None, :]); tl.store(o + p, e / tl.sum(e, 0)[None, :])
@triton.jit
def mm(o, a, b, M, N, Kd, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PREC: tl.constexpr, ACC: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM); c = tl.program_id(1) * BN + tl.arange(0, BN); acc = tl.zeros((BM, BN), ACC)
    for k in range(0, Kd, BK):
        kk = k + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + r[:, None] * Kd + kk[None, :]), tl.load(b + kk[:, None] * N + c[None, :]), acc, input_precision=PREC, out_dtype=ACC)
    tl.store(o + r[:, None] * N + c[None, :], acc)
@triton.jit
def bmm(o, a, b, B: tl.constexpr):
    p = tl.program_id(0); i = tl.arange(0, B); q = p * B * B + i[:, None] * B + i[None, :]
    tl.store(o + q, tl.dot(tl.load(a + q), tl.load(b + q)))
@triton.jit
def logsumexp(o, x, N, B: tl.constexpr):
    r = tl.program_id(0); m = tl.full((), float("-inf"), tl.float32); s = tl.full((), 0.0, tl.float32)
    for k in range(0, N, B):
        t = tl.load(x + r * N + k + tl.arange(0, B), mask=k + tl.arange(0, B) < N, other=float("-inf")).to(tl.float32)
        n = tl.maximum(m, tl.max(t, 0)); s = s * tl.exp(m - n) + tl.sum(tl.exp(t - n), 0); m = n
    tl.store(o + r, m + tl.log(s))
@triton.jit
def quant_row(o, sc, x, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); t = tl.load(x + r * N + c).to(tl.float32); s = tl.max(tl.abs(t), 0) / 127.0
    tl.store(sc + r, s); tl.store(o + r * N + c, (t / s).to(tl.int8))
@triton.jit
def swiglu(o, x, N, B: tl.constexpr):
    r = tl.program_id(0); c = tl.program_id(1) * B + tl.arange(0, B)
    a = tl.load(x + r * 2 * N + c).to(tl.float32); b = tl.load(x + r * 2 * N + N + c); tl.store(o + r * N + c, (a * tl.sigmoid(a)).to(b.dtype) * b)
@triton.jit
def add3(o, x, y, z, n, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B); m = p < n
    tl.store(o + p, tl.load(x + p, mask=m) + tl.load(y + p, mask=m) * tl.load(z + p, mask=m), mask=m)

n = (1 << 24) // S
for dt, w in ((torch.float32, 4096 // S), (torch.float16, 4096 // S), (torch.int8, 4096 // S)):
    if w < 64: w = 64
    for B in (32, 64, 128):
        bench(f"transpose {str(dt)[6:]} {B}", transpose, (triton.cdiv(w, B),) * 2, [zeros(w, w, dtype=dt), rnd(w, w, dtype=dt), w, w], [0], B=B)
w = max(4096 // S, 64)
for dt in (torch.float32, torch.float16):
    x = rnd(w, w, dtype=dt); s = str(dt)[6:]
    bench(f"column sums {s} 64x32", colsum, (triton.cdiv(w, 32),), [zeros(w), x, w, w], [0], BM=64, BN=32)
    bench(f"column sums {s} 128x64", colsum, (triton.cdiv(w, 64),), [zeros(w), x, w, w], [0], BM=128, BN=64)
    bench(f"column sums by step {s} 64x32", colstep, (triton.cdiv(w, 32),), [zeros(w), x, w, w], [0], BM=64, BN=32)
    for N in (1024, 4096):
        rows = n // N; y = rnd(rows, N, dtype=dt)
        bench(f"argmax {s} {N}", argmax, (rows,), [zeros(rows, dtype=torch.int32), zeros(rows, dtype=dt), y, N], [0, 1], B=N)
        bench(f"cumsum {s} {N}", cumsum_row, (rows,), [zeros(rows, N, dtype=dt), y, N], [0], B=N)
        bench(f"welford {s} {N}", wf, (rows,), [zeros(rows, 2), y, N], [0], B=N)
        bench(f"quantise rows {s} {N}", quant_row, (rows,), [zeros(rows, N, dtype=torch.int8), zeros(rows), y, N], [0, 1], B=N)
    y = rnd(n // 32000, 32000, dtype=dt)
    bench(f"online logsumexp {s} 32000 by 2048", logsumexp, (n // 32000,), [zeros(n // 32000), y, 32000], [0], B=2048)
    y = rnd(256, n // 256, dtype=dt)
    bench(f"softmax along rows {s} 256x32", softmax0, (n // 256 // 32,), [zeros(256, n // 256, dtype=dt), y, n // 256], [0], B=32, R=256)
y = rnd(n // 256, 256)
bench("cumsum tile axis 1 32x256", cumsum_tile, (n // 256 // 32,), [zeros(n // 256, 256), y, 256], [0], R=32, B=256, AXIS=1)
bench("cumsum tile axis 0 64x256", cumsum_tile, (n // 256 // 64,), [zeros(n // 256, 256), y, 256], [0], R=64, B=256, AXIS=0)
y = rnd(n // 1024, 1024)
bench("linear recurrence 1024", linrec, (n // 1024,), [zeros(n // 1024, 1024), y, rnd(n // 1024, 1024), 1024], [0], B=1024)
for N, R in ((64, 16), (256, 4), (1024, 1)):
    r = n // 4 // N
    bench(f"sort f32 {N}", sort, (r // R,), [zeros(r, N), rnd(r, N), N], [0], B=N, R=R)
bench("sort i32 256", sort, (n // 1024 // 4,), [zeros(n // 1024, 256, dtype=torch.int32), ints(1 << 30, n // 1024, 256), 256], [0], B=256, R=4)
bench("topk f32 8 of 256", topk, (n // 1024 // 4,), [zeros(n // 1024, 8), rnd(n // 1024, 256), 256], [0], B=256, Kk=8, R=4)
bench("histogram 256 of 4096", hist, (n // 4096,), [zeros(256, dtype=torch.int32), ints(256, n)], [], BINS=256, B=4096)
bench("histogram 32 of 1024", hist, (n // 1024,), [zeros(32, dtype=torch.int32), ints(32, n)], [], BINS=32, B=1024)
bench("counts by atomics, 65536 places", hist_global, (n // 1024,), [zeros(65536, dtype=torch.int32), ints(65536, n)], [], B=1024)
bench("atomic max f32, 65536 places", amax, (n // 4096,), [zeros(65536), rnd(n // 4), ints(65536, n // 4)], [0], B=1024)
bench("gather 64x256 f32", gather, (n // 256 // 64,), [zeros(n // 256, 256), rnd(n // 256, 256), ints(256, n // 256, 256), 256], [0], R=64, B=256)
bench("gather 16x64 f16", gather, (n // 64 // 16,), [zeros(n // 64, 64, dtype=torch.float16), rnd(n // 64, 64, dtype=torch.float16), ints(64, n // 64, 64), 64], [0], R=16, B=64)
bench("flip 16x256 f32", flip, (n // 256 // 16,), [zeros(n // 256, 256), rnd(n // 256, 256), 256], [0], R=16, B=256)
T = n // 4096
bench("rope pairs f16", rope, (T,), [zeros(T, 32, 128, dtype=torch.float16), rnd(T, 32, 128, dtype=torch.float16), rnd(T, 64, dtype=torch.float16), rnd(T, 64, dtype=torch.float16), T], [0], H=32, B=64)
bench("rope halves f16", rope_half, (T,), [zeros(T, 32, 128, dtype=torch.float16), rnd(T, 32, 128, dtype=torch.float16), rnd(T, 64, dtype=torch.float16), rnd(T, 64, dtype=torch.float16), T], [0], H=32, B=64)
for F in ("copy", "exp", "log", "sin", "erf", "sigmoid", "rsqrt", "tanh", "pow", "gelu", "div", "f8", "f8e5", "bf16", "i8"):
    o = zeros(n, dtype=torch.uint8).view(torch.float8_e4m3fn if F == "f8" else torch.float8_e5m2) if F in ("f8", "f8e5") else zeros(n, dtype={"bf16": torch.bfloat16, "i8": torch.int8}.get(F, torch.float32))
    bench(f"{F} f32", unary, (n // 1024,), [o, rnd(n), n], [0], B=1024, F=F)
for F in ("copy", "silu", "div"):
    for dt in (torch.float16, torch.bfloat16):
        bench(f"{F} {str(dt)[6:]}", unary, (n // 1024,), [zeros(n, dtype=dt), rnd(n, dtype=dt), n], [0], B=1024, F=F)
bench("f8 to f16", unary, (n // 1024,), [zeros(n, dtype=torch.float16), ints(120, n, dtype=torch.uint8), n], [0], B=1024, F="f8up")
bench("copy i8", unary, (n // 1024,), [zeros(n, dtype=torch.int8), rnd(n, dtype=torch.int8), n], [0], B=1024, F="copy")
bench("hash i32", unary, (n // 1024,), [zeros(n, dtype=torch.int32), ints(1 << 30, n), n], [0], B=1024, F="hash")
for dt in (torch.int32, torch.int64):
    bench(f"// and % by constants {str(dt)[6:]}", unary, (n // 1024,), [zeros(n, dtype=dt), ints(1 << 30, n, dtype=dt), n], [0], B=1024, F="idiv")
    bench(f"// and % by a number {str(dt)[6:]}", idivr, (n // 1024,), [zeros(n, dtype=dt), ints(1 << 30, n, dtype=dt), n, 37], [0], B=1024)
for F in ("exp", "sin", "div"):
    bench(f"{F} f64", unary, (n // 4096,), [zeros(n // 4, dtype=torch.float64), rnd(n // 4, dtype=torch.float64), n // 4], [0], B=1024, F=F)
bench("rand", rand, (n // 1024,), [zeros(n), n, 5], [0], B=1024, N=0)
bench("randn", rand, (n // 1024,), [zeros(n), n, 5], [0], B=1024, N=1)
bench("rand4x", rand4, (n // 4096,), [zeros(n), n, 5], [0], B=1024)
bench("int4 to f16", int4, (n // 2048,), [zeros(n, dtype=torch.float16), ints(256, n // 2, dtype=torch.uint8), rnd(n // 2048, dtype=torch.float16), 2048], [0], B=1024)
for N, R, dt in ((64, 64, torch.float32), (1024, 4, torch.float16), (4096, 1, torch.bfloat16)):
    r = n // N
    bench(f"rows taken {str(dt)[6:]} {N}", take, (r // R,), [zeros(r, N, dtype=dt), rnd(r, N, dtype=dt), ints(r, r, dtype=torch.int64), N], [0], R=R, B=N)
    bench(f"rows put {str(dt)[6:]} {N}", put, (r // R,), [zeros(r, N, dtype=dt), rnd(r, N, dtype=dt), torch.randperm(r, generator=g).to(D), N], [0], R=R, B=N)
for N in (128, 512):
    r = n // N // 8
    bench(f"embedding bag f16 {N} x 32", bag, (r,), [zeros(r, N), rnd(r, N, dtype=torch.float16), ints(r, r, 32), N, 32], [0], B=N)
rows = n // 64; ln = torch.randint(0, 65, (rows,), generator=g); rp = torch.zeros(rows + 1, dtype=torch.int32); rp[1:] = ln.cumsum(0); nz = int(rp[-1])
for B in (32, 128):
    bench(f"csr times a vector, {B}", csr, (rows,), [zeros(rows), rnd(nz), ints(rows, nz), rnd(rows), rp.to(D)], [0], B=B)
bench("stride 3 f32", strided, (n // 4096,), [zeros(n // 4), rnd(n // 4 * 3), n // 4, 3], [0], B=1024)
for dt in (torch.float16, torch.float32):
    for R, B in ((1, 2048), (4, 512), (16, 128)):
        bench(f"matrix times vector {str(dt)[6:]} {R}x{B}", gemv, (w // R,), [zeros(w), rnd(w, max(w, 2048), dtype=dt), rnd(max(w, 2048), dtype=dt), max(w, 2048)], [0], R=R, B=B)
bench("sums of the middle 16x16x16", mid, (n // 4096,), [zeros(n // 16), rnd(n)], [0], A=16, Bm=16, C=16)
bench("sums of the middle 4x64x32", mid, (n // 8192,), [zeros(n // 64), rnd(n)], [0], A=4, Bm=64, C=32)
bench("3 x 3 sums", stencil, (w // 8, triton.cdiv(w, 256)), [zeros(w, w), rnd(w, w), w, w], [0], B=256, BH=8)
for dt in (torch.float16, torch.bfloat16):
    bench(f"swiglu {str(dt)[6:]}", swiglu, (n // 4096, 4), [zeros(n // 4096, 4096, dtype=dt), rnd(n // 4096, 8192, dtype=dt), 4096], [0], B=1024)
    bench(f"x + y z {str(dt)[6:]}", add3, (n // 1024,), [zeros(n, dtype=dt)] + [rnd(n, dtype=dt) for _ in range(3)] + [n], [0], B=1024)
m = 1024 if S == 1 else 128
for dt, prec, acc, od in ((torch.float16, "tf32", tl.float32, torch.float32), (torch.float32, "tf32", tl.float32, torch.float32), (torch.float32, "tf32x3", tl.float32, torch.float32), (torch.float32, "ieee", tl.float32, torch.float32), (torch.int8, "tf32", tl.int32, torch.int32), (torch.float64, "ieee", tl.float64, torch.float64)):
    for BM, BN, BK in ((64, 64, 32), (128, 64, 32)):
        bench(f"product {str(dt)[6:]} {prec} {BM}x{BN}x{BK}", mm, (m // BM, m // BN), [zeros(m, m, dtype=od), rnd(m, m, dtype=dt), rnd(m, m, dtype=dt), m, m, m], [0], BM=BM, BN=BN, BK=BK, PREC=prec, ACC=acc)
for B in (16, 32, 64):
    r = n // (B * B) // 4
    bench(f"products of {B} x {B} f16", bmm, (r,), [zeros(r, B, B), rnd(r, B, B, dtype=torch.float16), rnd(r, B, B, dtype=torch.float16)], [0], B=B)

def timed(f):
    f(); torch.cuda.synchronize(); s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        f(); torch.cuda.synchronize(); gr = torch.cuda.CUDAGraph()
        with torch.cuda.graph(gr):
            for _ in range(8): f()
    ts = []
    for _ in range(7):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(); gr.replay(); b.record(); torch.cuda.synchronize(); ts.append(a.elapsed_time(b) * 125)
    return sorted(ts)[3]
def main():
    out = os.environ.get("OUT", "."); found = {}; refs = torch.load(out + "/refs.pt") if MODE == "fsm" and os.path.exists(out + "/refs.pt") else {}; begin = time.time()
    for name, kernel, grid, args, outs, const in K:
        if not FILTER.search(name) or time.time() - begin > float(os.environ.get("LIMIT", 1e9)): continue
        try:
            run = lambda: kernel[grid](*args, **const)
            run()
            if MODE == "cpu": print("ok", name, flush=True); continue
            torch.cuda.synchronize()
            got = [args[i].clone().double().flatten()[:65536].cpu() if args[i].dtype not in (torch.float8_e4m3fn, torch.float8_e5m2) else args[i].view(torch.uint8).clone().double().flatten()[:65536].cpu() for i in outs]
            err = max([((a - b).abs().max() / b.abs().max().clamp(min=1e-30)).item() for a, b in zip(got, refs[name])] + [0.0]) if name in refs else -1
            if MODE == "triton": refs[name] = got
            found[name] = (timed(run), err)
        except Exception as e: print("FAILED", name, type(e).__name__, str(e)[:300].replace("\n", " "), flush=True)
    if MODE == "triton": torch.save(refs, out + "/refs.pt")
    if MODE != "cpu": json.dump(found, open(f"{out}/{MODE}.json", "w"))
    print(len(found), "timed", time.time() - begin, "s")
if MODE == "triton": main()
else:
    import fsm.triton
    with fsm.triton.enable(**({"device": "cpu"} if MODE == "cpu" else {})): main()
