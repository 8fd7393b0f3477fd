//===- TensorMapTest.cpp - Copies of tensors through the driver ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverLibrary.h"

#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

using namespace fsm::driver;

namespace {

/// Numbers of CUtensorMapDataType.
enum : unsigned { kU8 = 0, kU16 = 1, kS32 = 3, kF16 = 6, kF32 = 7 };
/// Those of CUtensorMapSwizzle, by bytes.
unsigned swizzleOf(unsigned span) { return span == 128 ? 3 : span == 64 ? 2 : span == 32 ? 1 : 0; }

struct alignas(64) Map {
  unsigned char bytes[128];
};

/// The arguments of cuTensorMapEncodeTiled that tests vary.
struct Tensor {
  unsigned type = kU16, rank = 2;
  CUdeviceptr address = 0;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box;
  unsigned span = 16, fill = 0;
  std::vector<uint32_t> steps{1, 1, 1, 1, 1};
  unsigned interleave = 0, promotion = 2;

  int encode(void *map) const {
    return cu("cuTensorMapEncodeTiled", map, type, rank, reinterpret_cast<void *>(address),
              sizes.data(), strides.data(), box.data(), steps.data(), interleave, swizzleOf(span),
              promotion, fill);
  }
};

class TensorMapTest : public DriverTest {
protected:
  void renew() {
    cu("cuCtxDestroy_v2", context);
    reports();
    ASSERT_EQ(cu("cuCtxCreate_v2", &context, 0u, 0), CUDA_SUCCESS);
  }
  template <typename T>
  CUdeviceptr upload(const std::vector<T> &values) {
    CUdeviceptr address = alloc(values.size() * sizeof(T));
    const void *from = values.data();
    EXPECT_EQ(cu("cuMemcpyHtoD_v2", address, from, values.size() * sizeof(T)), CUDA_SUCCESS);
    return address;
  }
  template <typename T>
  std::vector<T> download(CUdeviceptr address, size_t count) {
    std::vector<T> values(count);
    void *to = values.data();
    EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, address, count * sizeof(T)), CUDA_SUCCESS);
    return values;
  }
  Map encode(const Tensor &tensor) {
    Map map;
    EXPECT_EQ(tensor.encode(&map), CUDA_SUCCESS) << reports();
    return map;
  }

  /// Runs 128 threads around a body with the map at %m, y at %y and `tile` of 8192 bytes; what is
  /// reported.
  std::string run(const std::string &body, Map map, CUdeviceptr y) {
    CUmodule module = load(
        ".version 8.6\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 y) {\n"
        ".reg .b64 %m, %y, %d<8>; .reg .b32 %r<8>, %tidx; .reg .pred %p<8>;\n"
        ".shared .align 1024 .b8 tile[8192]; .shared .align 8 .b64 bar;\n"
        "mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %y, [y]; mov.u32 %tidx, %tid.x;\n"
        "setp.ne.u32 %p0, %tidx, 0; @!%p0 mbarrier.init.shared.b64 [bar], 1;\n"
        "fence.mbarrier_init.release.cluster; bar.sync 0;\n" +
        body + "\nret; }");
    launch(find(module, "k"), 1, 128, {&map, &y});
    return reports();
  }
  /// Words of `tile` to y.
  static std::string show(unsigned bytes) {
    return "mov.u32 %r1, tile; shl.b32 %r2, %tidx, 2; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r2; "
           "add.s64 %d1, %d1, %y;\n"
           "SHOW: setp.ge.u32 %p2, %r2, " +
           std::to_string(bytes) +
           "; @%p2 bra SHOWN; ld.shared.b32 %r3, [%r1]; st.global.b32 [%d1], %r3; "
           "add.u32 %r1, %r1, 512; add.u32 %r2, %r2, 512; add.s64 %d1, %d1, 512; bra SHOW;\n"
           "SHOWN:";
  }
  static std::string fetch(unsigned rank, const std::string &indices, unsigned bytes) {
    return "@%p0 bra ISSUED; mbarrier.arrive.expect_tx.shared.b64 _, [bar], " +
           std::to_string(bytes) + "; cp.async.bulk.tensor." + std::to_string(rank) +
           "d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile], [%m, {" + indices +
           "}], [bar];\nISSUED: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; "
           "@!%p1 bra ISSUED;\n";
  }
};

constexpr unsigned kPitch = 104, kColumns = 100, kRows = 37;

/// 37 rows of 100 numbers of 16 bits, none of them 0, with four others behind each.
std::vector<uint16_t> numbers() {
  std::vector<uint16_t> all(kPitch * kRows, 0xdead);
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column)
      all[row * kPitch + column] = static_cast<uint16_t>(1 + row * kColumns + column);
  return all;
}

