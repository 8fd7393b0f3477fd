// Rows of an odd length: structures against a copy.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <string>
#include <functional>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("cuda: %s at %s:%d\n", cudaGetErrorString(e_), __FILE__, __LINE__); exit(1);} } while (0)
typedef __nv_bfloat16 bf16; typedef __half f16;
__device__ __forceinline__ float tof(bf16 x) { return __bfloat162float(x); }
__device__ __forceinline__ float tof(f16 x) { return __half2float(x); }
template <class T> __device__ __forceinline__ T fromf(float x);
template <> __device__ __forceinline__ bf16 fromf<bf16>(float x) { return __float2bfloat16(x); }
template <> __device__ __forceinline__ f16 fromf<f16>(float x) { return __float2half(x); }
template <class T> __device__ __forceinline__ float lo(uint32_t w) { unsigned short h = w & 0xffff; return tof(*(T*)&h); }
template <class T> __device__ __forceinline__ float hi(uint32_t w) { unsigned short h = w >> 16; return tof(*(T*)&h); }
template <> __device__ __forceinline__ float lo<bf16>(uint32_t w) { return __uint_as_float(w << 16); }
template <> __device__ __forceinline__ float hi<bf16>(uint32_t w) { return __uint_as_float(w & 0xffff0000u); }
template <class T> __device__ __forceinline__ uint32_t pack(float a, float b) { T x = fromf<T>(a), y = fromf<T>(b); return (uint32_t)*(unsigned short*)&x | ((uint32_t)*(unsigned short*)&y << 16); }
template <> __device__ __forceinline__ uint32_t pack<bf16>(float a, float b) { __nv_bfloat162 v = __floats2bfloat162_rn(a, b); return *(uint32_t*)&v; }
template <> __device__ __forceinline__ uint32_t pack<f16>(float a, float b) { __half2 v = __floats2half2_rn(a, b); return *(uint32_t*)&v; }
__device__ __forceinline__ uint32_t sa(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mbInit(uint64_t* b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sa(b)), "r"(n)); }
__device__ __forceinline__ void mbExpect(uint64_t* b, uint32_t n) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(sa(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void mbWait(uint64_t* b, int ph) {
  asm volatile("{\n.reg .pred p;\nL: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra D;\nbra L;\nD:\n}" ::"r"(sa(b)), "r"(ph) : "memory");
}
__device__ __forceinline__ void bulkIn(void* d, const void* s, uint32_t n, uint64_t* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sa(d)), "l"(s), "r"(n), "r"(sa(b)) : "memory");
}
__device__ __forceinline__ uint32_t rankOf() { uint32_t r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }

// What a reduction exchanges: between the warps of a CTA, or of a cluster by st.async.
template <int TH, int CL> struct Ex {
  static constexpr int W = TH / 32;
  struct Mem { float part[2][CL * W]; uint64_t bar[2]; };
  Mem* m; int rank;
  __device__ void init(Mem* mem) {
    m = mem; rank = CL > 1 ? rankOf() : 0;
    if (CL > 1) {
      if (threadIdx.x == 0) { for (int k = 0; k < 2; ++k) { mbInit(&m->bar[k], 1); mbExpect(&m->bar[k], CL * W * 4); } asm volatile("fence.mbarrier_init.release.cluster;"); }
      asm volatile("barrier.cluster.arrive.relaxed.aligned;");
    }
  }
  template <bool MAX> __device__ float all(float x, int k) {
    auto op = [](float a, float b) { return MAX ? fmaxf(a, b) : a + b; };
    for (int o = 16; o; o >>= 1) x = op(x, __shfl_xor_sync(~0u, x, o));
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    if (CL > 1) {
      if (k == 0) asm volatile("barrier.cluster.wait.aligned;");
      if (lane < CL) {
        uint32_t a, b;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(sa(&m->part[k][rank * W + w])), "r"(lane));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(b) : "r"(sa(&m->bar[k])), "r"(lane));
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(a), "r"(__float_as_uint(x)), "r"(b) : "memory");
      }
      mbWait(&m->bar[k], 0);
    } else {
      if (lane == 0) m->part[k][w] = x;
      __syncthreads();
    }
    float y = MAX ? -INFINITY : 0.f;
    for (int i = lane; i < CL * W; i += 32) y = op(y, m->part[k][i]);
    for (int o = 16; o; o >>= 1) y = op(y, __shfl_xor_sync(~0u, y, o));
    return y;
  }
};
// OP: 0 softmax, 1 RMS norm, 2 layer norm
__device__ __forceinline__ float ex2(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
#define L2E 1.44269504f
template <int OP> __device__ __forceinline__ float first(float a, float x) { return OP == 0 ? fmaxf(a, x) : OP == 1 ? fmaf(x, x, a) : a + x; }
template <int OP> __device__ __forceinline__ float second(float a, float x, float m) { if (OP == 0) return a + ex2((x - m) * L2E); float d = x - m; return fmaf(d, d, a); }
template <int OP> __device__ __forceinline__ float last(float x, float m, float r, float w, float b) {
  if (OP == 0) return ex2((x - m) * L2E) * r;
  if (OP == 1) return x * r * w;
  return fmaf((x - m) * r, w, b);
}
template <int OP> __device__ __forceinline__ float neutral() { return OP == 0 ? -INFINITY : 0.f; }
template <int OP, class E, class F1, class F2> __device__ __forceinline__ void stats(E& ex, F1 f1, F2 f2, int N, float& m, float& r) {
  float a = ex.template all<OP == 0>(f1(), 0);
  if (OP == 0) { m = a; r = 1.f / ex.template all<false>(f2(m), 1); }
  else if (OP == 1) { m = 0; r = rsqrtf(a / N + 1e-5f); }
  else { m = a / N; r = rsqrtf(ex.template all<false>(f2(m), 1) / N + 1e-5f); }
}
struct A { void* out; const void* in; const void* w; const void* b; int N; int rows; };

// (a) elements one by one, as FSM's today.
template <class T, int OP, int TH, int CL, int EPT, int MB> __global__ __launch_bounds__(TH, MB) void elem(A a) {
  __shared__ typename Ex<TH, CL>::Mem mem;
  Ex<TH, CL> ex; ex.init(&mem);
  int row = blockIdx.x / CL, N = a.N;
  const T* p = (const T*)a.in + (size_t)row * N; T* o = (T*)a.out + (size_t)row * N;
  const T *w = (const T*)a.w, *b = (const T*)a.b;
  float x[EPT];
  int e0 = ex.rank * TH + threadIdx.x;
#pragma unroll
  for (int j = 0; j < EPT; ++j) { int e = e0 + j * TH * CL; x[j] = e < N ? tof(p[e]) : neutral<OP>(); }
  float m, r;
  stats<OP>(ex, [&] { float s = neutral<OP>();
#pragma unroll
    for (int j = 0; j < EPT; ++j) s = first<OP>(s, x[j]); return s; },
    [&](float m) { float s = 0;
#pragma unroll
    for (int j = 0; j < EPT; ++j) { float t = second<OP>(s, x[j], m); s = (e0 + j * TH * CL < N) ? t : s; } return s; }, N, m, r);
#pragma unroll
  for (int j = 0; j < EPT; ++j) { int e = e0 + j * TH * CL; if (e < N) o[e] = fromf<T>(last<OP>(x[j], m, r, OP ? tof(w[e]) : 0.f, OP == 2 ? tof(b[e]) : 0.f)); }
}

// Eight weights that begin anywhere. 0: one by one; 1: words and byte permutations; 2: two aligned vectors, shifted.
template <class T, int WM> __device__ __forceinline__ void weights(const T* w, int e, int N, float (&f)[8]) {
  if (WM == 0) {
#pragma unroll
    for (int i = 0; i < 8; ++i) f[i] = tof(w[e + i]);
  } else if (WM == 1) {
    const uint32_t* q = (const uint32_t*)(w + (e & ~1)); uint32_t sel = (e & 1) ? 0x5432 : 0x3210; uint32_t u[5];
#pragma unroll
    for (int i = 0; i < 4; ++i) u[i] = q[i];
    u[4] = (e & 1) ? q[4] : 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) { uint32_t v = __byte_perm(u[i], u[i + 1], sel); f[2 * i] = lo<T>(v); f[2 * i + 1] = hi<T>(v); }
  } else {
    const uint4* q = (const uint4*)(w + (e & ~7)); int k = e & 7;
    uint4 a = q[0], b = make_uint4(0, 0, 0, 0); if (k) b = q[1];
    uint32_t u[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, s[6], t[5];
#pragma unroll
    for (int i = 0; i < 6; ++i) s[i] = (k & 4) ? u[i + 2] : u[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) t[i] = (k & 2) ? s[i + 1] : s[i];
    uint32_t sel = (k & 1) ? 0x5432 : 0x3210;
#pragma unroll
    for (int i = 0; i < 4; ++i) { uint32_t v = __byte_perm(t[i], t[i + 1], sel); f[2 * i] = lo<T>(v); f[2 * i + 1] = hi<T>(v); }
  }
}
template <class T, int OP, int WM> __device__ __forceinline__ uint4 result(uint4 x, int e, const T* w, const T* b, int N, float m, float r) {
  float wf[8], bf[8];
  if (OP) weights<T, WM>(w, e, N, wf);
  if (OP == 2) weights<T, WM>(b, e, N, bf);
  uint32_t u[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) u[i] = pack<T>(last<OP>(lo<T>(u[i]), m, r, OP ? wf[2 * i] : 0, OP == 2 ? bf[2 * i] : 0), last<OP>(hi<T>(u[i]), m, r, OP ? wf[2 * i + 1] : 0, OP == 2 ? bf[2 * i + 1] : 0));
  return make_uint4(u[0], u[1], u[2], u[3]);
}
template <class F> __device__ __forceinline__ void words(uint4 x, F f) { f(x.x); f(x.y); f(x.z); f(x.w); }

// (d) aligned vectors in registers, the edges as one element more of 16 threads.
template <class T, int OP, int TH, int CL, int VPT, int MB, int WM> __global__ __launch_bounds__(TH, MB) void vec(A a) {
  __shared__ typename Ex<TH, CL>::Mem mem;
  Ex<TH, CL> ex; ex.init(&mem);
  int row = blockIdx.x / CL, N = a.N, t = threadIdx.x;
  const T* p = (const T*)a.in + (size_t)row * N; T* o = (T*)a.out + (size_t)row * N;
  const T *w = (const T*)a.w, *b = (const T*)a.b;
  int h = (8 - (((uintptr_t)p >> 1) & 7)) & 7, nv = (N - h) >> 3;
  const uint4* pv = (const uint4*)(p + h); uint4* ov = (uint4*)(o + h);
  int v0 = ex.rank * TH + t;
  uint32_t nn; { T z = fromf<T>(neutral<OP>()); nn = *(unsigned short*)&z; nn |= nn << 16; }
  uint4 x[VPT];
#pragma unroll
  for (int j = 0; j < VPT; ++j) { int v = v0 + j * TH * CL; x[j] = make_uint4(nn, nn, nn, nn); if (v < nv) x[j] = pv[v]; }
  int e = t < 8 ? t : h + 8 * nv + t - 8; bool he = ex.rank == CL - 1 && t < 16 && (t < 8 ? t < h : e < N);
  float xe = neutral<OP>(); if (he) xe = tof(p[e]);
  float m, r;
  stats<OP>(ex, [&] { float s = first<OP>(neutral<OP>(), xe);
#pragma unroll
    for (int j = 0; j < VPT; ++j) words(x[j], [&](uint32_t u) { s = first<OP>(s, lo<T>(u)); s = first<OP>(s, hi<T>(u)); }); return s; },
    [&](float m) { float s = he ? second<OP>(0.f, xe, m) : 0.f;
#pragma unroll
    for (int j = 0; j < VPT; ++j) { float q = 0; words(x[j], [&](uint32_t u) { q = second<OP>(q, lo<T>(u), m); q = second<OP>(q, hi<T>(u), m); }); s += v0 + j * TH * CL < nv ? q : 0.f; } return s; }, N, m, r);
#pragma unroll
  for (int j = 0; j < VPT; ++j) { int v = v0 + j * TH * CL; if (v < nv) ov[v] = result<T, OP, WM>(x[j], h + 8 * v, w, b, N, m, r); }
  if (he) o[e] = fromf<T>(last<OP>(xe, m, r, OP ? tof(w[e]) : 0.f, OP == 2 ? tof(b[e]) : 0.f));
}

// (b), (c) bulk copies of the aligned superset to shared memory. MODE 0: vectors, vector stores; 1: words, result in place and bulk store;
// 2: words, stores of words; 3: elements one by one, element stores.
template <class T, int OP, int TH, int CL, int MB, int MODE, int CH, int WM> __global__ __launch_bounds__(TH, MB) void bulk(A a) {
  extern __shared__ __align__(128) uint4 sm[];
  __shared__ typename Ex<TH, CL>::Mem mem;
  __shared__ uint64_t bar[CH];
  Ex<TH, CL> ex; 
  int row = blockIdx.x / CL, N = a.N, t = threadIdx.x, rank = CL > 1 ? rankOf() : 0;
  const T* p = (const T*)a.in + (size_t)row * N; T* o = (T*)a.out + (size_t)row * N;
  const T *w = (const T*)a.w, *b = (const T*)a.b;
  int s = ((uintptr_t)p >> 1) & 7;
  const T* pb = p - s; T* ob = o - s;
  int nv = (s + N + 7) >> 3, per = (nv + CL - 1) / CL, v0 = rank * per, mine = max(0, min(per, nv - v0)), pc = (per + CH - 1) / CH;
  bool beyond = row == a.rows - 1 && ((s + N) & 7) && v0 + mine == nv;
  if (t == 0) {
    for (int c = 0; c < CH; ++c) mbInit(&bar[c], 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
    int n = mine - beyond;
    for (int c = 0; c < CH; ++c) {
      int f = c * pc, k = max(0, min(pc, n - f));
      mbExpect(&bar[c], k * 16);
      if (k) bulkIn(sm + f, (const uint4*)pb + v0 + f, k * 16, &bar[c]);
    }
  }
  if (beyond && t < 8) { int q = (nv - 1) * 8 + t; ((T*)sm)[(mine - 1) * 8 + t] = q < s + N ? pb[q] : fromf<T>(0.f); }
  ex.init(&mem);
  __syncthreads();
  int q0 = v0 * 8;
  float m, r;
  auto vecs = [&](float init, bool wait, auto f) {  // f(acc, x) over this thread's elements
    float acc = init; int c = -1;
    if (MODE == 0) {
#pragma unroll 2
      for (int v = t; v < mine; v += TH) {
        if (wait) { int want = v / pc; while (c < want) { ++c; mbWait(&bar[c], 0); } }
        uint4 x = sm[v]; int q = q0 + v * 8;
        if (q >= s && q + 8 <= s + N) words(x, [&](uint32_t u) { acc = f(acc, lo<T>(u)); acc = f(acc, hi<T>(u)); });
        else { int i = 0; words(x, [&](uint32_t u) { if (q + i >= s && q + i < s + N) acc = f(acc, lo<T>(u)); if (q + i + 1 >= s && q + i + 1 < s + N) acc = f(acc, hi<T>(u)); i += 2; }); }
      }
    } else if (MODE < 3) {
      const uint32_t* sw = (const uint32_t*)sm;
#pragma unroll 4
      for (int k = t; k < mine * 4; k += TH) {
        if (wait) { int want = (k >> 2) / pc; while (c < want) { ++c; mbWait(&bar[c], 0); } }
        uint32_t u = sw[k]; int q = q0 + k * 2;
        float y = f(acc, lo<T>(u)); acc = q >= s && q < s + N ? y : acc; y = f(acc, hi<T>(u)); acc = q + 1 >= s && q + 1 < s + N ? y : acc;
      }
    } else {
      const T* se = (const T*)sm;
#pragma unroll 8
      for (int k = t; k < mine * 8; k += TH) {
        if (wait) { int want = (k >> 3) / pc; while (c < want) { ++c; mbWait(&bar[c], 0); } }
        int q = q0 + k; float y = f(acc, tof(se[k])); acc = q >= s && q < s + N ? y : acc;
      }
    }
    return acc;
  };
  stats<OP>(ex, [&] { float y = vecs(neutral<OP>(), true, [](float x, float y) { return first<OP>(x, y); }); for (int c = 0; c < CH; ++c) mbWait(&bar[c], 0); return y; },
            [&](float m) { return vecs(0.f, false, [m](float x, float y) { return second<OP>(x, y, m); }); }, N, m, r);
  if (MODE == 0) {
    uint4* ov = (uint4*)ob + v0;
#pragma unroll 2
    for (int v = t; v < mine; v += TH) {
      uint4 x = sm[v]; int q = q0 + v * 8;
      if (q >= s && q + 8 <= s + N) ov[v] = result<T, OP, WM>(x, q - s, w, b, N, m, r);
      else for (int i = 0; i < 8; ++i) if (q + i >= s && q + i < s + N) { int e = q + i - s; o[e] = fromf<T>(last<OP>(tof(((T*)sm)[v * 8 + i]), m, r, OP ? tof(w[e]) : 0.f, OP == 2 ? tof(b[e]) : 0.f)); }
    }
  } else if (MODE < 3) {
    uint32_t* sw = (uint32_t*)sm; uint32_t* ow = (uint32_t*)ob + v0 * 4;
#pragma unroll 4
    for (int k = t; k < mine * 4; k += TH) {
      uint32_t u = sw[k]; int q = q0 + k * 2, e = q - s;
      bool i0 = e >= 0 && e < N, i1 = e + 1 >= 0 && e + 1 < N;
      float y0 = last<OP>(lo<T>(u), m, r, OP && i0 ? tof(w[e]) : 0.f, OP == 2 && i0 ? tof(b[e]) : 0.f), y1 = last<OP>(hi<T>(u), m, r, OP && i1 ? tof(w[e + 1]) : 0.f, OP == 2 && i1 ? tof(b[e + 1]) : 0.f);
      uint32_t z = pack<T>(y0, y1);
      if (MODE == 1) sw[k] = z;
      else if (i0 && i1) ow[k] = z;
      else { unsigned short z0 = z, z1 = z >> 16; if (i0) ((unsigned short*)ow)[2 * k] = z0; if (i1) ((unsigned short*)ow)[2 * k + 1] = z1; }
    }
    if (MODE == 1) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();
      int lo_ = (s && v0 == 0) ? 1 : 0, hi_ = mine - (((s + N) & 7) && v0 + mine == nv ? 1 : 0);
      if (t == 0 && hi_ > lo_) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"((uint4*)ob + v0 + lo_), "r"(sa(sm + lo_)), "r"((hi_ - lo_) * 16) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
      }
      if (t >= 32 && t < 48) { int i = t - 32; int v = i < 8 ? 0 : mine - 1; bool use = i < 8 ? lo_ : hi_ < mine; int q = q0 + v * 8 + (i & 7); if (use && q >= s && q < s + N) ob[q] = ((T*)sm)[v * 8 + (i & 7)]; }
      if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
  } else {
#pragma unroll 8
    for (int k = t; k < mine * 8; k += TH) { int q = q0 + k, e = q - s; if (e >= 0 && e < N) o[e] = fromf<T>(last<OP>(tof(((T*)sm)[k]), m, r, OP ? tof(w[e]) : 0.f, OP == 2 ? tof(b[e]) : 0.f)); }
  }
}

// The answer in float64, by a plain kernel.
template <class T> __global__ void reference(A a, float* out, int op) {
  __shared__ double sh[256]; int N = a.N, t = threadIdx.x; const T* p = (const T*)a.in + (size_t)blockIdx.x * N; float* o = out + (size_t)blockIdx.x * N;
  auto red = [&](double x, bool mx) { sh[t] = x; __syncthreads(); for (int k = 128; k; k >>= 1) { if (t < k) sh[t] = mx ? fmax(sh[t], sh[t + k]) : sh[t] + sh[t + k]; __syncthreads(); } double y = sh[0]; __syncthreads(); return y; };
  double m = -1e300, q = 0, z = 0;
  for (int e = t; e < N; e += 256) { double x = tof(p[e]); m = fmax(m, x); q += x * x; z += x; }
  m = red(m, true); q = red(q, false); z = red(z, false) / N; double c = 0, d = 0;
  for (int e = t; e < N; e += 256) { double x = tof(p[e]); d += (x - z) * (x - z); if (op == 0) c += exp(x - m); }
  c = red(c, false); d = red(d, false);
  for (int e = t; e < N; e += 256) { double x = tof(p[e]), w = tof(((const T*)a.w)[e]), b = tof(((const T*)a.b)[e]);
    o[e] = op == 0 ? exp(x - m) / c : op == 1 ? x / sqrt(q / N + 1e-5) * w : (x - z) / sqrt(d / N + 1e-5) * w + b; }
}
template <class T> __global__ void compare(const T* o, const float* r, size_t n, unsigned* worst) {
  float k = 0; for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) { float x = tof(o[i]), d = fabsf(x - r[i]) / fmaxf(fabsf(r[i]), 1e-6f > 0 ? 1e-5f : 0); if (!(d < 1e30f)) d = 1e30f; k = fmaxf(k, d); }
  atomicMax(worst, __float_as_uint(k));
}
template <class T> __global__ void fill(T* o, size_t n, uint32_t seed, float mean) {
  for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) { uint32_t s = 0; float f = 0; for (int k = 0; k < 4; ++k) { s = (uint32_t)(i * 4 + k) * 2654435761u + seed; s ^= s >> 16; s *= 0x85ebca6bu; s ^= s >> 13; s *= 0xc2b2ae35u; s ^= s >> 16; f += s * 2.3283064e-10f; } o[i] = fromf<T>((f - 2.f) * 1.7f + mean); }
}
__global__ void copyK(uint4* o, const uint4* i, size_t n) { for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < n; k += gridDim.x * (size_t)blockDim.x) o[k] = i[k]; }

