//===- fragments.cu - Asks a GPU which thread holds which element ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Call: fragments fragments.txt
//
// For each element (m, k) of A the thread that holds it according to the table
// puts a 1 there, all else of A is 0. B[k][n] is a number that no other element
// has, so the product has row k of B in its row m and 0 elsewhere; the table says
// where. mma.sync would not notice A and B agreeing on another order of k, so
// ldmatrix, which reads rows of memory, and wgmma, whose B is in memory, have to
// agree with the table too.
//
// Prints what differs and "N checks, M failed".

#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Place {
  int row, column;
};

/// [warp][lane][element] of one operand.
struct Table {
  int rows = 0, columns = 0, elements = 0, warps = 1;
  std::vector<Place> places;
};

static int checks = 0, failed = 0;

static void report(const std::string &name, int wrong, int of) {
  ++checks;
  if (wrong == 0)
    return;
  ++failed;
  std::printf("FAIL %s: %d of %d elements are not where the table says\n", name.c_str(), wrong, of);
}

static bool holds(cudaError_t status, const std::string &what) {
  if (status == cudaSuccess)
    return true;
  ++checks;
  ++failed;
  std::printf("FAIL %s: %s\n", what.c_str(), cudaGetErrorString(status));
  return false;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The exclusive or of the images of the bits of `number`.
static Place image(const std::vector<Place> &bits, unsigned number) {
  Place sum = {0, 0};
  for (size_t bit = 0; bit < bits.size(); ++bit)
    if (number >> bit & 1)
      sum = {sum.row ^ bits[bit].row, sum.column ^ bits[bit].column};
  return sum;
}

static Table expand(std::istringstream &line) {
  Table table;
  std::map<std::string, std::vector<Place>> bits;
  std::string word, part;
  line >> table.rows >> table.columns;
  while (line >> word) {
    Place place;
    if (std::sscanf(word.c_str(), "%d,%d", &place.row, &place.column) == 2)
      bits[part].push_back(place);
    else
      part = word;
  }
  table.warps = 1 << bits["warp"].size();
  std::vector<unsigned> live;
  for (unsigned element = 0; element < 1u << bits["register"].size(); ++element)
    if (image(bits["register"], element).column < table.columns)
      live.push_back(element);
  table.elements = static_cast<int>(live.size());
  for (int warp = 0; warp < table.warps; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned element : live) {
        Place of[] = {image(bits["register"], element), image(bits["lane"], lane),
                      image(bits["warp"], warp)};
        table.places.push_back(
            {of[0].row ^ of[1].row ^ of[2].row, of[0].column ^ of[1].column ^ of[2].column});
      }
  return table;
}

static std::map<std::string, Table> readTables(const char *path) {
  std::map<std::string, Table> tables;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string name;
    if (line >> name && name[0] != '#')
      tables[name] = expand(line);
  }
  return tables;
}

/// A table on the device.
static Place *upload(const Table &table) {
  Place *places = nullptr;
  size_t bytes = table.places.size() * sizeof(Place);
  if (!holds(cudaMalloc(&places, bytes), "allocate") ||
      !holds(cudaMemcpy(places, table.places.data(), bytes, cudaMemcpyHostToDevice), "copy"))
    return nullptr;
  return places;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// B[k][n]: exact in f16, no two alike, none 0.
__device__ float codeOf(int k, int n) {
  float size = static_cast<float>(k * 128 + n % 128 + 1);
  return n < 128 ? size : -size;
}

/// Elements 2 i and 2 i + 1 of a thread, as a register has them.
__device__ uint32_t packed(float low, float high) {
  __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<uint32_t *>(&pair);
}

/// What of A this thread holds if A[row][column] alone is 1.
__device__ void oneHot(const Place *mine, Place at, uint32_t (&a)[4]) {
  for (int i = 0; i < 4; ++i) {
    auto value = [&](int element) {
      return mine[element].row == at.row && mine[element].column == at.column ? 1.0f : 0.0f;
    };
    a[i] = packed(value(2 * i), value(2 * i + 1));
  }
}

__device__ void compare(const float *d, const Place *mine, int elements, Place at, int *wrong) {
  for (int i = 0; i < elements; ++i) {
    float expected = mine[i].row == at.row ? codeOf(at.column, mine[i].column) : 0.0f;
    if (d[i] != expected)
      atomicAdd(wrong, 1);
  }
}

__global__ void mma(const Place *aPlaces, const Place *bPlaces, const Place *dPlaces, int *wrong) {
  const Place *a = aPlaces + 8 * threadIdx.x, *b = bPlaces + 4 * threadIdx.x;
  uint32_t bWords[2];
  for (int i = 0; i < 2; ++i)
    bWords[i] = packed(codeOf(b[2 * i].row, b[2 * i].column),
                       codeOf(b[2 * i + 1].row, b[2 * i + 1].column));
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      uint32_t aWords[4];
      oneHot(a, {row, column}, aWords);
      float d[4];
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                   "{%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                   : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                   : "r"(aWords[0]), "r"(aWords[1]), "r"(aWords[2]), "r"(aWords[3]), "r"(bWords[0]),
                     "r"(bWords[1]), "f"(0.0f));
      compare(d, dPlaces + 4 * threadIdx.x, 4, {row, column}, wrong);
    }
}

