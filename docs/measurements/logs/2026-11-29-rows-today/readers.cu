#include <cstdint>
#include <cuda_fp16.h>
#define WAIT asm volatile("griddepcontrol.wait;" ::: "memory")
static __device__ __forceinline__ uint4 ldrow(const void *p) {
  uint4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
static __device__ __forceinline__ uint4 ldfirst(const void *p) {
  uint4 v; asm volatile("ld.global.nc.L1::evict_first.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
// reads only: ROWS rows of 4096 halves a CTA, THREADS threads
template <int THREADS, int ROWS, bool FLOATS> static __device__ __forceinline__ void rd(float *losses, const __half *in) {
  WAIT;
  constexpr int V = 512 / THREADS;
  __shared__ unsigned s[32];
  for (int r = 0; r < ROWS; ++r) {
    int row = blockIdx.x + r * gridDim.x;
    const uint4 *p = (const uint4 *)(in + (size_t)row * 4096) + threadIdx.x;
    uint4 v[V];
#pragma unroll
    for (int i = 0; i < V; ++i) v[i] = ldrow(p + i * THREADS);
    unsigned a = 0;
#pragma unroll
    for (int i = 0; i < V; ++i) a ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
    a = __reduce_xor_sync(~0u, a);
    if (THREADS > 32) {
      if (ROWS > 1 && r) __syncthreads();
      if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = a;
      __syncthreads();
      if (threadIdx.x == 0) for (int i = 1; i < THREADS / 32; ++i) a ^= s[i];
    }
    if (threadIdx.x == 0) losses[row] = (float)a;
  }
}
#define RD(N, T, R) extern "C" __global__ void __launch_bounds__(T) N(float *losses, const __half *in, const int *labels, int stride, int cols) { rd<T, R, false>(losses, in); }
RD(rd32, 32, 1) RD(rd64, 64, 1) RD(rd128, 128, 1) RD(rd256, 256, 1) RD(rd512, 512, 1) RD(rd512x8, 512, 8) RD(rd256x4, 256, 4) RD(rd128x2, 128, 2)
// ROWS rows' loads of a thread before anything else
extern "C" __global__ void __launch_bounds__(256) rdall(float *losses, const __half *in, const int *labels, int stride, int cols) {
  WAIT;
  const uint4 *p = (const uint4 *)(in + (size_t)blockIdx.x * 4096 * 8) + threadIdx.x;
  uint4 v[16]; unsigned a = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) v[i] = ldrow(p + i * 256);
#pragma unroll
  for (int i = 0; i < 16; ++i) a ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
  if (a == 0x12345671) losses[0] = 1;
}


// layer norm: WARPS warps a row; PACKED 0: f32 kept; 1: halves kept for both later uses; 2: f32 kept until the second exchange, halves behind it
static __device__ __forceinline__ unsigned hide(unsigned v, unsigned z) { unsigned r; asm volatile("xor.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(z)); return r; }
static __device__ __forceinline__ uint4 ldw(const void *p) {
  uint4 v; asm volatile("ld.global.nc.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
template <int WARPS, int MIN, int PACKED, int EARLY> static __device__ __forceinline__ void ln(__half *out, float *means, float *rstds, const __half *in,
    const __half *weight, const __half *bias, int cols, float eps) {
  constexpr int T = WARPS * 32, V = 512 / T;
  __shared__ float s[2][WARPS];
  WAIT;
  unsigned z; asm volatile("mov.u32 %0, %%tid.y;" : "=r"(z));
  int row = blockIdx.x, t = threadIdx.x;
  const uint4 *p = (const uint4 *)(in + (size_t)row * 4096) + t;
  uint4 v[V];
#pragma unroll
  for (int i = 0; i < V; ++i) v[i] = ldfirst(p + i * T);
  uint4 w[V];
  const uint4 *pw = (const uint4 *)weight + t, *pb = (const uint4 *)bias + t;
  float x[V][8];
  auto widen = [&](int i) {
    const __half2 *h = (const __half2 *)&v[i];
#pragma unroll
    for (int j = 0; j < 4; ++j) { float2 f = __half22float2(h[j]); x[i][2 * j] = f.x; x[i][2 * j + 1] = f.y; }
  };
  auto again = [&](int i) { v[i].x = hide(v[i].x, z); v[i].y = hide(v[i].y, z); v[i].z = hide(v[i].z, z); v[i].w = hide(v[i].w, z); widen(i); };
  auto all = [&](float a, int k) {
#pragma unroll
    for (int m = 1; m < 32; m *= 2) a += __shfl_xor_sync(~0u, a, m);
    if (WARPS == 1) return a;
    if (t % 32 == 0) s[k][t / 32] = a;
    __syncthreads();
    float c = s[k][t % WARPS];
#pragma unroll
    for (int m = 1; m < WARPS; m *= 2) c += __shfl_xor_sync(~0u, c, m);
    return c;
  };
  float a = 0, q = 0;
#pragma unroll
  for (int i = 0; i < V; ++i) { widen(i); a += ((x[i][0] + x[i][1]) + (x[i][2] + x[i][3])) + ((x[i][4] + x[i][5]) + (x[i][6] + x[i][7])); }
  if (EARLY == 1)
#pragma unroll
    for (int i = 0; i < V; ++i) w[i] = ldw(pw + i * T);
  float mean = all(a, 0) * (1.0f / 4096);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    if (PACKED == 1) again(i);
#pragma unroll
    for (int j = 0; j < 8; ++j) { x[i][j] -= mean; }
    float y[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) y[j] = __fmul_rn(x[i][j], x[i][j]);
    q += (__fadd_rn(y[0], y[1]) + __fadd_rn(y[2], y[3])) + (__fadd_rn(y[4], y[5]) + __fadd_rn(y[6], y[7]));
  }
  if (EARLY == 2)
#pragma unroll
    for (int i = 0; i < V; ++i) w[i] = ldw(pw + i * T);
  float rstd = rsqrtf(all(q, 1) * (1.0f / 4096) + eps);
  if (t == 0) { means[row] = mean; rstds[row] = rstd; }
  uint4 *o = (uint4 *)(out + (size_t)row * 4096) + t;
#pragma unroll
  for (int i = 0; i < V; ++i) {
    if (EARLY == 0) w[i] = ldw(pw + i * T);
    uint4 b = ldw(pb + i * T);
    if (PACKED) {
      again(i);
#pragma unroll
      for (int j = 0; j < 8; ++j) x[i][j] -= mean;
    }
    const __half2 *hw = (const __half2 *)&w[i], *hb = (const __half2 *)&b;
    uint4 r; __half2 *hr = (__half2 *)&r;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float2 fw = __half22float2(hw[j]), fb = __half22float2(hb[j]);
      hr[j] = __floats2half2_rn(__fmaf_rn(__fmul_rn(x[i][2 * j], rstd), fw.x, fb.x), __fmaf_rn(__fmul_rn(x[i][2 * j + 1], rstd), fw.y, fb.y));
    }
    asm volatile("st.global.v4.b32 [%0], {%1,%2,%3,%4};" :: "l"(o + i * T), "r"(r.x), "r"(r.y), "r"(r.z), "r"(r.w) : "memory");
  }
}
#define LN(N, W, M, P, E) extern "C" __global__ void __launch_bounds__(W * 32, M) N(__half *out, float *means, float *rstds, const __half *in, const __half *weight, const __half *bias, int s0, int s1, int cols, float eps) { ln<W, M, P, E>(out, means, rstds, in, weight, bias, cols, eps); }
LN(ln8_6, 8, 6, 0, 0)
LN(ln8_6m, 8, 6, 0, 2)
LN(ln8_5e, 8, 5, 0, 1)
LN(lnp8_6, 8, 6, 1, 0)
LN(lnp8_8, 8, 8, 1, 0)
LN(lnq8_8, 8, 8, 2, 0)
LN(ln4_8, 4, 8, 0, 0)
LN(ln4_7, 4, 7, 0, 0)
LN(lnp4_8, 4, 8, 1, 0)
LN(lnp4_9, 4, 9, 1, 0)
LN(lnp4_10, 4, 10, 1, 0)
LN(lnp4_12, 4, 12, 1, 0)
LN(lnp4_9m, 4, 9, 1, 2)
LN(lnq4_8, 4, 8, 2, 0)
LN(lnp2_12, 2, 12, 1, 0)
LN(lnp2_14, 2, 14, 1, 0)
LN(lnp2_16, 2, 16, 1, 0)
LN(lnp1_20, 1, 20, 1, 0)
LN(lnp1_16, 1, 16, 1, 0)
