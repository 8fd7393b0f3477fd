// nvcc -ptx -arch=sm_80 -lineinfo
extern "C" __global__ void collatz(const unsigned *x, unsigned *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value = x[i], count = 0;
  while (value != 1) {
    if (value % 2)
      value = 3 * value + 1;
    else
      value /= 2;
    if (++count > 1000)
      break;
  }
  steps[i] = count;
}

__device__ __noinline__ unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (; exponent; --exponent)
    result *= base;
  return result;
}

extern "C" __global__ void powers(unsigned *y) {
  unsigned i = threadIdx.x;
  y[i] = i % 3 ? power(i, i % 7) : power(i, 2) + 1;
}

__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
extern "C" __global__ void local(int *y, int k) {
  int values[8];
  for (int i = 0; i < 8; ++i)
    values[(i * k + threadIdx.x) % 8] = table[i] + i;
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = sum * 7 + values[(i + k) % 8];
  y[threadIdx.x] = sum;
}
