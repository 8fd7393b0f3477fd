// Layer norm backward (partial) by hand. G groups of W warps a CTA, each with rows of its own by bulk copies in a ring of S; one exchange a
// row; sums of the groups added up at the end where JOIN. WREG: weights in registers, else from shared memory.
#include <cuda_fp16.h>
#include <stdint.h>
#ifdef CL
#define DIMS __cluster_dims__(2)
#else
#define DIMS
#endif
constexpr int TH = W * 32, VPT = N / 8 / TH;
struct V { uint32_t u[4]; };
__device__ __forceinline__ uint32_t s32(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ V ldsh(uint32_t p) { V v; asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.u[0]), "=r"(v.u[1]), "=r"(v.u[2]), "=r"(v.u[3]) : "r"(p) : "memory"); return v; }
__device__ __forceinline__ void strow(void *p, V v) { asm volatile("st.global.L1::evict_first.v4.b32 [%0], {%1,%2,%3,%4};" :: "l"(p), "r"(v.u[0]), "r"(v.u[1]), "r"(v.u[2]), "r"(v.u[3]) : "memory"); }
__device__ __forceinline__ void unpack(V v, float *f) {
  _Pragma("unroll") for (int i = 0; i < 4; ++i) { float2 t = __half22float2(*(half2 *)&v.u[i]); f[2 * i] = t.x; f[2 * i + 1] = t.y; } }
__device__ __forceinline__ V pack(const float *f) { V v; _Pragma("unroll") for (int i = 0; i < 4; ++i) { half2 h = __floats2half2_rn(f[2 * i], f[2 * i + 1]); v.u[i] = *(uint32_t *)&h; } return v; }
__device__ __forceinline__ void mbWait(uint32_t b, int phase) { asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra L; }" :: "r"(b), "r"(phase) : "memory"); }
__device__ __forceinline__ void bulk(uint32_t to, const void *from, int bytes, uint32_t b) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(to), "l"(from), "r"(bytes), "r"(b) : "memory"); }
extern "C" __global__ void DIMS __launch_bounds__(G * TH, MINB) partial(char *dx, float *dw, float *db, const char *dy, const char *in, const char *weight, const float *means, const float *rstds, int s0, int s1, int s2, int rows, int cols) {
#ifdef CL
  int rank = blockIdx.x % 2, program = blockIdx.x / 2;
#else
  int program = blockIdx.x;
#endif
  extern __shared__ __align__(128) char mem[];
  __shared__ float2 ex[G][2][W];
  __shared__ __align__(8) uint64_t bar[G][S];
  constexpr int RB = N * 2;
  int g = threadIdx.x / TH, t = threadIdx.x % TH, w = t / 32, lane = t % 32;
  int first = blockIdx.x + g * gridDim.x, step = gridDim.x * G;
  uint32_t ring = s32(mem) + g * S * 2 * RB, wsh = s32(mem) + G * S * 2 * RB;
  auto fetch = [&](int row, int s) {
    uint32_t b = s32(&bar[g][s]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(2 * RB) : "memory");
    bulk(ring + s * 2 * RB, in + (size_t)row * RB, RB, b); bulk(ring + s * 2 * RB + RB, dy + (size_t)row * RB, RB, b);
  };
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (t == 0) {
    for (int i = 0; i < S; ++i) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(s32(&bar[g][i])));
    asm volatile("fence.mbarrier_init.release.cluster;"); asm volatile("fence.proxy.async.shared::cta;");
    for (int s = 0; s < S; ++s) if (first + s * step < rows) fetch(first + s * step, s);
  }
  V wv[VPT];
  _Pragma("unroll") for (int j = 0; j < VPT; ++j) {
    wv[j] = *(const V *)(weight + (t + j * TH) * 16);
    if (!WREG) { if (g == 0) *(V *)(mem + G * S * 2 * RB + (t + j * TH) * 16) = wv[j]; } }
  float sw[VPT * 8], sb[VPT * 8];
  _Pragma("unroll") for (int i = 0; i < VPT * 8; ++i) sw[i] = sb[i] = 0;
  __syncthreads();
  int slot = 0, phase = 0, turn = 0;
  float mean = 0, rstd = 0; if (first < rows) { mean = means[first]; rstd = rstds[first]; }
  for (int row = first; row < rows; row += step) {
    float nm = 0, nr = 0; if (row + step < rows) { nm = means[row + step]; nr = rstds[row + step]; }
    mbWait(s32(&bar[g][slot]), phase);
    float s1 = 0, s2 = 0;
    V xv[VPT], dv[VPT];
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) { xv[j] = ldsh(ring + slot * 2 * RB + (t + j * TH) * 16); dv[j] = ldsh(ring + slot * 2 * RB + RB + (t + j * TH) * 16); }
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) {
      float x[8], d[8], ww[8]; unpack(xv[j], x); unpack(dv[j], d); unpack(WREG ? wv[j] : ldsh(wsh + (t + j * TH) * 16), ww);
      _Pragma("unroll") for (int i = 0; i < 8; ++i) { float h = (x[i] - mean) * rstd, q = ww[i] * d[i]; s1 += h * q; s2 += q; sw[j * 8 + i] += h * d[i]; sb[j * 8 + i] += d[i]; } }
    _Pragma("unroll") for (int i = 16; i; i >>= 1) { s1 += __shfl_xor_sync(~0u, s1, i); s2 += __shfl_xor_sync(~0u, s2, i); }
    if (lane == 0) ex[g][turn][w] = make_float2(s1, s2);
    asm volatile("bar.sync %0, %1;" :: "r"(g + 1), "r"(TH) : "memory");
    if (t == 0 && row + S * step < rows) fetch(row + S * step, slot);
    float2 e = ex[g][turn][lane % W]; s1 = e.x; s2 = e.y;
    _Pragma("unroll") for (int i = 1; i < W; i <<= 1) { s1 += __shfl_xor_sync(~0u, s1, i); s2 += __shfl_xor_sync(~0u, s2, i); }
    s1 *= 1.f / N; s2 *= 1.f / N;
    _Pragma("unroll") for (int j = 0; j < VPT; ++j) {
      float x[8], d[8], ww[8], o[8]; unpack(xv[j], x); unpack(dv[j], d); unpack(WREG ? wv[j] : ldsh(wsh + (t + j * TH) * 16), ww);
      _Pragma("unroll") for (int i = 0; i < 8; ++i) { float h = (x[i] - mean) * rstd; o[i] = (ww[i] * d[i] - (h * s1 + s2)) * rstd; }
      strow(dx + (size_t)row * RB + (t + j * TH) * 16, pack(o)); }
    mean = nm; rstd = nr; turn ^= 1;
    if (++slot == S) { slot = 0; phase ^= 1; }
  }
  if (G > 1) {
    __syncthreads();
    float *f = (float *)mem;
    for (int k = 1; k < G; ++k) {
      if (g == k) _Pragma("unroll") for (int i = 0; i < VPT * 8; ++i) { f[((k - 1) * 2 * VPT * 8 + i) * TH + t] = sw[i]; f[((k - 1) * 2 * VPT * 8 + VPT * 8 + i) * TH + t] = sb[i]; } }
    __syncthreads();
    if (g) return;
    for (int k = 1; k < G; ++k) _Pragma("unroll") for (int i = 0; i < VPT * 8; ++i) { sw[i] += f[((k - 1) * 2 * VPT * 8 + i) * TH + t]; sb[i] += f[((k - 1) * 2 * VPT * 8 + VPT * 8 + i) * TH + t]; }
  }
