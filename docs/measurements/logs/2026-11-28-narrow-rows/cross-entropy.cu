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

__device__ __forceinline__ float wmax(float s) { for (int i = 16; i; i >>= 1) s = fmaxf(s, __shfl_xor_sync(~0u, s, i)); return s; }
#define L2E 1.44269504f
__device__ __forceinline__ float ex(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ V ldun(const void *p) { V v; asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "l"(p)); return v; }
// log of the sum of exponentials.
__device__ __forceinline__ float lse(const float *x, float *sh, int w, int lane) {
#if ONE == 2
  // No maximum at all but the thread's: what is read only.
  float s = 0; for (int i = 0; i < E; ++i) s += x[i];
  s = wsum(s); if (lane == 0) sh[w] = s; __syncthreads(); float t = sh[lane % W]; for (int i = 1; i < W; i <<= 1) t += __shfl_xor_sync(~0u, t, i); return t;
#else
  float m = x[0]; for (int i = 1; i < E; ++i) m = fmaxf(m, x[i]);
  m = wmax(m);
#if !ONE
  if (lane == 0) sh[w] = m;
  __syncthreads();
  m = sh[lane % W]; for (int i = 1; i < W; i <<= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, i));
#endif
  float q = 0; float mm = -m * L2E;
  for (int i = 0; i < E; ++i) q += ex(fmaf(x[i], L2E, mm));
  q = wsum(q);
#if ONE
  if (W > 1) {
  if (lane == 0) *(float2 *)&sh[2 * w] = make_float2(m, q);
  __syncthreads();
  float2 t = ((float2 *)sh)[lane % W]; float M = t.x;
  for (int i = 1; i < W; i <<= 1) M = fmaxf(M, __shfl_xor_sync(~0u, M, i));
  q = t.y * ex((t.x - M) * L2E); for (int i = 1; i < W; i <<= 1) q += __shfl_xor_sync(~0u, q, i);
  m = M; }
#else
  if (lane == 0) sh[W + w] = q;
  __syncthreads();
  q = sh[W + lane % W]; for (int i = 1; i < W; i <<= 1) q += __shfl_xor_sync(~0u, q, i);
#endif
  return m + __logf(q);
#endif
}
__device__ __forceinline__ float elem(const char *p, int i) {
#if HALF
  return __half2float(((const half *)p)[i]);
#else
  return ((const float *)p)[i];
#endif
}
constexpr int RB = N * BYTES;
__device__ __forceinline__ uint32_t s32(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
#if PERS == 0 || PERS == 1
extern "C" __global__ void __launch_bounds__(THREADS, MINB) ln(float *losses, const char *in, const int *labels, int rows) {
  __shared__ __align__(16) float sh[2][2 * W];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x;
  size_t at = threadIdx.x * 16;
  V v[NV]; for (int i = 0; i < NV; ++i) v[i] = ldun(in + (size_t)row * RB + at + i * THREADS * 16);
  int label = threadIdx.x == 0 ? labels[row] : 0;
#if PERS
  for (int turn = 0; row < rows; turn ^= 1) {
    int next = row + gridDim.x; V nv[NV]; int nl = 0;
    if (next < rows) { for (int i = 0; i < NV; ++i) nv[i] = ldun(in + (size_t)next * RB + at + i * THREADS * 16); if (threadIdx.x == 0) nl = labels[next]; }
#else
    int turn = 0;
#endif
    float at_label = threadIdx.x == 0 ? elem(in + (size_t)row * RB, label) : 0;
    float x[E]; for (int i = 0; i < NV; ++i) unpack(v[i], x + i * VE);
    float l = lse(x, sh[turn], w, lane);
    if (threadIdx.x == 0) losses[row] = l - at_label;
#if PERS
    row = next; label = nl; for (int i = 0; i < NV; ++i) v[i] = nv[i];
  }
#endif
}
#elif PERS == 2
extern "C" __global__ void __launch_bounds__(THREADS, MINB) ln(float *losses, const char *in, const int *labels, int rows) {
  extern __shared__ __align__(128) char ring[];
  __shared__ __align__(8) uint64_t bar[S];
  __shared__ __align__(16) float sh[2][2 * W];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  size_t at = threadIdx.x * 16;
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
  __syncthreads();
  int s = 0, phase = 0, turn = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
    int label = threadIdx.x == 0 ? labels[row] : 0;
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra L; }" :: "r"(s32(&bar[s])), "r"(phase) : "memory");
    float x[E]; for (int i = 0; i < NV; ++i) unpack(ldsh(ring + s * RB + at + i * THREADS * 16), x + i * VE);
    float at_label = threadIdx.x == 0 ? elem(ring + s * RB, label) : 0;
    float l = lse(x, sh[turn], w, lane);
    if (W == 1) __syncwarp();
    if (threadIdx.x == 0) { int r = row + S * gridDim.x; if (r < rows) fetch(r, s); losses[row] = l - at_label; }
    if (++s == S) { s = 0; phase ^= 1; }
  }
}
#endif