/// ldmatrix of the four (two) 8 x 8 parts of A (B) in memory, row by row.
__global__ void loadMatrix(const Place *aPlaces, const Place *bPlaces, int *wrong) {
  __shared__ __align__(16) __half a[16][16], b[16][8];
  int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32)
    a[i / 16][i % 16] = __float2half(static_cast<float>(i + 1));
  for (int i = lane; i < 128; i += 32)
    b[i / 8][i % 8] = __float2half(static_cast<float>(i + 1));
  __syncwarp();
  uint32_t aWords[4], bWords[2];
  // Lane 8 p + r has the address of row r of part p; parts of A go down first.
  auto aRow = static_cast<uint32_t>(__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8]));
  auto bRow = static_cast<uint32_t>(__cvta_generic_to_shared(&b[lane % 16][0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(aWords[0]), "=r"(aWords[1]), "=r"(aWords[2]), "=r"(aWords[3])
               : "r"(aRow));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(bWords[0]), "=r"(bWords[1])
               : "r"(bRow));
  const auto *aHalves = reinterpret_cast<const __half *>(aWords);
  const auto *bHalves = reinterpret_cast<const __half *>(bWords);
  for (int i = 0; i < 8; ++i) {
    Place at = aPlaces[8 * lane + i];
    if (__half2float(aHalves[i]) != static_cast<float>(16 * at.row + at.column + 1))
      atomicAdd(wrong, 1);
  }
  for (int i = 0; i < 4; ++i) {
    Place at = bPlaces[4 * lane + i];
    if (__half2float(bHalves[i]) != static_cast<float>(8 * at.row + at.column + 1))
      atomicAdd(wrong + 1, 1);
  }
}

// wgmma needs the names of all accumulators: d00 to d07, d10 to ... df7, 8 in a
// row of 32 bytes.
#define NAMES4(r) "d" #r "0, d" #r "1, d" #r "2, d" #r "3"
#define NAMES8(r) NAMES4(r) ", d" #r "4, d" #r "5, d" #r "6, d" #r "7"
#define NAMES16 NAMES8(0) ", " NAMES8(1)
#define NAMES32 NAMES8(0) ", " NAMES8(1) ", " NAMES8(2) ", " NAMES8(3)
#define NAMES48 NAMES32 ", " NAMES8(4) ", " NAMES8(5)
#define NAMES64 NAMES48 ", " NAMES8(6) ", " NAMES8(7)
#define NAMES128                                                                                   \
  NAMES64 ", " NAMES8(8) ", " NAMES8(9) ", " NAMES8(a) ", " NAMES8(b) ", " NAMES8(c) ", " NAMES8(  \
      d) ", " NAMES8(e) ", " NAMES8(f)
#define STORE4(r, at) "st.global.v4.f32 [%5+" #at "], {" NAMES4(r) "};\n"
#define STORE8(r, at, next)                                                                        \
  STORE4(r, at) "st.global.v4.f32 [%5+" #next "], {d" #r "4, d" #r "5, d" #r "6, d" #r "7};\n"
#define STORES16 STORE8(0, 0, 16) STORE8(1, 32, 48)
#define STORES32 STORES16 STORE8(2, 64, 80) STORE8(3, 96, 112)
#define STORES48 STORES32 STORE8(4, 128, 144) STORE8(5, 160, 176)
#define STORES64 STORES48 STORE8(6, 192, 208) STORE8(7, 224, 240)
#define STORES128                                                                                  \
  STORES64 STORE8(8, 256, 272) STORE8(9, 288, 304) STORE8(a, 320, 336) STORE8(b, 352, 368)         \
      STORE8(c, 384, 400) STORE8(d, 416, 432) STORE8(e, 448, 464) STORE8(f, 480, 496)

