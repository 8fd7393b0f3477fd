// Cross-entropy of rows of 4096 halves by hand, eight warps a row, one exchange of each warp's maximum and sum; what differs from FSM's code, one by one
#include <cstdint>
#include <cuda_fp16.h>
static __device__ __forceinline__ uint4 ldrow(const void *p) { uint4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
static __device__ __forceinline__ float ex2(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
constexpr float L2E = 1.4426950408889634f;
#ifndef LOGF
#define LOGF __logf
#endif
#define T 256
constexpr int V = 512 / T, W = T / 32;
extern "C" __global__ void __launch_bounds__(T, 8) ce(float *losses, const __half *in, const int *labels, int stride, int cols) {
  __shared__ float2 s[W]; __shared__ float sm[W], ss[W];
  int t = threadIdx.x, row = blockIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  uint4 v[V]; const uint4 *p = (const uint4 *)(in + (size_t)row * stride);
#ifdef WARPS_APART
  p += (t / 32) * 64 + t % 32;
  constexpr int STEP = 32;
#else
  p += t; constexpr int STEP = T;
#endif
#pragma unroll
  for (int i = 0; i < V; ++i) v[i] = ldrow(p + i * STEP);
#ifdef CA
  int label; asm volatile("ld.global.ca.b32 %0, [%1];" : "=r"(label) : "l"(labels + row)); unsigned short nm; asm volatile("ld.global.ca.b16 %0, [%1];" : "=h"(nm) : "l"(in + (size_t)row * stride + label)); float named = __half2float(__ushort_as_half(nm));
#elif defined(ONE)
  float named = 0; if (t == 0) { int label = labels[row]; named = __half2float(in[(size_t)row * stride + label]); }
#else
  int label = labels[row]; float named = __half2float(in[(size_t)row * stride + label]);
#endif
  __half2 h = *(__half2 *)&v[0].x;
#pragma unroll
  for (int i = 0; i < V; ++i) { const __half2 *q = (const __half2 *)&v[i];
#pragma unroll
    for (int j = 0; j < 4; ++j) h = __hmax2(h, q[j]); }
  float m = fmaxf(__low2float(h), __high2float(h));
#pragma unroll
  for (int k = 16; k; k /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
#ifdef GUARD
  float from = m == -INFINITY ? 0.f : m;
#else
  float from = m;
#endif
  float c = from * L2E, a[4] = {0, 0, 0, 0};
#ifdef TREE
  float e[16];
#endif
#pragma unroll
  for (int i = 0; i < V; ++i) { const __half2 *q = (const __half2 *)&v[i];
#pragma unroll
    for (int j = 0; j < 4; ++j) { float2 f = __half22float2(q[j]);
#ifdef SUB
      float x = __fmul_rn(f.x - from, L2E), y = __fmul_rn(f.y - from, L2E);
#else
      float x = fmaf(f.x, L2E, -c), y = fmaf(f.y, L2E, -c);
#endif
#ifdef TREE
      e[8 * i + 2 * j] = ex2(x); e[8 * i + 2 * j + 1] = ex2(y);
#else
      a[(2 * j) % 4] += ex2(x); a[(2 * j + 1) % 4] += ex2(y);
#endif
    } }
#ifdef TREE
#ifdef FAR
#define E(i, n) (e[i] + e[i + n])
  float f8[8], f4[4];
#pragma unroll
  for (int i = 0; i < 8; ++i) f8[i] = e[i] + e[i + 8];
#pragma unroll
  for (int i = 0; i < 4; ++i) f4[i] = f8[i] + f8[i + 4];
  float sum = (f4[0] + f4[2]) + (f4[1] + f4[3]);
#else
  float f8[8], f4[4];
#pragma unroll
  for (int i = 0; i < 8; ++i) f8[i] = e[2 * i] + e[2 * i + 1];
#pragma unroll
  for (int i = 0; i < 4; ++i) f4[i] = f8[2 * i] + f8[2 * i + 1];
  float sum = (f4[0] + f4[1]) + (f4[2] + f4[3]);
#endif
#else
  float sum = (a[0] + a[1]) + (a[2] + a[3]);
#endif
#pragma unroll
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
#ifdef PRED
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p st.shared.b32 [%1], %2; @p st.shared.b32 [%3], %4; }" :: "r"(t % 32), "r"((unsigned)__cvta_generic_to_shared(&sm[t / 32])), "f"(m), "r"((unsigned)__cvta_generic_to_shared(&ss[t / 32])), "f"(sum) : "memory");
#else
  if (t % 32 == 0) {
#ifdef APART
    sm[t / 32] = m; ss[t / 32] = sum;
#else
    s[t / 32] = make_float2(m, sum);
#endif
  }
#endif
  __syncthreads();
#ifndef STAY
  if (t < 32)
#endif
  {
#if defined(APART) || defined(PRED)
    float2 e = make_float2(sm[t % W], ss[t % W]);
#else
    float2 e = s[t % W];
#endif
#ifdef DIRECT
    float g = e.x;
#pragma unroll
    for (int k = W / 2; k; k /= 2) g = fmaxf(g, __shfl_xor_sync(~0u, g, k));
    e.y *= ex2((e.x - g) * L2E); e.x = g;
#pragma unroll
    for (int k = W / 2; k; k /= 2) e.y += __shfl_xor_sync(~0u, e.y, k);
#elif defined(REGS)
    float2 r[W]; float g = -INFINITY;
#pragma unroll
    for (int k = 0; k < W; ++k) { r[k] = s[k]; g = fmaxf(g, r[k].x); }
    e.y = 0;
#pragma unroll
    for (int k = 0; k < W; ++k) e.y += r[k].y * ex2((r[k].x - g) * L2E);
    e.x = g;
#else
#pragma unroll
    for (int k = W / 2; k; k /= 2) { float om = __shfl_xor_sync(~0u, e.x, k), os = __shfl_xor_sync(~0u, e.y, k);
      float b = fmaxf(e.x, om); e.y = e.y * ex2((e.x - b) * L2E) + os * ex2((om - b) * L2E); e.x = b; }
#endif
    if (t == 0) losses[row] = LOGF(e.y) + (e.x - named);
  }
}
