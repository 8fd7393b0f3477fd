//===- OwnMapTest.cpp - Tensor maps that kernels make -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverLibrary.h"

using namespace fsm::driver;

namespace {

constexpr unsigned kPitch = 104, kColumns = 100, kRows = 37, kBox = 8;

/// Sets a field of the map at %m.
std::string set(const std::string &field, const std::string &value, const std::string &type = "b32") {
  return "tensormap.replace.tile." + field + ".global.b1024." + type + " [%m], " + value + ";\n";
}

const std::string kZeros = "mov.b64 %d0, 0;\n"
                           "st.global.v2.b64 [%m], {%d0, %d0}; st.global.v2.b64 [%m+16], {%d0, %d0};\n"
                           "st.global.v2.b64 [%m+32], {%d0, %d0}; st.global.v2.b64 [%m+48], {%d0, %d0};\n"
                           "st.global.v2.b64 [%m+64], {%d0, %d0}; st.global.v2.b64 [%m+80], {%d0, %d0};\n"
                           "st.global.v2.b64 [%m+96], {%d0, %d0}; st.global.v2.b64 [%m+112], {%d0, %d0};\n";
const std::string kAddress = set("global_address", "%x", "b64"), kStride = set("global_stride", "0, 208", "b64"),
                  kSize = set("global_dim", "0, 100"), kStep = set("element_stride", "1, 1");
const std::string kFields = kAddress + set("rank", "1") + set("box_dim", "0, 64") + set("box_dim", "1, 8") + kSize +
                            set("global_dim", "1, 37") + kStride + set("element_stride", "0, 1") + kStep +
                            set("elemtype", "1") + set("interleave_layout", "0") + set("swizzle_mode", "0") +
                            set("fill_mode", "0");
const std::string kRelease = "fence.proxy.tensormap::generic.release.gpu;\n";
const std::string kAcquire = "fence.proxy.tensormap::generic.acquire.gpu [%m], 128;\n";
const std::string kCopy =
    "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\n"
    "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile], [%m, {%r4, %r5}], [bar];\n";

class OwnMapTest : public DriverTest {
protected:
  /// What is reported when the first of 32 threads does this, for a box of 8 rows of 64 numbers from row 33 and column 50 on,
  /// and then all wait for it.
  std::string run(const std::string &body) {
    // A failure stays until the context ends.
    cu("cuCtxDestroy_v2", context);
    reports();
    EXPECT_EQ(cu("cuCtxCreate_v2", &context, 0u, 0), CUDA_SUCCESS);
    expected.clear();
    CUmodule module = load(".version 8.6\n.target sm_90a\n.address_size 64\n"
                           ".visible .entry k(.param .u64 map, .param .u64 x, .param .u64 y) {\n"
                           ".reg .b64 %m, %x, %y, %d<4>; .reg .b32 %r<8>, %tidx; .reg .pred %p<4>;\n"
                           ".shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
                           "ld.param.u64 %m, [map]; ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; mov.u32 %tidx, %tid.x;\n"
                           "mov.b32 %r4, 50; mov.b32 %r5, 33; setp.ne.u32 %p0, %tidx, 0;\n"
                           "@!%p0 mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; bar.sync 0;\n"
                           "@%p0 bra WAIT;\n" +
                           body +
                           "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra WAIT;\n"
                           "mov.u32 %r1, tile; shl.b32 %r2, %tidx, 2; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r2;\n"
                           "add.s64 %d1, %d1, %y;\n"
                           "SHOW: ld.shared.b32 %r3, [%r1]; st.global.b32 [%d1], %r3; add.u32 %r1, %r1, 128;\n"
                           "add.u32 %r2, %r2, 128; add.s64 %d1, %d1, 128; setp.lt.u32 %p2, %r2, 1024; @%p2 bra SHOW;\n"
                           "ret; }");
    std::vector<uint16_t> all(kPitch * kRows);
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<uint16_t>(i % 60000 + 1);
    CUdeviceptr map = alloc(128), x = alloc(all.size() * 2), y = alloc(1024);
    const void *from = all.data();
    EXPECT_EQ(cu("cuMemcpyHtoD_v2", x, from, all.size() * 2), CUDA_SUCCESS);
    launch(find(module, "k"), 1, 32, {&map, &x, &y});
    std::string found = reports();
    result.assign(kBox * 64, 0);
    void *to = result.data();
    if (found.empty())
      EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, y, size_t(1024)), CUDA_SUCCESS);
    for (unsigned row = 0; row < kBox; ++row)
      for (unsigned column = 0; column < 64; ++column)
        expected.push_back(row + 33 < kRows && column + 50 < kColumns ? all[(row + 33) * kPitch + column + 50] : 0);
    return found;
  }
  void expectReport(const std::string &body, const char *what) {
    std::string found = run(body);
    EXPECT_NE(found.find(what), found.npos) << found;
  }
  std::string without(std::string text, const std::string &part, const std::string &other = "") {
    return text.replace(text.find(part), part.size(), other);
  }

  std::vector<uint16_t> result, expected;
};

