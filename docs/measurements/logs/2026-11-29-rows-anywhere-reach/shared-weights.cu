// Layer norm of rows that begin anywhere by hand: CTAs that go from row to row, all of which begin equally far behind a vector, with weights in
// shared memory moved by as much, read as whole vectors. W warps a row, R rows side by side in a CTA, V vectors a thread.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
static __device__ __forceinline__ uint4 ldrow(const void *p, bool on) {
  uint4 v = {0, 0, 0, 0};
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %5, 0; @p ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4]; }" : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w) : "l"(p), "r"((int)on)); return v; }
static __device__ __forceinline__ float2 wide(__half2 h) { return __half22float2(h); }
static __device__ __forceinline__ float2 wide(__nv_bfloat162 h) { return __bfloat1622float2(h); }
static __device__ __forceinline__ void narrow(__half2 &t, float2 f) { t = __float22half2_rn(f); }
static __device__ __forceinline__ void narrow(__nv_bfloat162 &t, float2 f) { t = __float22bfloat162_rn(f); }
extern __shared__ uint4 dyn[];
// G CTAs, a multiple of 8. MODE 0: weights in shared memory; 1: weights in registers; AHEAD: the next row's loads before this one's sums
template <class T, class T2, int C, int ROWS, int W, int R, int V, int G, int MODE, int AHEAD, bool RENEW>
static __device__ __forceinline__ void ln(T *out, float *means, float *rstds, const T *in, const T *weight, const T *bias, float eps) {
  constexpr int N = (C + 7 + 7) / 8, TH = 32 * W;   // vectors of a row at most
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (blockIdx.x >= G) return;
  int tid = threadIdx.x, lane = tid % 32, t = tid % TH, g = tid / TH;
  int row0 = blockIdx.x % 8 + 8 * ((blockIdx.x / 8) * R + g);
  constexpr int STEP = G * R;   // rows
  int o = (int)((long long)C * row0 % 8);  // elements of the first vector that are the row's before
  uint4 *wS = dyn, *bS = dyn + N + 1;
  float2 *red = (float2 *)(dyn + 2 * (N + 1)) + g * 2 * W;
  auto fill = [&](uint4 *s, const T *w) { T *p = (T *)s; for (int i = tid; i < 8 * N; i += TH * R) { int e = i - o; p[i] = e >= 0 && e < C ? w[e] : T(0.f); } };
  fill(wS, weight); fill(bS, bias);
  uint4 v[V], n[V];
  auto fetch = [&](uint4 *to, int r, int from, int to_) { const uint4 *p = (const uint4 *)(in + (long long)C * r - o);
    bool on = r < ROWS;
#pragma unroll
    for (int i = 0; i < V; ++i) if (i >= from && i < to_) { int k = t + i * TH; to[i] = ldrow(p + k, on && (8 * (i + 1) * TH <= C || 8 * k < C + o)); } };
  fetch(v, row0, 0, V);
  __syncthreads();
  uint4 wr[MODE ? V : 1], br[MODE ? V : 1];
  if (MODE) {
#pragma unroll
    for (int i = 0; i < V; ++i) { int k = t + i * TH; wr[i] = k < N ? wS[k] : uint4{0, 0, 0, 0}; br[i] = k < N ? bS[k] : uint4{0, 0, 0, 0}; } }
  auto total = [&](float s, int which) {
#pragma unroll
    for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);
    if (W > 1) {
      float *r = (float *)red + which * W;
      if (lane == 0) r[t / 32] = s;
      __syncthreads();
      s = lane < W ? r[lane] : 0;
#pragma unroll
      for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);
    }
    return s; };
  int turn = 0;
  for (int row = row0; row < ROWS; row += STEP, turn ^= 2) {
    fetch(n, row + STEP, 0, AHEAD);
    float2 x[RENEW ? 1 : V][4]; float s = 0;
    auto hide = [&] { if (RENEW) {
#pragma unroll
      for (int i = 0; i < V; ++i) asm volatile("" : "+r"(v[i].x), "+r"(v[i].y), "+r"(v[i].z), "+r"(v[i].w)); } };
    auto centred = [&](float2 (&y)[4], int i, float mean) { T2 *h = (T2 *)&v[i]; int e = 8 * (t + i * TH) - o;
#pragma unroll
      for (int j = 0; j < 4; ++j) { y[j] = wide(h[j]); y[j].x -= mean; y[j].y -= mean; }
      if ((i == 0 || 8 * (i + 1) * TH > C) && (e < 0 || e + 8 > C)) {
#pragma unroll
        for (int j = 0; j < 4; ++j) { if (e + 2 * j < 0 || e + 2 * j >= C) y[j].x = 0; if (e + 2 * j + 1 < 0 || e + 2 * j + 1 >= C) y[j].y = 0; } } };
#pragma unroll
    for (int i = 0; i < V; ++i) { float2 y[4]; centred(y, i, 0.f);
#pragma unroll
      for (int j = 0; j < 4; ++j) s += y[j].x + y[j].y; }
    float mean = total(s, turn) * (1.f / C), q = 0;
    hide();
#pragma unroll
    for (int i = 0; i < V; ++i) { float2 y[4]; centred(y, i, mean);
#pragma unroll
      for (int j = 0; j < 4; ++j) { q = fmaf(y[j].x, y[j].x, fmaf(y[j].y, y[j].y, q)); if (!RENEW) x[RENEW ? 0 : i][j] = y[j]; } }
    float rstd = rsqrtf(total(q, turn + 1) * (1.f / C) + eps);
    if (t == 0) { means[row] = mean; rstds[row] = rstd; }
    hide();
    T *to = out + (long long)C * row - o;
#pragma unroll
    for (int i = 0; i < V; ++i) { int k = t + i * TH, e = 8 * k - o;
      if (8 * (i + 1) * TH > C && e >= C) continue;
      uint4 a = MODE ? wr[MODE ? i : 0] : wS[k], b = MODE ? br[MODE ? i : 0] : bS[k], y; float2 z[4];
      if (RENEW) centred(z, i, mean); else { z[0] = x[RENEW ? 0 : i][0]; z[1] = x[RENEW ? 0 : i][1]; z[2] = x[RENEW ? 0 : i][2]; z[3] = x[RENEW ? 0 : i][3]; }
#pragma unroll
      for (int j = 0; j < 4; ++j) { float2 w = wide(((T2 *)&a)[j]), c = wide(((T2 *)&b)[j]);
        narrow(((T2 *)&y)[j], {fmaf(z[j].x * rstd, w.x, c.x), fmaf(z[j].y * rstd, w.y, c.y)}); }
      if (!(i == 0 || 8 * (i + 1) * TH > C) || (e >= 0 && e + 8 <= C)) ((uint4 *)to)[k] = y;
      else
#pragma unroll
        for (int j = 0; j < 8; ++j) if (e + j >= 0 && e + j < C) to[8 * k + j] = ((T *)&y)[j]; }
    fetch(n, row + STEP, AHEAD, V);
#pragma unroll
    for (int i = 0; i < V; ++i) v[i] = n[i];
  }
}
#define LN(NAME, T, T2, C, ROWS, W, R, V, G, MODE, AHEAD, RENEW, MIN) extern "C" __global__ void __launch_bounds__(32 * W * R, MIN) NAME(T *out, float *means, float *rstds, const T *in, const T *weight, const T *bias, int is, int os, int cols, float eps) { ln<T, T2, C, ROWS, W, R, V, G, MODE, AHEAD, RENEW>(out, means, rstds, in, weight, bias, eps); }
LN(a1, __half, __half2, 781, 16384, 1, 8, 4, 264, 0, 4, false, 2)
LN(a2, __half, __half2, 781, 16384, 1, 8, 4, 528, 0, 4, true, 4)
LN(a3, __half, __half2, 781, 16384, 1, 8, 4, 392, 0, 4, false, 3)
LN(a4, __half, __half2, 781, 16384, 1, 8, 4, 528, 0, 0, true, 4)
LN(a5, __half, __half2, 781, 16384, 1, 8, 4, 656, 0, 0, true, 5)
LN(a6, __half, __half2, 781, 16384, 2, 4, 2, 528, 0, 2, true, 4)
LN(a7, __half, __half2, 781, 16384, 2, 4, 2, 528, 0, 0, true, 4)
LN(a8, __half, __half2, 781, 16384, 4, 2, 1, 1056, 0, 1, true, 8)
LN(a9, __half, __half2, 781, 16384, 4, 1, 1, 1848, 0, 1, true, 14)
LN(ab, __half, __half2, 781, 16384, 1, 8, 4, 1024, 0, 0, true, 6)
LN(ac, __half, __half2, 781, 16384, 2, 4, 2, 2048, 0, 0, true, 6)
LN(b1, __nv_bfloat16, __nv_bfloat162, 50257, 4096, 16, 1, 13, 128, 0, 5, true, 1)
LN(b2, __nv_bfloat16, __nv_bfloat162, 50257, 4096, 16, 1, 13, 128, 0, 0, true, 1)
LN(b3, __nv_bfloat16, __nv_bfloat162, 50257, 4096, 16, 1, 13, 128, 0, 8, true, 1)
LN(b4, __nv_bfloat16, __nv_bfloat162, 50257, 4096, 32, 1, 7, 128, 0, 0, true, 1)
LN(b5, __nv_bfloat16, __nv_bfloat162, 50257, 4096, 32, 1, 7, 128, 0, 2, true, 1)
LN(ad, __half, __half2, 781, 16384, 2, 4, 2, 528, 0, 1, true, 4)