Tensor matrixAt(CUdeviceptr address, uint32_t columns, uint32_t rows, unsigned span) {
  Tensor tensor;
  tensor.address = address;
  tensor.sizes = {kColumns, kRows};
  tensor.strides = {kPitch * 2};
  tensor.box = {columns, rows};
  tensor.span = span;
  return tensor;
}

/// Which piece of a row of so many bytes holds which, in the swizzle of that span.
unsigned swizzled(unsigned piece, unsigned row, unsigned span) {
  return span == 128 ? piece ^ row % 8 : span == 64 ? piece ^ row / 2 % 4 : piece ^ row / 4 % 2;
}

TEST_F(TensorMapTest, boxesAreSwizzledAndFilled) {
  const std::vector<uint16_t> all = numbers();
  for (unsigned span : {128u, 64u, 32u, 16u})
    for (auto [left, top] : {std::pair(0, 0), std::pair(-8, 30), std::pair(90, -3), std::pair(104, 5)}) {
      renew();
      const unsigned row = span == 16 ? 48 : span, columns = row / 2, rows = 16;
      Tensor tensor = matrixAt(upload(all), columns, rows, span);
      CUdeviceptr y = alloc(row * rows);
      const std::string at = std::to_string(left) + ", " + std::to_string(top);
      EXPECT_EQ(run(fetch(2, at, row * rows) + show(row * rows), encode(tensor), y), "");
      std::vector<uint16_t> found = download<uint16_t>(y, columns * rows), expected;
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c) {
          // Each swizzle is its own inverse.
          unsigned piece = span == 16 ? c / 8 : swizzled(c / 8, r, span);
          int column = left + int(piece * 8 + c % 8), line = top + int(r);
          bool isInside =
              column >= 0 && column < int(kColumns) && line >= 0 && line < int(kRows);
          expected.push_back(isInside ? all[unsigned(line) * kPitch + unsigned(column)] : 0);
        }
      EXPECT_EQ(found, expected) << span << " at " << at;
    }
}

TEST_F(TensorMapTest, otherRanksAndNaN) {
  std::vector<uint32_t> words(3 * 4 * 5 * 8);
  for (unsigned i = 0; i < words.size(); ++i)
    words[i] = i + 1;
  Tensor tensor;
  tensor.type = kF32;
  tensor.rank = 4;
  tensor.address = upload(words);
  tensor.sizes = {8, 5, 4, 3};
  tensor.strides = {32, 160, 640};
  tensor.box = {4, 2, 2, 2};
  tensor.fill = 1;
  CUdeviceptr y = alloc(128);
  EXPECT_EQ(run(fetch(4, "4, 4, 1, 2", 128) + show(128), encode(tensor), y), "");
  std::vector<uint32_t> expected;
  for (unsigned d = 2; d < 4; ++d)
    for (unsigned c = 1; c < 3; ++c)
      for (unsigned b = 4; b < 6; ++b)
        for (unsigned a = 4; a < 8; ++a)
          expected.push_back(d < 3 && b < 5 ? words[((d * 4 + c) * 5 + b) * 8 + a] : 0x7fffffff);
  EXPECT_EQ(download<uint32_t>(y, 32), expected);
  renew();
  Tensor row;
  row.type = kS32;
  row.rank = 1;
  row.address = upload(words);
  row.sizes = {words.size()};
  row.box = {16};
  y = alloc(64);
  EXPECT_EQ(run("cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%m, {3}];" +
                    fetch(1, "473", 64) + show(64),
                encode(row), y),
            "");
  expected.assign(words.begin() + 473, words.end());
  expected.resize(16, 0);
  EXPECT_EQ(download<uint32_t>(y, 16), expected);
}

/// 64 numbers a row and 8 rows of 7, behind a fence.
const std::string kFill = "mov.u32 %r4, tile; shl.b32 %r5, %tidx, 3; add.u32 %r4, %r4, %r5; "
                          "st.shared.v2.b32 [%r4], {0x70007, 0x70007}; ",
                  kProxy = "fence.proxy.async.shared::cta; ",
                  kStore = "@%p0 bra STORED; cp.async.bulk.tensor.2d.global.shared::cta.tile."
                           "bulk_group [%m, {8, 31}], [tile]; cp.async.bulk.commit_group; ",
                  kEnd = "cp.async.bulk.wait_group 0; STORED:";

