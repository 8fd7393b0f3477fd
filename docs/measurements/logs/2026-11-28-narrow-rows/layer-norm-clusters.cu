// Layer norm by hand over clusters, rows aligned or not. T 0 f16, 1 bf16, 2 f32; N columns; C CTAs of W warps a row.
// MODE 0: a row a cluster, vectors in registers, weights late from memory; 1: weights by bulk copies to shared memory at the beginning;
// 2: rows share a cluster, by bulk copies in a ring of S, weights in shared memory once; 3: the row by a bulk copy, weights late from memory;
// 4: as 3 with weights by bulk copies. ONE: one exchange of warps' sums and squares about their own means, else two.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <stdint.h>
#if TT == 0
typedef __half E16;
#elif TT == 1
typedef __nv_bfloat16 E16;
#endif
constexpr int BYTES = TT == 2 ? 4 : 2, VE = 16 / BYTES, TH = W * 32, P = W * CC;
constexpr bool ODD = (N * BYTES) % 16 != 0;
// Vectors of the aligned superset of a row, and of a CTA.
constexpr int NVALL = ODD ? (N + 2 * (VE - 1)) / VE : N / VE, PER = (NVALL + CC - 1) / CC, VPT = (PER + TH - 1) / TH;
static_assert(P <= 32, "");
struct V { uint32_t u[4]; };
__device__ __forceinline__ uint32_t s32(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ V ldrow(const void *p) { V v; asm volatile("ld.global.nc.L1::evict_first.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.u[0]), "=r"(v.u[1]), "=r"(v.u[2]), "=r"(v.u[3]) : "l"(p)); return v; }
__device__ __forceinline__ V ldw(const void *p) { V v; asm volatile("ld.global.nc.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.u[0]), "=r"(v.u[1]), "=r"(v.u[2]), "=r"(v.u[3]) : "l"(p)); return v; }
__device__ __forceinline__ void strow(void *p, V v) { asm volatile("st.global.L1::evict_first.v4.b32 [%0], {%1,%2,%3,%4};" :: "l"(p), "r"(v.u[0]), "r"(v.u[1]), "r"(v.u[2]), "r"(v.u[3]) : "memory"); }
__device__ __forceinline__ V ldsh(const void *p) { V v; asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.u[0]), "=r"(v.u[1]), "=r"(v.u[2]), "=r"(v.u[3]) : "r"(s32(p)) : "memory"); return v; }
__device__ __forceinline__ void unpack(V v, float *f) {
#if TT == 0
  _Pragma("unroll") for (int i = 0; i < 4; ++i) { float2 t = __half22float2(*(half2 *)&v.u[i]); f[2 * i] = t.x; f[2 * i + 1] = t.y; }
#elif TT == 1
  _Pragma("unroll") for (int i = 0; i < 4; ++i) { f[2 * i] = __uint_as_float(v.u[i] << 16); f[2 * i + 1] = __uint_as_float(v.u[i] & 0xffff0000u); }
#else
  for (int i = 0; i < 4; ++i) f[i] = __uint_as_float(v.u[i]);
#endif
}
__device__ __forceinline__ V pack(const float *f) {
  V v;
#if TT == 0
  _Pragma("unroll") for (int i = 0; i < 4; ++i) { half2 h = __floats2half2_rn(f[2 * i], f[2 * i + 1]); v.u[i] = *(uint32_t *)&h; }
#elif TT == 1
  _Pragma("unroll") for (int i = 0; i < 4; ++i) { __nv_bfloat162 h = __floats2bfloat162_rn(f[2 * i], f[2 * i + 1]); v.u[i] = *(uint32_t *)&h; }
#else
  for (int i = 0; i < 4; ++i) v.u[i] = __float_as_uint(f[i]);
#endif
  return v;
}
// Eight elements, `k` behind the first of two vectors.
__device__ __forceinline__ V shifted(V a, V b, int k) {
#if TT == 2
  V r; _Pragma("unroll") for (int i = 0; i < 4; ++i) { uint32_t u[8] = {a.u[0], a.u[1], a.u[2], a.u[3], b.u[0], b.u[1], b.u[2], b.u[3]}; uint32_t x = u[i]; x = k == 1 ? u[i + 1] : x; x = k == 2 ? u[i + 2] : x; x = k == 3 ? u[i + 3] : x; r.u[i] = x; } return r;
#else
  uint32_t u[8] = {a.u[0], a.u[1], a.u[2], a.u[3], b.u[0], b.u[1], b.u[2], b.u[3]}, s[6], t[5];
  for (int i = 0; i < 6; ++i) s[i] = (k & 4) ? u[i + 2] : u[i];
  for (int i = 0; i < 5; ++i) t[i] = (k & 2) ? s[i + 1] : s[i];
  V r; for (int i = 0; i < 4; ++i) r.u[i] = __funnelshift_r(t[i], t[i + 1], (k & 1) * 16);
  return r;
#endif
}
__device__ __forceinline__ float wsum(float s) { for (int i = 16; i; i >>= 1) s += __shfl_xor_sync(~0u, s, i); return s; }
__device__ __forceinline__ uint32_t rankOf() { uint32_t r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ __forceinline__ void mbWait(uint64_t *b, int phase) { asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra L; }" :: "r"(s32(b)), "r"(phase) : "memory"); }
__device__ __forceinline__ void mbExpect(uint64_t *b, int bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(s32(b)), "r"(bytes) : "memory"); }
__device__ __forceinline__ void bulk(void *to, const void *from, int bytes, uint64_t *b) { if (bytes) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(s32(to)), "l"(from), "r"(bytes), "r"(s32(b)) : "memory"); }
struct Ex { float4 at[2][2][P]; uint64_t bar[2][2]; };
// Each warp's numbers to all warps of the cluster: lane i has those of warp i.
__device__ __forceinline__ float4 exchange(Ex &ex, int turn, int which, int phase, float4 mine, int rank, int w, int lane) {
  if (P == 1) return mine;
  uint32_t to = s32(&ex.at[turn][which][rank * W + w]), bar = s32(&ex.bar[turn][which]), rto, rbar;
  if (threadIdx.x == 0) mbExpect(&ex.bar[turn][which], P * 16);
  __syncwarp();
  if (lane < CC) {
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(rto) : "r"(to), "r"(lane));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(rbar) : "r"(bar), "r"(lane));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];" :: "r"(rto), "r"(__float_as_uint(mine.x)), "r"(__float_as_uint(mine.y)), "r"(__float_as_uint(mine.z)), "r"(0), "r"(rbar) : "memory");
  }
  mbWait(&ex.bar[turn][which], phase);
  float4 got = ex.at[turn][which][lane % P];
  return got;
}
__device__ __forceinline__ float psum(float s) { for (int i = 1; i < P; i <<= 1) s += __shfl_xor_sync(~0u, s, i); return s; }
constexpr int WB = (PER + 2) * 16;   // bytes of weights of a CTA
extern "C" __global__ void __cluster_dims__(CC, 1, 1) __launch_bounds__(TH, MINB) ln(char *out, float *means, float *rstds, const char *in, const char *weight, const char *bias, int rows, float eps) {
  extern __shared__ __align__(128) char mem[];
  __shared__ __align__(16) Ex ex;
  __shared__ __align__(8) uint64_t wbar, bar[S];
  constexpr int SLOTS = MODE == 2 ? S : MODE >= 3 ? 1 : 0;
  char *ring = mem, *wsh = mem + SLOTS * PER * 16, *bsh = wsh + WB;
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, rank = CC > 1 ? rankOf() : 0, first = blockIdx.x / CC, step = gridDim.x / CC;
  int v0 = rank * PER, mine = max(0, min(PER, NVALL - v0));
  constexpr bool LOOP = MODE == 2;
  auto startOf = [&](int row) { return ODD ? (int)(((uintptr_t)in + (size_t)row * N * BYTES) / BYTES % VE) : 0; };
  auto fetch = [&](int row, int s) {
    const char *p = in + (size_t)row * N * BYTES - startOf(row) * BYTES + (size_t)v0 * 16;
    // Nothing behind the array.
    int n = mine; const char *end = in + (size_t)rows * N * BYTES; 
    if (ODD && p + n * 16 > end + 15) n = max(0, (int)((end - p + 15) / 16));
    mbExpect(&bar[s], n * 16); bulk(ring + s * PER * 16, p, n * 16, &bar[s]);
  };
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; ++i) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(s32(&ex.bar[i / 2][i % 2])));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(s32(&wbar)));
    for (int i = 0; i < S; ++i) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(s32(&bar[i])));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("fence.proxy.async.shared::cta;");
    if (MODE >= 3) fetch(first, 0);
    if (MODE == 2) for (int s = 0; s < S; ++s) if (first + s * step < rows) fetch(first + s * step, s);
    if (MODE == 1 || MODE == 2 || MODE == 4) {
      // From a vector in front, and one behind, but for the array's ends.
      int from = max(v0 - (ODD ? 1 : 0), 0), to = min(v0 + mine + 1, N / VE);
      int at = (from - (v0 - (ODD ? 1 : 0))) * 16, n = max(0, to - from) * 16;
      mbExpect(&wbar, 2 * n); bulk(wsh + at, weight + (size_t)from * 16, n, &wbar); bulk(bsh + at, bias + (size_t)from * 16, n, &wbar);
    }
  }
  // Ends of weights.
  if (ODD && (MODE == 1 || MODE == 2 || MODE == 4)) {
    int e = N / VE * VE + threadIdx.x, at = e - (v0 - 1) * VE;
    if (threadIdx.x < VE && at >= 0 && at < (PER + 2) * VE) {
      if (e < N) for (int i = 0; i < BYTES; ++i) { wsh[at * BYTES + i] = weight[(size_t)e * BYTES + i]; bsh[at * BYTES + i] = bias[(size_t)e * BYTES + i]; }
    }
  }
  V x[VPT];
  if (MODE <= 1) {
    int s = startOf(first); const char *p = in + (size_t)first * N * BYTES - s * BYTES;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) { int q = v0 + threadIdx.x + j * TH; x[j] = V{0, 0, 0, 0};
      bool whole = threadIdx.x + j * TH < mine; if (ODD) whole = whole && q * VE + VE <= s + N && q * VE >= s;
      if (whole) x[j] = ldrow(p + (size_t)q * 16);
      else if (ODD && threadIdx.x + j * TH < mine) { uint32_t u[4] = {0, 0, 0, 0}; _Pragma("unroll") for (int i = 0; i < VE; ++i) { int e = q * VE - s + i; if (e >= 0 && e < N) { uint32_t h = TT == 2 ? *(const uint32_t *)(p + ((size_t)q * VE + i) * BYTES) : *(const unsigned short *)(p + ((size_t)q * VE + i) * BYTES); u[i * BYTES / 4] |= TT == 2 ? h : h << (i % 2 * 16); } } x[j] = V{u[0], u[1], u[2], u[3]}; } }
  }
  if (CC > 1) { asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory"); } else __syncthreads();
  int slot = 0, xphase = 0, turn = 0, ephase = 0; bool waited = false;
  int row = first;
  do {
    int s = startOf(row);
    if (MODE >= 2) { mbWait(&bar[slot], xphase);
      _Pragma("unroll") for (int j = 0; j < VPT; ++j) { int i = threadIdx.x + j * TH; x[j] = V{0, 0, 0, 0}; if (i < mine) x[j] = ldsh(ring + (slot * PER + i) * 16); } }
    // How many are there of a vector.
    auto isIn = [&](int j, int i) { if (!ODD) return PER % TH == 0 || (int)threadIdx.x + j * TH < mine; int e = (v0 + (int)threadIdx.x + j * TH) * VE - s + i; return (int)threadIdx.x + j * TH < mine && e >= 0 && e < N; };
    auto isWhole = [&](int j) { return isIn(j, 0) && isIn(j, VE - 1); };
    float n = 0, sum = 0;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) { float f[VE]; unpack(x[j], f); 
      if (isWhole(j)) { _Pragma("unroll") for (int i = 0; i < VE; ++i) sum += f[i]; n += VE; } else if (ODD) _Pragma("unroll") for (int i = 0; i < VE; ++i) if (isIn(j, i)) { sum += f[i]; n += 1; } }
    sum = wsum(sum); n = wsum(n);
    float mean, rstd;
#if ONE
    float m = sum / fmaxf(n, 1.f), q = 0;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) { float f[VE]; unpack(x[j], f);
      if (isWhole(j)) { _Pragma("unroll") for (int i = 0; i < VE; ++i) { float d = f[i] - m; q += d * d; } } else if (ODD) _Pragma("unroll") for (int i = 0; i < VE; ++i) if (isIn(j, i)) { float d = f[i] - m; q += d * d; } }
    q = wsum(q);
    float4 g = exchange(ex, turn, 0, ephase, make_float4(sum, q, n, 0), rank, w, lane);
    mean = psum(g.x) * (1.f / N);
    float d = g.x / fmaxf(g.z, 1.f) - mean;
    float qq = psum(g.y + g.z * d * d);