struct V { std::string name; std::function<void(A)> go; int op; const void* fn; float worst; double best; std::vector<float> us; int regs, blocks; };
template <class K> V make(std::string name, int op, K k, int th, int cl, size_t smem) {
  CK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem));
  if (cl > 8) CK(cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaFuncAttributes fa; CK(cudaFuncGetAttributes(&fa, k)); int nb = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, k, th, smem);
  V v; v.name = name; v.op = op; v.regs = fa.numRegs; v.blocks = nb; if (fa.localSizeBytes) v.name += " SPILL" + std::to_string(fa.localSizeBytes);
  v.go = [=](A a) { cudaLaunchConfig_t c = {}; c.gridDim = dim3(a.rows * cl); c.blockDim = dim3(th); c.dynamicSmemBytes = smem; cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension; at[0].val.clusterDim.x = cl; at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1; c.attrs = at; c.numAttrs = cl > 1; CK(cudaLaunchKernelEx(&c, k, a)); };
  return v;
}
#define ST_(x) #x
#define ST(x) ST_(x)
template <class T> void suite(const char* title, int rows, int N, void (*add)(std::vector<V>&, int N), int sets, int reps) {
  size_t n = (size_t)rows * N, bytes = n * 2; std::vector<A> as(sets); float* ref; unsigned* worst; CK(cudaMalloc(&ref, n * 4)); CK(cudaMalloc(&worst, 4));
  for (int k = 0; k < sets; ++k) { void *o, *i, *w, *b; CK(cudaMalloc(&o, bytes)); CK(cudaMalloc(&i, bytes)); CK(cudaMalloc(&w, N * 2)); CK(cudaMalloc(&b, N * 2)); fill<T><<<2048, 256>>>((T*)i, n, 77 + k, 0.3f); fill<T><<<64, 256>>>((T*)w, N, 5, 1.f); fill<T><<<64, 256>>>((T*)b, N, 9, 0.f); as[k] = {o, i, w, b, N, rows}; }
  std::vector<V> vs; add(vs, N);
  for (int op = 0; op < 3; ++op) {
    reference<T><<<rows, 256>>>(as[0], ref, op); CK(cudaDeviceSynchronize());
    for (auto& v : vs) if (v.op == op) { CK(cudaMemset(as[0].out, 0xff, bytes)); v.go(as[0]); CK(cudaMemset(worst, 0, 4)); compare<T><<<2048, 256>>>((T*)as[0].out, ref, n, worst); CK(cudaMemcpy(&v.worst, worst, 4, cudaMemcpyDeviceToHost)); }
  }
  std::vector<float> cp, ck; cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1); int turn = 0;
  auto time = [&](auto f, std::vector<float>& us) { A a = as[turn++ % sets]; cudaEventRecord(e0); f(a); cudaEventRecord(e1); CK(cudaEventSynchronize(e1)); float ms; cudaEventElapsedTime(&ms, e0, e1); us.push_back(ms * 1000); };
  for (int k = 0; k < reps; ++k) {
    time([&](A a) { cudaMemcpyAsync(a.out, a.in, bytes, cudaMemcpyDeviceToDevice); }, cp);
    time([&](A a) { copyK<<<132 * 16, 256>>>((uint4*)a.out, (const uint4*)a.in, bytes / 16); }, ck);
    for (auto& v : vs) time(v.go, v.us);
  }
  auto med = [](std::vector<float> u) { std::sort(u.begin(), u.end()); return u[u.size() / 2]; };
  double c = std::min(med(cp), med(ck));
  printf("== %s %d x %d: copy %.0f GB/s (driver), %.0f (kernel)\n", title, rows, N, 2 * bytes / med(cp) / 1e3, 2 * bytes / med(ck) / 1e3);
  for (auto& v : vs) printf("  %s %-40s %.3f  %7.1f us  regs %3d ctas/SM %2d  worst %.2g\n", v.op == 0 ? "softmax" : v.op == 1 ? "rms    " : "layer  ", v.name.c_str(), c / med(v.us), med(v.us), v.regs, v.blocks, v.worst);
  fflush(stdout);
  for (auto& a : as) { cudaFree(a.out); cudaFree((void*)a.in); cudaFree((void*)a.w); cudaFree((void*)a.b); } cudaFree(ref);
}
#define E(T, OP, TH, CL, EPT, MB) vs.push_back(make("elem th" ST(TH) " cl" ST(CL) " ept" ST(EPT), OP, elem<T, OP, TH, CL, EPT, MB>, TH, CL, 0))
#define VE(T, OP, TH, CL, VPT, MB, WM) vs.push_back(make("vec th" ST(TH) " cl" ST(CL) " vpt" ST(VPT) " wm" ST(WM), OP, vec<T, OP, TH, CL, VPT, MB, WM>, TH, CL, 0))
#define BU(T, OP, TH, CL, MB, MODE, CH, WM) vs.push_back(make("bulk th" ST(TH) " cl" ST(CL) " mode" ST(MODE) " chunks" ST(CH) " wm" ST(WM), OP, bulk<T, OP, TH, CL, MB, MODE, CH, WM>, TH, CL, (((N + 14) / 8 + CL) / CL + 1) * 16))
void add50257(std::vector<V>& vs, int N) {
#define ALL(OP) \
  E(bf16, OP, 256, 8, 25, 5); E(bf16, OP, 512, 8, 13, 3); \
  VE(bf16, OP, 256, 8, 4, 4, 0); VE(bf16, OP, 128, 8, 7, 8, 0); VE(bf16, OP, 256, 4, 7, 4, 0); VE(bf16, OP, 512, 4, 4, 2, 0); \
  BU(bf16, OP, 512, 1, 2, 0, 1, 0); BU(bf16, OP, 1024, 1, 2, 0, 1, 0); BU(bf16, OP, 1024, 1, 2, 0, 8, 0); BU(bf16, OP, 1024, 1, 2, 2, 1, 0); BU(bf16, OP, 512, 1, 2, 2, 8, 0); BU(bf16, OP, 1024, 1, 2, 1, 1, 0); BU(bf16, OP, 1024, 1, 2, 3, 1, 0); \
  BU(bf16, OP, 512, 2, 4, 0, 1, 0); BU(bf16, OP, 512, 2, 4, 2, 1, 0); BU(bf16, OP, 512, 2, 4, 1, 1, 0); BU(bf16, OP, 512, 2, 4, 3, 1, 0); BU(bf16, OP, 256, 4, 8, 0, 1, 0); BU(bf16, OP, 256, 4, 8, 2, 1, 0); BU(bf16, OP, 256, 4, 8, 3, 1, 0); BU(bf16, OP, 256, 8, 8, 2, 1, 0);
  ALL(0) ALL(1) ALL(2)
#define WW(OP) VE(bf16, OP, 256, 8, 4, 4, 1); VE(bf16, OP, 256, 8, 4, 4, 2); BU(bf16, OP, 1024, 1, 2, 0, 1, 1); BU(bf16, OP, 1024, 1, 2, 0, 1, 2); BU(bf16, OP, 512, 2, 4, 0, 1, 2); BU(bf16, OP, 256, 4, 8, 0, 1, 2);
  WW(1) WW(2)
}
void add12289(std::vector<V>& vs, int N) {
#define ALS(OP) \
  E(f16, OP, 256, 1, 49, 2); E(f16, OP, 512, 1, 25, 2); E(f16, OP, 256, 2, 25, 4); \
  VE(f16, OP, 256, 1, 7, 4, 0); VE(f16, OP, 512, 1, 4, 2, 0); VE(f16, OP, 512, 1, 4, 3, 0); VE(f16, OP, 128, 2, 7, 8, 0); \
  BU(f16, OP, 256, 1, 8, 0, 1, 0); BU(f16, OP, 512, 1, 4, 0, 1, 0); BU(f16, OP, 256, 1, 8, 2, 1, 0); BU(f16, OP, 512, 1, 4, 2, 1, 0); BU(f16, OP, 512, 1, 4, 1, 1, 0); BU(f16, OP, 256, 1, 8, 3, 1, 0); BU(f16, OP, 512, 1, 4, 3, 1, 0);
  ALS(0) ALS(1) ALS(2)
#define WS(OP) VE(f16, OP, 256, 1, 7, 4, 1); VE(f16, OP, 256, 1, 7, 4, 2); BU(f16, OP, 256, 1, 8, 0, 1, 1); BU(f16, OP, 256, 1, 8, 0, 1, 2); BU(f16, OP, 512, 1, 4, 0, 1, 2);
  WS(1) WS(2)
}
int main() { suite<bf16>("bf16", 4096, 50257, add50257, 2, 15); suite<f16>("f16", 2731, 12289, add12289, 4, 25); return 0; }