TEST_F(TensorMapTest, storesAreClipped) {
  std::vector<uint16_t> expected = numbers();
  Tensor tensor = matrixAt(upload(expected), 64, 8, 128);
  EXPECT_EQ(run(kFill + kProxy + "bar.sync 0; " + kStore + kEnd, encode(tensor), 0), "");
  for (unsigned row = 31; row < kRows; ++row)
    std::fill_n(expected.begin() + row * kPitch + 8, 64, uint16_t(7));
  EXPECT_EQ(download<uint16_t>(tensor.address, expected.size()), expected);
}

TEST_F(TensorMapTest, updatesAddToWhatIsThere) {
  std::vector<uint16_t> expected = numbers();
  Tensor tensor = matrixAt(upload(expected), 64, 8, 128);
  const std::string update = "@%p0 bra STORED; cp.reduce.async.bulk.tensor.2d.global.shared::cta."
                             "add.tile.bulk_group [%m, {8, 31}], [tile]; ";
  EXPECT_EQ(run(kFill + kProxy + "bar.sync 0; " + update + update.substr(17) +
                    "cp.async.bulk.commit_group; " + kEnd,
                encode(tensor), 0),
            "");
  for (unsigned row = 31; row < kRows; ++row)
    for (unsigned column = 8; column < 72; ++column)
      expected[row * kPitch + column] += 14;
  EXPECT_EQ(download<uint16_t>(tensor.address, expected.size()), expected);
}

TEST_F(TensorMapTest, wrongCopiesAreReported) {
  auto expectReport = [&](const std::string &part, const std::string &body,
                          const std::function<void(Tensor &)> &change = nullptr) {
    for (long landing : {1, 2, 3}) {
      renew();
      configure("landing", landing);
      Tensor tensor = matrixAt(upload(numbers()), 64, 8, 128);
      if (change)
        change(tensor);
      const std::string found = run(body, encode(tensor), alloc(8192));
      EXPECT_NE(found.find(part), found.npos) << body << "\n" << found;
    }
  };
  const std::string load = fetch(2, "0, 0", 1024);
  expectReport("missing proxy fence: copies byte 0 of shared memory",
               kFill + "bar.sync 0; " + kStore + kEnd);
  auto storedAt = [](const std::string &indices) {
    std::string store = kStore;
    return kFill + kProxy + "bar.sync 0; " + store.replace(store.find("8, 31"), 5, indices) + kEnd;
  };
  expectReport("stores a box that begins below 0, where a GPU ends with an illegal instruction",
               storedAt("-8, 31"));
  expectReport("stores a box that begins below 0, where a GPU ends with an illegal instruction",
               storedAt("8, -1"));
  expectReport("stores rows that the tensor cuts inside of 16 bytes, of which a GPU stores all",
               storedAt("42, 31"));
  expectReport("the kernel ends and the thread has not waited for this copy",
               kFill + kProxy + "bar.sync 0; " + kStore + "STORED:");
  expectReport("0 of 1 arrivals and 1024 bytes are missing; it expects 2048 bytes, got 1024",
               fetch(2, "0, 0", 2048));
  expectReport("reads byte 0 of shared memory",
               load.substr(0, load.find("ISSUED:")) + "ld.shared.u32 %r3, [tile]; ISSUED: " +
                   load.substr(load.find("ISSUED:") + 7));
  expectReport("there is no tensor map here: cuTensorMapEncodeTiled makes one",
               "mov.b64 %m, %y; @!%p0 st.global.u64 [%y], 0; bar.sync 0; " + load);
  expectReport("takes the map of a tensor of rank 2 for one of rank 3", fetch(3, "0, 0, 0", 1024));
  expectReport("writes 32768 bytes, 24568 bytes past the end of shared memory",
               fetch(2, "0, 0", 32768), [](Tensor &tensor) { tensor.box[1] = 256; });
  expectReport("misaligned: writes 1024 bytes at an address that is no multiple of 128",
               std::string(load).replace(load.find("[tile]"), 6, "[tile+64]"));
  expectReport("out of bounds: reads 128 bytes, ", fetch(2, "0, 32", 1024),
               [](Tensor &tensor) { tensor.sizes[1] = kRows + 1; });
}

