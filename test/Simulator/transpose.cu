// nvcc -ptx -arch=sm_80 -lineinfo
extern "C" __global__ void transpose(const float *x, float *y, int rows, int columns) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  if (row < rows && column < columns)
    tile[threadIdx.y][threadIdx.x] = x[row * columns + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  if (row < columns && column < rows)
    y[row * rows + column] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transposeConflicts(const float *x, float *y) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
