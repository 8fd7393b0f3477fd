// nvcc -ptx -arch=sm_90 -lineinfo
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *c) {
  int i = threadIdx.x;
  c[4 * i] = __hadd2(a[i], b[i]);
  c[4 * i + 1] = __hmul2(a[i], b[i]);
  c[4 * i + 2] = __hfma2(a[i], b[i], a[i]);
  c[4 * i + 3] = __hmin2(a[i], b[i]);
}

extern "C" __global__ void bfloats(const float *a, const float *b, __nv_bfloat162 *c, float *d) {
  int i = threadIdx.x;
  __nv_bfloat162 x = __floats2bfloat162_rn(a[i], b[i]);
  c[2 * i] = x;
  c[2 * i + 1] = __hfma2(x, x, x);
  d[i] = __bfloat162float(x.x) + __bfloat162float(x.y);
}