/// Rank 0 brings a box to both blocks, whose mbarriers count it each.
TEST_F(TensorMapTest, multicast) {
  auto runs = [&](const std::string &mask, const std::string &meet, std::vector<uint16_t> *found) {
    renew();
    Tensor tensor = matrixAt(upload(numbers()), 64, 8, 128);
    Map map = encode(tensor);
    CUdeviceptr y = alloc(2048);
    CUmodule module = load(
        ".version 8.6\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 y)\n"
        ".explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n"
        ".reg .b64 %m, %y, %d<8>; .reg .b32 %r<8>, %tidx; .reg .pred %p<8>; .reg .b16 %h;\n"
        ".shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
        "mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %y, [y]; mov.u32 %tidx, %tid.x;\n"
        "mov.u32 %r6, %cluster_ctarank; mul.wide.u32 %d2, %r6, 1024; add.s64 %y, %y, %d2;\n"
        "setp.ne.u32 %p0, %tidx, 0; @%p0 bra MADE; mbarrier.init.shared.b64 [bar], 1;\n"
        "fence.mbarrier_init.release.cluster; "
        "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\nMADE: " +
        meet + "setp.ne.u32 %p3, %r6, 0; or.pred %p3, %p3, %p0; @%p3 bra ISSUED; mov.u16 %h, " +
        mask +
        "; cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
        "multicast::cluster [tile], [%m, {0, 1}], [bar], %h;\n"
        "ISSUED: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra ISSUED;\n" +
        show(1024) +
        "\nbarrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret; }");
    launch(this->find(module, "k"), 2, 128, {&map, &y});
    std::string said = reports();
    if (said.empty())
      *found = download<uint16_t>(y, 1024);
    return said;
  };
  const std::string meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ";
  std::vector<uint16_t> found, all = numbers();
  EXPECT_EQ(runs("3", meet, &found), "");
  ASSERT_EQ(found.size(), 1024u);
  for (unsigned block = 0; block < 2; ++block)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned c = 0; c < 64; ++c)
        ASSERT_EQ(found[block * 512 + row * 64 + c],
                  all[(row + 1) * kPitch + swizzled(c / 8, row, 128) * 8 + c % 8]);
  EXPECT_NE(runs("5", meet, &found).find("copies to the blocks 0x5 of a cluster of 2"),
            std::string::npos);
  EXPECT_NE(runs("1", meet, &found).find("expects 1024 bytes, got 0"), std::string::npos);
  // Before the other block has made its mbarrier.
  EXPECT_NE(runs("3", "", &found), "");
}