#else
    float4 g = exchange(ex, turn, 0, ephase, make_float4(sum, 0, 0, 0), rank, w, lane);
    mean = psum(g.x) * (1.f / N); float q = 0;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) { float f[VE]; unpack(x[j], f);
      if (isWhole(j)) { _Pragma("unroll") for (int i = 0; i < VE; ++i) { float d = f[i] - mean; q += d * d; } } else if (ODD) _Pragma("unroll") for (int i = 0; i < VE; ++i) if (isIn(j, i)) { float d = f[i] - mean; q += d * d; } }
    q = wsum(q);
    g = exchange(ex, turn, 1, ephase, make_float4(q, 0, 0, 0), rank, w, lane);
    float qq = psum(g.x);
#endif
    rstd = rsqrtf(qq * (1.f / N) + eps);
    if (MODE == 2 && threadIdx.x == 0) { // All have read theirs: they have exchanged since.
      if (row + S * step < rows) fetch(row + S * step, slot); }
    if (rank == 0 && threadIdx.x == 0) { means[row] = mean; rstds[row] = rstd; }
    if ((MODE == 1 || MODE == 2 || MODE == 4) && !waited) { mbWait(&wbar, 0); waited = true; }
    char *o = out + (size_t)row * N * BYTES - s * BYTES;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) {
      int l = threadIdx.x + j * TH, q = v0 + l;
      if (l >= mine) continue;
      V wv, bv;
      int k = ODD ? (VE - s) % VE : 0;
      if (MODE == 1 || MODE == 2 || MODE == 4) {
        if (ODD) { int b = s ? l : l + 1; wv = ldsh(wsh + b * 16); bv = ldsh(bsh + b * 16); if (s) { wv = shifted(wv, ldsh(wsh + b * 16 + 16), k); bv = shifted(bv, ldsh(bsh + b * 16 + 16), k); } }
        else { wv = ldsh(wsh + l * 16); bv = ldsh(bsh + l * 16); }
      } else if (ODD) {
        int b = s ? q - 1 : q; // Not read where nothing is.
        V z{0, 0, 0, 0}; bool a0 = b >= 0 && b * VE < N, a1 = s && (b + 1) * VE < N;
        V w0 = a0 ? ldw(weight + (size_t)b * 16) : z, w1 = a1 ? ldw(weight + (size_t)b * 16 + 16) : z, b0 = a0 ? ldw(bias + (size_t)b * 16) : z, b1 = a1 ? ldw(bias + (size_t)b * 16 + 16) : z;
        wv = shifted(w0, w1, k); bv = shifted(b0, b1, k);
      } else { wv = ldw(weight + (size_t)q * 16); bv = ldw(bias + (size_t)q * 16); }
      float f[VE], ww[VE], bb[VE]; unpack(x[j], f); unpack(wv, ww); unpack(bv, bb);
      _Pragma("unroll") for (int i = 0; i < VE; ++i) f[i] = (f[i] - mean) * rstd * ww[i] + bb[i];
      V y = pack(f);
      if (isWhole(j)) strow(o + (size_t)q * 16, y);
      else if (ODD) _Pragma("unroll") for (int i = 0; i < VE; ++i) if (isIn(j, i)) { if (TT == 2) *(uint32_t *)(o + ((size_t)q * VE + i) * 4) = y.u[i % 4]; else *(unsigned short *)(o + ((size_t)q * VE + i) * 2) = y.u[i / 2 % 4] >> (i % 2 * 16); }
    }
    if (MODE == 2) { row += step; if (++slot == S) { slot = 0; xphase ^= 1; } if (turn) ephase ^= 1; turn ^= 1; }
  } while (LOOP && row < rows);
}
