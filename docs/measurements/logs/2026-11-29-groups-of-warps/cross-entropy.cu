// Cross-entropy of rows of 4096 halves by hand: T threads a row, R rows in turn a CTA with the next one's loads in front of the exchange (grid: so many CTAs),
// MODE 0: maximum, exchange, sum, exchange; 1: each warp its own maximum, one exchange of both; 2: each thread its own; 3: no exponentials
#include <cstdint>
#include <cuda_fp16.h>
#define WAIT asm volatile("griddepcontrol.wait;" ::: "memory")
#define GO asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
static __device__ __forceinline__ uint4 ldrow(const void *p) {
  uint4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
static __device__ __forceinline__ float ex2(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
constexpr float L2E = 1.4426950408889634f;
// 2^x by multiply-adds, x <= 0
static __device__ __forceinline__ float poly(float x) {
  x = fmaxf(x, -126.f); float t = x + 12582912.f; float f = x - (t - 12582912.f);
  float p = 1.3333558e-3f; p = fmaf(p, f, 9.6181291e-3f); p = fmaf(p, f, 5.5504109e-2f); p = fmaf(p, f, 0.24022651f); p = fmaf(p, f, 0.69314718f); p = fmaf(p, f, 1.f);
  return __int_as_float(__float_as_int(p) + (__float_as_int(t) << 23)); }
template <int T, int MODE, bool LOOP, int POLY> static __device__ __forceinline__ void ce(float *losses, const __half *in, const int *labels, int stride, int rows) {
  constexpr int V = 512 / T, W = T / 32;
  __shared__ float2 s[2][2][W < 1 ? 1 : W];
  int t = threadIdx.x, turn = 0;
  WAIT;
  int row = blockIdx.x;
  uint4 v[V], n[V];
  auto fetch = [&](uint4 *to, int r) { const uint4 *p = (const uint4 *)(in + (size_t)r * stride) + t;
#pragma unroll
    for (int i = 0; i < V; ++i) to[i] = ldrow(p + i * T); };
  fetch(v, row);
  int label = labels[row];
  float named = __half2float(in[(size_t)row * stride + label]);
  while (true) {
    int next = row + gridDim.x; bool more = LOOP && next < rows; int nl = 0;
    if (LOOP && more) { fetch(n, next); nl = labels[next]; }
    __half2 h = *(__half2 *)&v[0].x;
#pragma unroll
    for (int i = 0; i < V; ++i) { const __half2 *q = (const __half2 *)&v[i];
#pragma unroll
      for (int j = 0; j < 4; ++j) h = __hmax2(h, q[j]); }
    float m = fmaxf(__low2float(h), __high2float(h));
    if (MODE != 2) {
#pragma unroll
      for (int k = 16; k; k /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
    }
    if (MODE == 0 || MODE == 3) {
      if (t % 32 == 0) s[turn][0][t / 32].x = m;
      __syncthreads();
      m = s[turn][0][t % W].x;
#pragma unroll
      for (int k = W / 2; k; k /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
    }
    float c = m * L2E, a[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < V; ++i) { const __half2 *q = (const __half2 *)&v[i];
#pragma unroll
      for (int j = 0; j < 4; ++j) { float2 f = __half22float2(q[j]);
        if (MODE == 3) { a[0] += fmaf(f.x, L2E, -c); a[1] += fmaf(f.y, L2E, -c); continue; }
        float x = fmaf(f.x, L2E, -c), y = fmaf(f.y, L2E, -c);
        a[(2 * j) % 4] += ex2(x); a[(2 * j + 1) % 4] += (POLY && (4 * i + j) % POLY == 0) ? poly(y) : ex2(y); } }
    float sum = (a[0] + a[1]) + (a[2] + a[3]);
    if (MODE == 2) {
#pragma unroll
      for (int k = 16; k; k /= 2) { float om = __shfl_xor_sync(~0u, m, k), os = __shfl_xor_sync(~0u, sum, k), b = fmaxf(m, om);
        sum = sum * ex2((m - b) * L2E) + os * ex2((om - b) * L2E); m = b; }
    } else {
#pragma unroll
      for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    }
    if (t % 32 == 0) s[turn][1][t / 32] = make_float2(m, sum);
    __syncthreads();
    if (t < 32) {
      float2 e = s[turn][1][t % W];
#pragma unroll
      for (int k = W / 2; k; k /= 2) { float om = __shfl_xor_sync(~0u, e.x, k), os = __shfl_xor_sync(~0u, e.y, k);
        if (MODE == 0 || MODE == 3) e.y += os; else { float b = fmaxf(e.x, om); e.y = e.y * ex2((e.x - b) * L2E) + os * ex2((om - b) * L2E); e.x = b; } }
      if (t == 0) losses[row] = __logf(e.y) + (e.x - named);
    }
    if (!more) break;
    named = __half2float(in[(size_t)next * stride + nl]);
    row = next; turn ^= 1;
#pragma unroll
    for (int i = 0; i < V; ++i) v[i] = n[i];
  }
}
#define CE(N, T, M, L, MIN, P) extern "C" __global__ void __launch_bounds__(T, MIN) N(float *losses, const __half *in, const int *labels, int stride, int cols) { ce<T, M, L, P>(losses, in, labels, stride, 4096); }
CE(t128, 128, 0, false, 12, 0) CE(t256, 256, 0, false, 6, 0) CE(t64, 64, 0, false, 16, 0)
CE(t128x, 128, 3, false, 12, 0) CE(t256x, 256, 3, false, 8, 0)
CE(w128, 128, 1, false, 12, 0) CE(w256, 256, 1, false, 8, 0) CE(h128, 128, 2, false, 12, 0) CE(h256, 256, 2, false, 8, 0)
CE(w128p2, 128, 1, false, 12, 2) CE(w128p4, 128, 1, false, 12, 4) CE(t128p4, 128, 0, false, 12, 4) CE(t128p2, 128, 0, false, 12, 2)
CE(l128, 128, 0, true, 8, 0) CE(l256, 256, 0, true, 4, 0) CE(lw128, 128, 1, true, 8, 0) CE(lw256, 256, 1, true, 4, 0)
