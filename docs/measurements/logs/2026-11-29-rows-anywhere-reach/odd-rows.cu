// Layer norm of rows of an odd number of halves by hand, one warp a row: what each lane holds are groups of P elements, aligned with the weights, which come by
// words of as many; rows by single elements, or, EVEN, by words where they begin at one.
#include <cstdint>
#include <cuda_fp16.h>
template <int P> struct Word; template <> struct Word<1> { using T = unsigned short; }; template <> struct Word<2> { using T = unsigned; }; template <> struct Word<4> { using T = uint2; }; template <> struct Word<8> { using T = uint4; };
static __device__ __forceinline__ unsigned short ld16(const __half *p) { unsigned short v; asm volatile("ld.global.nc.b16 %0, [%1];" : "=h"(v) : "l"(p)); return v; }
static __device__ __forceinline__ unsigned ld32(const __half *p) { unsigned v; asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }
template <int C, int ROWS, int W, int P, bool EVEN> static __device__ __forceinline__ void ln(__half *out, float *means, float *rstds, const __half *in, const __half *weight, const __half *bias, float eps) {
  constexpr int TH = 32, G = (C + P * TH - 1) / (P * TH);
  int lane = threadIdx.x % 32, row = blockIdx.x * W + threadIdx.x / 32;
  const __half *src = in + (size_t)row * C; __half *dst = out + (size_t)row * C;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  bool even = EVEN && ((row * C) & 1) == 0;
  unsigned short raw[G][P];
  if (P > 1 && even) {
#pragma unroll
    for (int g = 0; g < G; ++g)
#pragma unroll
      for (int p = 0; p < P; p += 2) { int e = (g * TH + lane) * P + p; raw[g][p] = raw[g][p + (P > 1)] = 0;
        if (e + 1 < C) { unsigned v = ld32(src + e); raw[g][p] = v & 0xffff; raw[g][p + (P > 1)] = v >> 16; } else if (e < C) raw[g][p] = ld16(src + e); }
  } else {
#pragma unroll
    for (int g = 0; g < G; ++g)
#pragma unroll
      for (int p = 0; p < P; ++p) { int e = (g * TH + lane) * P + p; raw[g][p] = (g + 1) * TH * P <= C || e < C ? ld16(src + e) : 0; }
  }
  float x[G][P], s = 0;
#pragma unroll
  for (int g = 0; g < G; ++g)
#pragma unroll
    for (int p = 0; p < P; ++p) { x[g][p] = __half2float(__ushort_as_half(raw[g][p])); s += x[g][p]; }
#pragma unroll
  for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);
  float mean = s * (1.f / C), q = 0;
#pragma unroll
  for (int g = 0; g < G; ++g)
#pragma unroll
    for (int p = 0; p < P; ++p) { int e = (g * TH + lane) * P + p; x[g][p] = (g + 1) * TH * P <= C || e < C ? x[g][p] - mean : 0.f; q = __fadd_rn(q, __fmul_rn(x[g][p], x[g][p])); }
#pragma unroll
  for (int k = 16; k; k /= 2) q += __shfl_xor_sync(~0u, q, k);
  float rstd = rsqrtf(q * (1.f / C) + eps);
  if (lane == 0) { means[row] = mean; rstds[row] = rstd; }
#pragma unroll
  for (int g = 0; g < G; ++g) {
    int e0 = (g * TH + lane) * P; __half w[P], b[P];
    if ((g + 1) * TH * P <= C || e0 + P <= C) { *(typename Word<P>::T *)w = __ldg((const typename Word<P>::T *)(weight + e0)); *(typename Word<P>::T *)b = __ldg((const typename Word<P>::T *)(bias + e0)); }
    else
#pragma unroll
      for (int p = 0; p < P; ++p) if (e0 + p < C) { w[p] = weight[e0 + p]; b[p] = bias[e0 + p]; }
#pragma unroll
    for (int p = 0; p < P; ++p) x[g][p] = fmaf(x[g][p] * rstd, __half2float(w[p]), __half2float(b[p]));
  }
  if (P > 1 && even) {
#pragma unroll
    for (int g = 0; g < G; ++g)
#pragma unroll
      for (int p = 0; p < P; p += 2) { int e = (g * TH + lane) * P + p; if (e + 1 < C) *(__half2 *)(dst + e) = __floats2half2_rn(x[g][p], x[g][p + (P > 1)]); else if (e < C) dst[e] = __float2half(x[g][p]); }
  } else {
#pragma unroll
    for (int g = 0; g < G; ++g)
#pragma unroll
      for (int p = 0; p < P; ++p) { int e = (g * TH + lane) * P + p; if ((g + 1) * TH * P <= C || e < C) dst[e] = __float2half(x[g][p]); }
  }
}
#define LN(NAME, C, ROWS, W, P, E, MIN) extern "C" __global__ void __launch_bounds__(32 * W, MIN) NAME(__half *out, float *means, float *rstds, const __half *in, const __half *weight, const __half *bias, int is, int os, int cols, float eps) { ln<C, ROWS, W, P, E>(out, means, rstds, in, weight, bias, eps); }