TEST_F(TensorMapTest, argumentsAreChecked) {
  const CUdeviceptr address = upload(numbers());
  Map map;
  auto refuses = [&](const std::string &part, const std::function<void(Tensor &)> &change) {
    Tensor tensor = matrixAt(address, 64, 8, 128);
    change(tensor);
    EXPECT_EQ(tensor.encode(&map), CUDA_ERROR_INVALID_VALUE) << part;
    const std::string found = reports();
    EXPECT_NE(found.find(part), found.npos) << found;
  };
  refuses("no tensorDataType 13", [](Tensor &t) { t.type = 13; });
  refuses("tensorRank is 0", [](Tensor &t) { t.rank = 0; });
  refuses("tensorRank is 6", [](Tensor &t) { t.rank = 6; });
  refuses("a pointer is null", [](Tensor &t) { t.box.clear(), t.box.shrink_to_fit(); });
  refuses("globalAddress is no multiple of 16", [](Tensor &t) { t.address += 8; });
  refuses("globalDim[1] is 0", [](Tensor &t) { t.sizes[1] = 0; });
  refuses("globalDim[0] is 4294967297", [](Tensor &t) { t.sizes[0] = (1ull << 32) + 1; });
  refuses("boxDim[1] is 257", [](Tensor &t) { t.box[1] = 257; });
  refuses("boxDim[1] is 0", [](Tensor &t) { t.box[1] = 0; });
  refuses("elementStrides[1] is 9", [](Tensor &t) { t.steps[1] = 9; });
  refuses("globalStrides[0] is 200", [](Tensor &t) { t.strides[0] = 200; });
  refuses("globalStrides[0] is 1099511627776", [](Tensor &t) { t.strides[0] = 1ull << 40; });
  refuses("a row of the box has 24 bytes; expected a multiple of 16",
          [](Tensor &t) { t.box[0] = 12; });
  refuses("a row of the box has 128 bytes; expected at most the 64 of the swizzle",
          [](Tensor &t) { t.span = 64; });
  refuses("no such interleave", [](Tensor &t) { t.promotion = 4; });
  refuses("oobFill is NaN for a type of integers", [](Tensor &t) { t.fill = 1; });
  Tensor tensor = matrixAt(address, 64, 8, 128);
  EXPECT_EQ(tensor.encode(map.bytes + 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(reports(), "cuTensorMapEncodeTiled: tensorMap is no multiple of 64\n");
  tensor.steps[0] = 2;
  EXPECT_EQ(tensor.encode(&map), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(reports(), "cuTensorMapEncodeTiled: interleaved tensors and steps between elements are "
                       "not simulated\n");
}

//===----------------------------------------------------------------------===//
// A product of tensors
//===----------------------------------------------------------------------===//

unsigned at(unsigned row, unsigned column) { return (5 * row + 3 * column + row * column) % 4; }

class TensorProductTest : public TensorMapTest {
protected:
  Tensor factor(unsigned rows, unsigned columns) {
    constexpr uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200};
    std::vector<uint16_t> all;
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < columns; ++column)
        all.push_back(halves[at(row, column)]);
    Tensor tensor;
    tensor.type = kF16;
    tensor.address = upload(all);
    tensor.sizes = {columns, rows};
    tensor.strides = {columns * 2};
    tensor.box = {64, rows};
    tensor.span = 128;
    return tensor;
  }

  /// c = a b', and what was reported.
  std::string multiply(unsigned steps, unsigned spanOfB, std::vector<float> &c) {
    std::ifstream file(std::string(FSM_SIMULATOR_PTX_DIR) + "/tensors.ptx");
    std::stringstream text;
    text << file.rdbuf();
    CUmodule module = load(text.str());
    Tensor right = factor(32, 64 * steps);
    right.span = spanOfB;
    right.box = {spanOfB / 2, 4096 / spanOfB};
    Map a = encode(factor(64, 64 * steps)), b = encode(right);
    Tensor sums;
    sums.type = kF32;
    sums.address = alloc(64 * 32 * 4);
    sums.sizes = {32, 64};
    sums.strides = {128};
    sums.box = {32, 64};
    sums.span = 128;
    Map to = encode(sums);
    int code = launch(find(module, "product"), 1, 128, {&a, &b, &to, &steps});
    std::string found = reports();
    if (code == CUDA_SUCCESS && found.empty())
      c = download<float>(sums.address, 64 * 32);
    return found;
  }
};

TEST_F(TensorProductTest, aRingOfTensors) {
  for (unsigned steps : {1u, 2u, 5u})
    for (long landing : {1, 2, 3}) {
      renew();
      configure("landing", landing);
      configure("seed", landing + 3 * steps);
      std::vector<float> c, expected;
      EXPECT_EQ(multiply(steps, 128, c), "");
      for (unsigned row = 0; row < 64; ++row)
        for (unsigned column = 0; column < 32; ++column) {
          unsigned sum = 0;
          for (unsigned k = 0; k < 64 * steps; ++k)
            sum += at(row, k) * at(column, k);
          expected.push_back(static_cast<float>(sum));
        }
      EXPECT_EQ(c, expected) << steps;
    }
}

TEST_F(TensorProductTest, everyOmissionIsReported) {
  unsigned number = 0;
  for (bool isThere = true; isThere && number < 100;) {
    renew();
    configure("leave_out", ++number);
    std::vector<float> c;
    std::string found = multiply(5, 128, c);
    isThere = found.find("things to leave out") == found.npos;
    EXPECT_NE(found, "") << number;
  }
  configure("leave_out", 0);
  EXPECT_GT(number, 20u);
}

/// What LLVM makes of the NVVM dialect: y = (a b') v, of small whole numbers without an error.
TEST_F(TensorProductTest, chainedProductsAsLlvmSpellsThem) {
  std::ifstream file(std::string(FSM_SIMULATOR_PTX_DIR) + "/nvvm-wgmma.ptx");
  std::stringstream text;
  text << file.rdbuf();
  CUfunction function = find(load(text.str()), "chained");
  const Map map = encode(factor(64, 64));
  Map a = map, b = map, v = map;
  CUdeviceptr y = alloc(64 * 64 * 4);
  EXPECT_EQ(launch(function, 1, 128, {&a, &b, &v, &y}, 24592), CUDA_SUCCESS);
  EXPECT_EQ(reports(), "");
  std::vector<float> expected;
  unsigned inner[64][64] = {};
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < 64; ++column)
      for (unsigned k = 0; k < 64; ++k)
        inner[row][column] += at(row, k) * at(column, k);
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < 64; ++column) {
      unsigned sum = 0;
      for (unsigned k = 0; k < 64; ++k)
        sum += inner[row][k] * at(k, column);
      expected.push_back(static_cast<float>(sum));
    }
  EXPECT_EQ(download<float>(y, 64 * 64), expected);
}

/// The copy brings rows of 64 bytes, and the product takes them for rows of 128.
TEST_F(TensorProductTest, anotherSwizzleIsReported) {
  std::vector<float> c;
  std::string found = multiply(1, 64, c);
  EXPECT_NE(found.find("by rows of 128 bytes; a copy brought it by rows of 64"), found.npos)
      << found;
}

} // namespace
