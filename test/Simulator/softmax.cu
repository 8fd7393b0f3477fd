// nvcc -ptx -arch=sm_80 -lineinfo
extern "C" __global__ void softmax(const float *x, float *y, int n) {
  __shared__ float part[32];
  const float *row = x + (size_t)blockIdx.x * n;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, row[i]);
  for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
  __syncthreads();
  m = part[0];
  for (int w = 1; w < blockDim.x / 32; ++w) m = fmaxf(m, part[w]);
  __syncthreads();
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += __expf(row[i] - m);
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) s += part[w];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[(size_t)blockIdx.x * n + i] = __expf(row[i] - m) / s;
}