TEST_F(OwnMapTest, aMapThatIsMadeAndFenced) {
  EXPECT_EQ(run(kZeros + kFields + kRelease + kAcquire + kCopy), "");
  EXPECT_EQ(result, expected);
}

TEST_F(OwnMapTest, aFenceIsLeftOut) {
  expectReport(kZeros + kFields + kAcquire + kCopy, "with no fence.proxy.tensormap between");
}

TEST_F(OwnMapTest, nobodyAcquires) {
  expectReport(kZeros + kFields + kRelease + kCopy, "with no fence.proxy.tensormap between");
}

TEST_F(OwnMapTest, aFieldIsSetBehindTheFences) {
  expectReport(kZeros + kFields + kRelease + kAcquire + kSize + kCopy, "with no fence.proxy.tensormap between");
}

TEST_F(OwnMapTest, theReleaseComesTooEarly) {
  expectReport(kZeros + kRelease + kFields + kAcquire + kCopy, "with no fence.proxy.tensormap between");
}

TEST_F(OwnMapTest, aMapIsChangedWhileACopyReadsIt) {
  configure("landing", 2);
  expectReport(kZeros + kFields + kRelease + kAcquire + kCopy + kSize, "while the copy was in flight");
}

TEST_F(OwnMapTest, aFieldIsMissing) {
  expectReport(kZeros + without(kFields, kStep) + kRelease + kAcquire + kCopy, "there is no tensor map here");
}

TEST_F(OwnMapTest, whatIsNoMapAndNoZeros) {
  expectReport("st.global.b64 [%m], %x;\n" + kFields + kRelease + kAcquire + kCopy, "nor zeros of which one can be made");
}

TEST_F(OwnMapTest, whatFieldsCannotHave) {
  const std::string rest = kRelease + kAcquire + kCopy;
  expectReport(kZeros + "add.s64 %x, %x, 8;\n" + kFields + rest, "an address that is no multiple of 16 bytes");
  expectReport(kZeros + without(kFields, kStride, set("global_stride", "0, 200", "b64")) + rest,
               "a stride that is no multiple of 16 bytes");
  expectReport(kZeros + without(kFields, kSize, set("global_dim", "0, 0")) + rest, "a dimension without elements");
  expectReport(kZeros + without(kFields, kStep, set("element_stride", "1, 2")) + rest, "steps between elements");
  expectReport(kZeros + set("rank", "5") + rest, "more than 5 dimensions");
  expectReport(kZeros + set("box_dim", "0, 300") + rest, "a box that has not 1 to 256 elements");
  expectReport(kZeros + set("elemtype", "13") + rest, "no type of elements");
  expectReport(kZeros + set("interleave_layout", "1") + rest, "interleaved lines");
  expectReport(kZeros + set("swizzle_mode", "4") + rest, "no swizzle");
  expectReport(kZeros + set("fill_mode", "2") + rest, "nothing that is outside");
}

} // namespace
