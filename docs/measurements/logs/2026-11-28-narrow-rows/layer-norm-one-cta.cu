// Layer norm by hand. T: half or float; N columns; W warps a row; variants by macros.
#include <cuda_fp16.h>
#include <stdint.h>
#ifndef HALF
#define HALF 1
#endif
constexpr int THREADS = W * 32;
constexpr int VE = HALF ? 8 : 4;           // elements of a vector of 16 bytes
constexpr int NV = N / (THREADS * VE);     // vectors of a thread
constexpr int E = NV * VE;
struct V { uint32_t a, b, c, d; };
__device__ __forceinline__ V ldrow(const void *p) { V v; asm volatile("ld.global.nc.L1::evict_first.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "l"(p)); return v; }
__device__ __forceinline__ V ldw(const void *p) { V v; asm volatile("ld.global.nc.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "l"(p)); return v; }
__device__ __forceinline__ void strow(void *p, V v) { asm volatile("st.global.L1::evict_first.v4.b32 [%0], {%1,%2,%3,%4};" :: "l"(p), "r"(v.a), "r"(v.b), "r"(v.c), "r"(v.d) : "memory"); }
__device__ __forceinline__ V ldsh(const void *p) { V v; asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "r"((uint32_t)__cvta_generic_to_shared(p))); return v; }
__device__ __forceinline__ void unpack(V v, float *f) {
#if HALF
  uint32_t u[4] = {v.a, v.b, v.c, v.d};
  for (int i = 0; i < 4; ++i) { float2 t = __half22float2(*(half2 *)&u[i]); f[2 * i] = t.x; f[2 * i + 1] = t.y; }
#else
  f[0] = __uint_as_float(v.a); f[1] = __uint_as_float(v.b); f[2] = __uint_as_float(v.c); f[3] = __uint_as_float(v.d);
#endif
}
__device__ __forceinline__ V pack(const float *f) {
#if HALF
  uint32_t u[4];
  for (int i = 0; i < 4; ++i) { half2 h = __floats2half2_rn(f[2 * i], f[2 * i + 1]); u[i] = *(uint32_t *)&h; }
  return V{u[0], u[1], u[2], u[3]};
#else
  return V{__float_as_uint(f[0]), __float_as_uint(f[1]), __float_as_uint(f[2]), __float_as_uint(f[3])};
#endif
}
__device__ __forceinline__ float wsum(float s) { for (int i = 16; i; i >>= 1) s += __shfl_xor_sync(~0u, s, i); return s; }
constexpr int BYTES = HALF ? 2 : 4;
// Mean and rstd of a row; sh has room for 2 W floats, twice by turns.
__device__ __forceinline__ float2 moments(const float *x, float *sh, int w, int lane, float eps) {
  float s = 0; for (int i = 0; i < E; ++i) s += x[i];
#if ONE
  s = wsum(s); float m = s * (1.f / (32 * E)); float q = 0;
  for (int i = 0; i < E; ++i) { float d = x[i] - m; q += d * d; }
  q = wsum(q);
  if (W > 1) {
    if (lane == 0) *(float2 *)&sh[2 * w] = make_float2(m, q);
    __syncthreads();
    float2 t = ((float2 *)sh)[lane % W];
    float mm = t.x, qq = t.y;
    // Of equal counts.
    float n = 32 * E;
    for (int i = 1; i < W; i <<= 1) { float om = __shfl_xor_sync(~0u, mm, i), oq = __shfl_xor_sync(~0u, qq, i); float d = om - mm; qq += oq + d * d * (n * .5f); mm = (mm + om) * .5f; n *= 2; }
    m = mm; q = qq;
  }
  return make_float2(m, rsqrtf(q * (1.f / N) + eps));
#else
  s = wsum(s);
  if (lane == 0) sh[w] = s;
  __syncthreads();
  float t = sh[lane % W]; for (int i = 1; i < W; i <<= 1) t += __shfl_xor_sync(~0u, t, i);
  float m = t * (1.f / N), q = 0;
  for (int i = 0; i < E; ++i) { float d = x[i] - m; q += d * d; }
  q = wsum(q);
  if (lane == 0) sh[W + w] = q;
  __syncthreads();
  t = sh[W + lane % W]; for (int i = 1; i < W; i <<= 1) t += __shfl_xor_sync(~0u, t, i);
  return make_float2(m, rsqrtf(t * (1.f / N) + eps));
#endif
}
#if PERS == 0 || PERS == 1
extern "C" __global__ void __launch_bounds__(THREADS, MINB) ln(char *out, float *means, float *rstds, const char *in, const char *weight, const char *bias, int rows, float eps) {
  __shared__ __align__(16) float sh[2][2 * W];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x;
  size_t at = threadIdx.x * 16;
  V v[NV];
  for (int i = 0; i < NV; ++i) v[i] = ldrow(in + (size_t)row * N * BYTES + at + i * THREADS * 16);
  V wv[NV], bv[NV];
#if EARLY
  for (int i = 0; i < NV; ++i) { wv[i] = ldw(weight + at + i * THREADS * 16); bv[i] = ldw(bias + at + i * THREADS * 16); }
#endif
#if PERS
  for (int turn = 0; row < rows; turn ^= 1) {
    int next = row + gridDim.x;
    V nv[NV];
    if (next < rows) for (int i = 0; i < NV; ++i) nv[i] = ldrow(in + (size_t)next * N * BYTES + at + i * THREADS * 16);
#else
    int turn = 0;
#endif
    float x[E];
    for (int i = 0; i < NV; ++i) unpack(v[i], x + i * VE);
    float2 mr = moments(x, sh[turn], w, lane, eps);
    if (threadIdx.x == 0) { means[row] = mr.x; rstds[row] = mr.y; }
#if !EARLY
    for (int i = 0; i < NV; ++i) { wv[i] = ldw(weight + at + i * THREADS * 16); bv[i] = ldw(bias + at + i * THREADS * 16); }
#endif
    for (int i = 0; i < NV; ++i) {
      float ww[VE], bb[VE], y[VE]; unpack(wv[i], ww); unpack(bv[i], bb);
      for (int j = 0; j < VE; ++j) y[j] = (x[i * VE + j] - mr.x) * mr.y * ww[j] + bb[j];
      strow(out + (size_t)row * N * BYTES + at + i * THREADS * 16, pack(y));
    }
#if PERS
    row = next; for (int i = 0; i < NV; ++i) v[i] = nv[i];
  }
#endif
}
#elif PERS == 2
// Rows by bulk copies into a ring of S rows for each CTA; weights in registers (EARLY) or from L1.
__device__ __forceinline__ uint32_t s32(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
extern "C" __global__ void __launch_bounds__(THREADS, MINB) ln(char *out, float *means, float *rstds, const char *in, const char *weight, const char *bias, int rows, float eps) {
  extern __shared__ __align__(128) char ring[];
  __shared__ __align__(8) uint64_t bar[S];
  __shared__ __align__(16) float sh[2][2 * W];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  size_t at = threadIdx.x * 16;
  constexpr int RB = N * BYTES;
  auto fetch = [&](int row, int s) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(s32(&bar[s])), "r"(RB) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(s32(ring + s * RB)), "l"(in + (size_t)row * RB), "r"(RB), "r"(s32(&bar[s])) : "memory");
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < S; ++s) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(s32(&bar[s])));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("fence.proxy.async.shared::cta;");
    for (int s = 0; s < S; ++s) { int r = blockIdx.x + s * gridDim.x; if (r < rows) fetch(r, s); }
  }
  V wv[NV], bv[NV];
#if EARLY
  for (int i = 0; i < NV; ++i) { wv[i] = ldw(weight + at + i * THREADS * 16); bv[i] = ldw(bias + at + i * THREADS * 16); }
#endif
  __syncthreads();
  int s = 0, phase = 0, turn = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra L; }" :: "r"(s32(&bar[s])), "r"(phase) : "memory");
    float x[E];
    for (int i = 0; i < NV; ++i) unpack(ldsh(ring + s * RB + at + i * THREADS * 16), x + i * VE);
    float2 mr = moments(x, sh[turn], w, lane, eps);
    // All have read (a barrier stood there).
    if (threadIdx.x == 0) { int r = row + S * gridDim.x; if (r < rows) fetch(r, s); means[row] = mr.x; rstds[row] = mr.y; }