#define WGMMA(N, NAMES, STORES)                                                                    \
  template <>                                                                                      \
  __device__ void multiply<N>(const uint32_t (&a)[4], uint64_t b, float *d) {                      \
    asm volatile("{ .reg .pred add; .reg .f32 " NAMES ";\n"                                        \
                 "setp.ne.b32 add, 0, 0;\n"                                                        \
                 "wgmma.fence.sync.aligned;\n"                                                     \
                 "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" NAMES                  \
                 "}, {%0, %1, %2, %3}, %4, add, 1, 1, 0;\n"                                        \
                 "wgmma.commit_group.sync.aligned;\n"                                              \
                 "wgmma.wait_group.sync.aligned 0;\n" STORES "}" ::"r"(a[0]),                      \
                 "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "l"(d)                                   \
                 : "memory");                                                                      \
  }

/// The product of a warpgroup's A and the B of a descriptor, stored to `d`.
template <int N>
__device__ void multiply(const uint32_t (&a)[4], uint64_t b, float *d);

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
WGMMA(8, NAMES4(0), STORE4(0, 0))
WGMMA(16, NAMES8(0), STORE8(0, 0, 16))
WGMMA(24, NAMES8(0) ", " NAMES4(1), STORE8(0, 0, 16) STORE4(1, 32))
WGMMA(64, NAMES32, STORES32)
WGMMA(96, NAMES48, STORES48)
WGMMA(128, NAMES64, STORES64)
WGMMA(256, NAMES128, STORES128)
#endif

template <int N>
__global__ void wgmma(const Place *aPlaces, const Place *dPlaces, float *d, int *wrong) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  // B column by column in 8 x 16-byte parts without a swizzle: the two parts of
  // the 16 k of 8 columns follow each other, then come the next 8 columns.
  __shared__ __align__(128) __half b[N * 16];
  for (int i = threadIdx.x; i < N * 16; i += 128) {
    int k = i % 8 + i / 64 % 2 * 8, n = i / 8 % 8 + i / 128 * 8;
    b[i] = __float2half(codeOf(k, n));
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // The address, 128 bytes to the next k, 256 to the next n, all over 16.
  uint64_t descriptor = (__cvta_generic_to_shared(b) & 0x3FFFF) >> 4 | uint64_t(128 >> 4) << 16 |
                        uint64_t(256 >> 4) << 32;
  float *mine = d + threadIdx.x * (N / 2);
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 16; ++column) {
      uint32_t a[4];
      oneHot(aPlaces + 8 * threadIdx.x, {row, column}, a);
      __syncthreads(); // The warps went their own ways in compare.
      multiply<N>(a, descriptor, mine);
      compare(mine, dPlaces + N / 2 * threadIdx.x, N / 2, {row, column}, wrong);
    }
#endif
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Runs `launch`, which counts what is wrong in two numbers.
template <typename Launch>
static bool count(const std::string &name, int (&wrong)[2], Launch launch) {
  int *counters = nullptr;
  if (!holds(cudaMalloc(&counters, sizeof(wrong)), name) ||
      !holds(cudaMemset(counters, 0, sizeof(wrong)), name))
    return false;
  launch(counters);
  bool ran = holds(cudaGetLastError(), name) && holds(cudaDeviceSynchronize(), name) &&
             holds(cudaMemcpy(wrong, counters, sizeof(wrong), cudaMemcpyDeviceToHost), name);
  cudaFree(counters);
  return ran;
}

static bool isTable(const Table &table, int elements, int warps) {
  return table.elements == elements && table.warps == warps;
}

static void checkMma(std::map<std::string, Table> &tables) {
  const Table &a = tables["mma.m16n8k16.a"], &b = tables["mma.m16n8k16.b"],
              &d = tables["mma.m16n8k16.d"];
  if (!isTable(a, 8, 1) || !isTable(b, 4, 1) || !isTable(d, 4, 1))
    return report("the tables of mma.m16n8k16", 1, 1);
  Place *places[] = {upload(a), upload(b), upload(d)};
  int wrong[2] = {};
  if (count("mma.m16n8k16", wrong,
            [&](int *counters) { mma<<<1, 32>>>(places[0], places[1], places[2], counters); }))
    report("mma.m16n8k16", wrong[0], 256 * 128);
  if (count("ldmatrix", wrong,
            [&](int *counters) { loadMatrix<<<1, 32>>>(places[0], places[1], counters); })) {
    report("ldmatrix of A", wrong[0], 256);
    report("ldmatrix of B", wrong[1], 128);
  }
  for (Place *place : places)
    cudaFree(place);
}

template <int N>
static void checkWgmma(std::map<std::string, Table> &tables) {
  std::string name = "wgmma.m64n" + std::to_string(N) + "k16";
  const Table &a = tables["wgmma.m64k16.a"], &d = tables[name + ".d"];
  if (!isTable(a, 8, 4) || !isTable(d, N / 2, 4))
    return report("the tables of " + name, 1, 1);
  Place *places[] = {upload(a), upload(d)};
  float *product = nullptr;
  int wrong[2] = {};
  if (holds(cudaMalloc(&product, 64 * N * sizeof(float)), name) &&
      count(name, wrong,
            [&](int *counters) { wgmma<N><<<1, 128>>>(places[0], places[1], product, counters); }))
    report(name, wrong[0], 1024 * 64 * N);
  cudaFree(product);
  for (Place *place : places)
    cudaFree(place);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fragments fragments.txt\n");
    return 2;
  }
  std::map<std::string, Table> tables = readTables(argv[1]);
  cudaDeviceProp properties;
  if (!holds(cudaGetDeviceProperties(&properties, 0), "the device")) {
    std::printf("1 checks, 1 failed\n");
    return 1;
  }
  checkMma(tables);
  if (properties.major == 9) {
    checkWgmma<8>(tables);
    checkWgmma<16>(tables);
    checkWgmma<24>(tables);
    checkWgmma<64>(tables);
    checkWgmma<96>(tables);
    checkWgmma<128>(tables);
    checkWgmma<256>(tables);
  } else {
    std::printf("wgmma: not checked, the device is sm_%d%d\n", properties.major, properties.minor);
  }
  std::printf("%d checks, %d failed\n", checks, failed);
  return failed != 0;
}
