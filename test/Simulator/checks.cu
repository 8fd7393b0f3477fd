// nvcc -ptx -arch=sm_80 -lineinfo: wrong kernels, each with its right twin.
extern "C" __global__ void boundsWrong(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    x[i] = 1;
}
extern "C" __global__ void boundsRight(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 1;
}

extern "C" __global__ void alignWrong(const char *x, float4 *y) {
  y[threadIdx.x] = *(const float4 *)(x + 16 * threadIdx.x + 4);
}
extern "C" __global__ void alignRight(const char *x, float4 *y) {
  y[threadIdx.x] = *(const float4 *)(x + 16 * threadIdx.x + 16);
}

extern "C" __global__ void sharedUnsetWrong(float *y) {
  __shared__ float part[64];
  if (threadIdx.x < 63)
    part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = part[63 - threadIdx.x];
}
extern "C" __global__ void sharedUnsetRight(float *y) {
  __shared__ float part[64];
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = part[63 - threadIdx.x];
}

extern "C" __global__ void raceWrong(float *y) {
  __shared__ float part[64];
  part[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = part[63 - threadIdx.x];
}
extern "C" __global__ void raceWarpWrong(float *y) {
  __shared__ float part[32];
  part[threadIdx.x] = threadIdx.x;
  __shfl_sync(~0u, threadIdx.x, 0);
  y[threadIdx.x] = part[31 - threadIdx.x];
}
extern "C" __global__ void raceWarpRight(float *y) {
  __shared__ float part[32];
  part[threadIdx.x] = threadIdx.x;
  __syncwarp();
  y[threadIdx.x] = part[31 - threadIdx.x];
}
extern "C" __global__ void raceReuseWrong(float *y) {
  __shared__ float part;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == i)
      part = i;
    __syncthreads();
    y[threadIdx.x] = part;
  }
}
extern "C" __global__ void raceReuseRight(float *y) {
  __shared__ float part;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == i)
      part = i;
    __syncthreads();
    y[threadIdx.x] = part;
    __syncthreads();
  }
}

extern "C" __global__ void barrierWrong(float *y) {
  y[threadIdx.x] = 0;
  if (threadIdx.x < 40)
    __syncthreads();
  y[threadIdx.x] = 1;
}
extern "C" __global__ void barrierRight(float *y) {
  y[threadIdx.x] = 0;
  if (blockIdx.x < 40)
    __syncthreads();
  y[threadIdx.x] = 1;
}

extern "C" __global__ void deadlockWrong(float *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 96;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  y[threadIdx.x] = 1;
}
extern "C" __global__ void deadlockRight(float *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 1, 64;" ::: "memory");
  y[threadIdx.x] = 1;
}

extern "C" __global__ void shuffleWrong(int *y) {
  int value = threadIdx.x;
  if (threadIdx.x < 16)
    value = __shfl_sync(~0u, value, 3);
  else
    value = __shfl_sync(~0u, value, 5) + 1;
  y[threadIdx.x] = value;
}
extern "C" __global__ void shuffleRight(int *y) {
  int value = threadIdx.x;
  if (threadIdx.x < 16)
    value = __shfl_sync(0xffffu, value, 3);
  else
    value = __shfl_sync(0xffff0000u, value, 21) + 1;
  y[threadIdx.x] = value;
}

extern "C" __global__ void endlessWrong(volatile int *y) {
  while (y[0] == 0)
    ;
}
extern "C" __global__ void trapWrong(int *y) {
  if (y[threadIdx.x] == 7)
    __trap();
}