#if !EARLY
    for (int i = 0; i < NV; ++i) { wv[i] = ldw(weight + at + i * THREADS * 16); bv[i] = ldw(bias + at + i * THREADS * 16); }
#endif
    for (int i = 0; i < NV; ++i) {
      float ww[VE], bb[VE], y[VE]; unpack(wv[i], ww); unpack(bv[i], bb);
      for (int j = 0; j < VE; ++j) y[j] = (x[i * VE + j] - mr.x) * mr.y * ww[j] + bb[j];
      strow(out + (size_t)row * RB + at + i * THREADS * 16, pack(y));
    }
    if (++s == S) { s = 0; phase ^= 1; }
  }
}
#elif PERS == 3
// A row a warp, weights of all in shared memory; G warps a CTA; W = 1.
extern "C" __global__ void __launch_bounds__(32 * G, MINB) ln(char *out, float *means, float *rstds, const char *in, const char *weight, const char *bias, int rows, float eps) {
  extern __shared__ __align__(128) char wb[];
  constexpr int RB = N * BYTES;
  int lane = threadIdx.x % 32;
  int row = blockIdx.x + gridDim.x * (threadIdx.x / 32);
  size_t at = lane * 16;
  V v[NV];
  if (row < rows) for (int i = 0; i < NV; ++i) v[i] = ldrow(in + (size_t)row * RB + at + i * 512);
  for (int i = threadIdx.x * 16; i < RB; i += 32 * G * 16) { *(V *)(wb + i) = ldw(weight + i); *(V *)(wb + RB + i) = ldw(bias + i); }
  __syncthreads();
  for (; row < rows;) {
    float s = 0;
    for (int i = 0; i < NV; ++i) { float x[VE]; unpack(v[i], x); for (int j = 0; j < VE; ++j) s += x[j]; }
    s = wsum(s); float m = s * (1.f / N), q = 0;
    for (int i = 0; i < NV; ++i) { float x[VE]; unpack(v[i], x); for (int j = 0; j < VE; ++j) { float d = x[j] - m; q += d * d; } }
    q = wsum(q); float r = rsqrtf(q * (1.f / N) + eps);
    if (lane == 0) { means[row] = m; rstds[row] = r; }
    int next = row + gridDim.x * G;
    for (int i = 0; i < NV; ++i) {
      float x[VE], ww[VE], bb[VE]; unpack(v[i], x);
      unpack(ldsh(wb + at + i * 512), ww); unpack(ldsh(wb + RB + at + i * 512), bb);
      for (int j = 0; j < VE; ++j) x[j] = (x[j] - m) * r * ww[j] + bb[j];
      strow(out + (size_t)row * RB + at + i * 512, pack(x));
      if (next < rows) v[i] = ldrow(in + (size_t)next * RB + at + i * 512);
    }
    row = next;
  }
}
#endif
