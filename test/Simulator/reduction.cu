// nvcc -ptx -arch=sm_90 -lineinfo
extern "C" __global__ void sum(const int *x, int *total, int *most, float *realTotal, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? x[i] : 0;
  int warpSum = __reduce_add_sync(~0u, value);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, warpSum);
    atomicAdd(realTotal, float(warpSum));
  }
  if (i < n)
    atomicMax(most, x[i]);
}

extern "C" __global__ void histogram(const unsigned *x, unsigned *bins, int n) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void ballots(const int *x, unsigned *votes, int *matches) {
  int i = threadIdx.x;
  unsigned ballot = __ballot_sync(~0u, x[i] > 3);
  if (__any_sync(~0u, x[i] > 3) && i % 32 == 0)
    votes[i / 32] = ballot;
  matches[i] = __match_any_sync(~0u, x[i]);
}

// Each lane takes the lock in turn: whoever waits must not keep the holder from going on.
extern "C" __global__ void locked(int *lock, int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      volatile int *place = counter;
      *place = *place + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
