// nvcc -ptx -arch=sm_80 -lineinfo
extern "C" __global__ void layerNorm(const float *x, float *y, const float *gain, int n, float eps) {
  extern __shared__ float row[];
  __shared__ float2 part[32];
  const float *in = x + (size_t)blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float value = in[i];
    row[i] = value;
    sum += value;
    squares += value * value;
  }
  for (int o = 16; o; o /= 2) {
    sum += __shfl_down_sync(~0u, sum, o);
    squares += __shfl_down_sync(~0u, squares, o);
  }
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0)
    part[warp] = make_float2(sum, squares);
  __syncthreads();
  if (warp == 0) {
    float2 value = lane < blockDim.x / 32 ? part[lane] : make_float2(0, 0);
    for (int o = 16; o; o /= 2) {
      value.x += __shfl_xor_sync(~0u, value.x, o);
      value.y += __shfl_xor_sync(~0u, value.y, o);
    }
    if (lane == 0)
      part[0] = value;
  }
  __syncthreads();
  float mean = part[0].x / n, scale = rsqrtf(part[0].y / n - mean * mean + eps);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[(size_t)blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i];
}

extern "C" __global__ void functions(const float *x, float *y) {
  float v = x[threadIdx.x];
  float *out = y + 10 * threadIdx.x;
  out[0] = expf(v);
  out[1] = logf(fabsf(v) + 1);
  out[2] = sinf(v * 1000);
  out[3] = tanhf(v);
  out[4] = powf(fabsf(v), 1.5f);
  out[5] = erff(v);
  out[6] = sqrtf(fabsf(v));
  out[7] = fmodf(v, 0.7f);
  out[8] = (float)exp((double)v);
  out[9] = v / 3.f;
}

extern "C" __global__ void integers(const long long *x, long long *y) {
  long long v = x[threadIdx.x];
  y[threadIdx.x] = (v / 7 ^ v % 1000003) + (long long)__brevll(v) + __popcll(v) * 3 +
                   __clzll(v) * 5 + (short)v + (signed char)v * 11 + __mul64hi(v, v);
}

extern "C" __global__ void cases(int *y) {
  int i = threadIdx.x, r;
  switch (i % 9) {
  case 0: r = 3; break;
  case 1: r = i * 2; break;
  case 2: r = i ^ 5; break;
  case 3: r = -i; break;
  case 4: r = i * i; break;
  case 5: r = 7 - i; break;
  case 6: r = i / 3; break;
  case 7: r = i << 3; break;
  default: r = 99;
  }
  y[i] = r;
}

extern "C" __global__ void counts(int *y) {
  int third = __syncthreads_count(threadIdx.x % 3 == 0);
  y[threadIdx.x] = third * 4 + __syncthreads_or(threadIdx.x == 5) * 2 + __syncthreads_and(threadIdx.x > 5);
}
