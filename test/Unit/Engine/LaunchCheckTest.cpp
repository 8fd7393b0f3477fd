//===- LaunchCheckTest.cpp - Arguments against a signature ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchCheck.h"

#include "Kernels.h"

#include <limits>
#include <optional>

using namespace fsm;
using namespace fsm::test;

/// The bits of one scalar argument, or nothing when it is refused.
static std::optional<uint64_t> convert(ScalarType type, Argument argument) {
  KernelSignature signature;
  signature.name = "k";
  signature.arguments.push_back({"x", type, 0});
  Result<ArgumentBits> bits = convertArguments(signature, {argument});
  if (!bits)
    return std::nullopt;
  return (*bits)[0];
}

static std::optional<uint64_t> integer(ScalarType type, int64_t value) {
  return convert(type, Argument::integer(value));
}
static std::optional<uint64_t> real(ScalarType type, double value) {
  return convert(type, Argument::real(value));
}

TEST(LaunchCheck, IntegersFitAsSignedOrUnsigned) {
  EXPECT_EQ(integer(ScalarType::I8, -128), 0x80u);
  EXPECT_EQ(integer(ScalarType::I8, 255), 0xFFu);
  EXPECT_FALSE(integer(ScalarType::I8, 256));
  EXPECT_FALSE(integer(ScalarType::I8, -129));
  EXPECT_EQ(integer(ScalarType::I32, 0xFFFFFFFF), 0xFFFFFFFFu);
  EXPECT_FALSE(integer(ScalarType::I32, int64_t(1) << 32));
  EXPECT_EQ(integer(ScalarType::I64, -1), UINT64_MAX);
}

static KernelSignature pointerSignature() {
  KernelSignature signature;
  signature.name = "k";
  signature.arguments.push_back({"x", ScalarType::F32, 1});
  return signature;
}

TEST(LaunchCheck, PromisesOfPointersAreOfBytes) {
  KernelSignature signature = pointerSignature();
  ArgumentFact promise;
  promise.divisible = 64;
  EXPECT_TRUE(checkPromises(signature, {promise}, {4096 + 64}));
  Result<void> checked = checkPromises(signature, {promise}, {4096 + 32});
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find(
                "promises 'fsm.align = 64', but the buffer is not aligned to 64 bytes"),
            std::string::npos)
      << checked.error().message;
}

TEST(LaunchCheck, SaysWhereTheSourceHasAnArgument) {
  ArgumentFact promise;
  promise.divisible = 64;
  KernelSignature signature = pointerSignature();
  signature.arguments[0].place = "k.mlir:3:20";
  Result<void> checked = checkPromises(signature, {promise}, {4096 + 32});
  ASSERT_FALSE(checked);
  std::string end = "\nk.mlir:3:20: note: it is here", message = checked.error().message;
  EXPECT_EQ(message.substr(message.size() - std::min(end.size(), message.size())), end);
}

TEST(LaunchCheck, TruthValuesAreZeroAndOne) {
  EXPECT_EQ(integer(ScalarType::I1, 0), 0u);
  EXPECT_EQ(integer(ScalarType::I1, 1), 1u);
  EXPECT_FALSE(integer(ScalarType::I1, -1));
  EXPECT_FALSE(integer(ScalarType::I1, 2));
}

TEST(LaunchCheck, WholeRealsAreIntegers) {
  EXPECT_EQ(real(ScalarType::I32, 7.0), 7u);
  EXPECT_FALSE(real(ScalarType::I32, 7.5));
  EXPECT_FALSE(real(ScalarType::I64, 1e30));
  EXPECT_FALSE(real(ScalarType::I64, std::numeric_limits<double>::quiet_NaN()));
}

TEST(LaunchCheck, RealsRoundOnceToNearestEven) {
  EXPECT_EQ(real(ScalarType::F16, 1.0 + 0x1p-11), 0x3C00u);           // A tie.
  EXPECT_EQ(real(ScalarType::F16, 1.0 + 0x1p-11 + 0x1p-40), 0x3C01u); // Twice would give the tie.
  EXPECT_EQ(real(ScalarType::BF16, -2.0), 0xC000u);
  EXPECT_EQ(real(ScalarType::F8E4M3FN, 1.0), 0x38u);
  EXPECT_EQ(integer(ScalarType::F32, 16777217), 0x4B800000u); // 2^24 + 1.
}

TEST(LaunchCheck, LargeRealsSaturateOnlyInF8) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(real(ScalarType::F8E4M3FN, 1000.0), 0x7Eu);
  EXPECT_EQ(real(ScalarType::F8E5M2, -1e9), 0xFBu);
  EXPECT_FALSE(real(ScalarType::F16, 65520.0));
  EXPECT_EQ(real(ScalarType::F16, 65519.0), 0x7BFFu);
  EXPECT_EQ(real(ScalarType::F16, infinity), 0x7C00u);
  EXPECT_FALSE(real(ScalarType::F32, 1e39));
  EXPECT_EQ(real(ScalarType::F32, -infinity), 0xFF800000u);
}

TEST(LaunchCheck, GridsAreCountable) {
  KernelSignature signature;
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  expectSuccess(checkGrid(signature, Grid{most, most, 1}));
  EXPECT_FALSE(checkGrid(signature, Grid{most, most, 2}));
  EXPECT_FALSE(checkGrid(signature, Grid{1, 1, -1}));
}

TEST(LaunchCheck, ABufferOfUnknownSizeMayOverlapAll) {
  static char bytes[128];
  auto unknown = Argument::buffer(bytes, Argument::kUnknownSize);
  std::vector<ArgumentFact> facts =
      Engine::factsOf({unknown, Argument::buffer(bytes + 64, 8), Argument::buffer(nullptr, 0)});
  EXPECT_FALSE(facts[0].noAlias);
  EXPECT_FALSE(facts[0].isLarge);
  EXPECT_FALSE(facts[1].noAlias);
  EXPECT_TRUE(facts[2].noAlias);
  facts = Engine::factsOf({Argument::buffer(bytes, 64), Argument::buffer(bytes + 64, 64)});
  EXPECT_TRUE(facts[0].noAlias && facts[1].noAlias);
}