#ifdef CL
  { float *f = (float *)mem;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (rank) {
      uint32_t to; asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(s32(mem)));
      _Pragma("unroll") for (int i = 0; i < VPT * 8; i += 4) {
        asm volatile("st.shared::cluster.v4.f32 [%0], {%1,%2,%3,%4};" :: "r"(to + ((i / 4) * TH + t) * 16), "f"(sw[i]), "f"(sw[i+1]), "f"(sw[i+2]), "f"(sw[i+3]) : "memory");
        asm volatile("st.shared::cluster.v4.f32 [%0], {%1,%2,%3,%4};" :: "r"(to + ((VPT * 2 + i / 4) * TH + t) * 16), "f"(sb[i]), "f"(sb[i+1]), "f"(sb[i+2]), "f"(sb[i+3]) : "memory"); }
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (rank) return;
    _Pragma("unroll") for (int i = 0; i < VPT * 8; ++i) { sw[i] += f[((i / 4) * TH + t) * 4 + i % 4]; sb[i] += f[((VPT * 2 + i / 4) * TH + t) * 4 + i % 4]; }
  }
#endif
  float *ow = dw + (size_t)program * N, *ob = db + (size_t)program * N;
  _Pragma("unroll") for (int j = 0; j < VPT; ++j) _Pragma("unroll") for (int k = 0; k < 2; ++k) {
    *(float4 *)(ow + (t + j * TH) * 8 + 4 * k) = *(float4 *)&sw[j * 8 + 4 * k]; *(float4 *)(ob + (t + j * TH) * 8 + 4 * k) = *(float4 *)&sb[j * 8 + 4 * k]; }
}
