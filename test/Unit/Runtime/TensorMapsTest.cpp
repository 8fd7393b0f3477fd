//===- TensorMapsTest.cpp - Tensors as launches describe them -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

#include "fsm/Runtime/TensorMaps.h"

#include <cstring>

using namespace fsm;
using namespace fsm::cuda;

static LaunchExpression expression(const char *text) {
  std::optional<LaunchExpression> parsed = parseLaunchExpression(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(LaunchExpression());
}

static std::optional<int64_t> valueOf(const char *text, std::vector<int64_t> arguments) {
  return evaluate(expression(text), arguments.data(), arguments.size());
}

TEST(LaunchExpressions, computeOfArguments) {
  EXPECT_EQ(valueOf("7", {}), 7);
  EXPECT_EQ(valueOf("arg1", {3, -5}), -5);
  EXPECT_EQ(valueOf("arg0 8 * arg1 -", {3, 4}), 20);
  EXPECT_EQ(valueOf("arg0 arg1 2 + *", {3, 4}), 18);
  EXPECT_EQ(valueOf("arg2", {3, 4}), std::nullopt);
  EXPECT_EQ(valueOf("arg0 arg1 min", {3, -4}), -4);
  EXPECT_EQ(valueOf("arg0 4 ceildiv", {8}), 2);
  EXPECT_EQ(valueOf("arg0 4 ceildiv", {9}), 3);
  EXPECT_EQ(valueOf("arg0 4 ceildiv", {-9}), -2);
  EXPECT_EQ(valueOf("7 arg0 ceildiv", {0}), std::nullopt);
  EXPECT_EQ(valueOf("7 arg0 ceildiv", {-1}), std::nullopt);
}

TEST(LaunchExpressions, areNothingWhereTheyLeave64Bits) {
  constexpr int64_t most = INT64_MAX, least = INT64_MIN;
  EXPECT_EQ(valueOf("arg0 1 +", {most - 1}), most);
  EXPECT_EQ(valueOf("arg0 1 +", {most}), std::nullopt);
  EXPECT_EQ(valueOf("arg0 1 -", {least + 1}), least);
  EXPECT_EQ(valueOf("arg0 1 -", {least}), std::nullopt);
  EXPECT_EQ(valueOf("0 arg0 -", {least}), std::nullopt);
  EXPECT_EQ(valueOf("arg0 2 *", {int64_t(1) << 61}), int64_t(1) << 62);
  EXPECT_EQ(valueOf("arg0 2 *", {int64_t(1) << 62}), std::nullopt);
  EXPECT_EQ(valueOf("arg0 -1 *", {least}), std::nullopt);
  // Whatever would be done with it next.
  EXPECT_EQ(valueOf("arg0 1 + 1 -", {most}), std::nullopt);
  EXPECT_EQ(valueOf("arg0 1 ceildiv", {least}), least);
  EXPECT_EQ(valueOf("arg0 arg0 ceildiv", {most}), 1);
}

TEST(LaunchExpressions, areReadAsTheyAreWritten) {
  for (const char *text :
       {"7", "-7", "arg12", "arg0 8 * arg1 -", "arg0 arg1 2 + *", "arg0 64 ceildiv 5 min"})
    EXPECT_EQ(launchExpressionText(expression(text)), text);
  for (const char *text : {"", "arg", "arg-1", "7 8", "+", "7 +", "arg0 arg1 / ", "x", "7  8 +"})
    EXPECT_FALSE(parseLaunchExpression(text)) << text;
}

TEST(LaunchExpressions, haveBracketsWhereTheyAreNeeded) {
  const std::pair<const char *, const char *> forms[] = {
      {"7", "7"},
      {"arg1 8 * arg0 +", "%n * 8 + %m"},
      {"arg0 arg1 2 + *", "%m * (%n + 2)"},
      {"arg0 arg1 - arg0 arg1 - -", "%m - %n - (%m - %n)"},
      {"arg0 arg1 arg0 * *", "%m * (%n * %m)"},
      {"arg0 1 + 64 ceildiv 5 min", "min(ceildiv(%m + 1, 64), 5)"}};
  for (auto [text, form] : forms)
    EXPECT_EQ(launchExpressionText(expression(text), {"%m", "%n"}), form);
}

/// Rows of argument 1 times argument 2, each as far apart as argument 3 says.
static TensorMapPlan rowsPlan() {
  TensorMapPlan plan;
  plan.type = ScalarType::F16;
  plan.sizes = {expression("arg1"), expression("arg2")};
  plan.strides = {expression("arg3")};
  plan.box = {16, 64};
  plan.swizzle = 128;
  return plan;
}

static const std::vector<KernelArgument> kArguments = {
    {"p", ScalarType::F16, 1}, {"m", ScalarType::I32}, {"n", ScalarType::I32},
    {"ld", ScalarType::I32}};

TEST(TensorMaps, haveNumbersOfOneLaunch) {
  int64_t arguments[] = {4096, 5, 60, 72};
  std::optional<TensorMapNumbers> numbers = numbersOf(rowsPlan(), arguments, 4);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->address, 4096u);
  EXPECT_EQ(numbers->sizes[0], 5u);
  EXPECT_EQ(numbers->sizes[1], 60u);
  EXPECT_EQ(numbers->strides[0], 144u);
}

TEST(TensorMaps, haveBoxesThatEndWithTheirTensors) {
  TensorMapPlan plan = rowsPlan();
  auto linesOf = [&](int64_t rows) {
    int64_t arguments[] = {4096, rows, 60, 72};
    std::optional<TensorMapNumbers> numbers = numbersOf(plan, arguments, 4);
    EXPECT_TRUE(numbers);
    // Its rows are the swizzle's, however long the tensor's are.
    EXPECT_EQ(numbers->box[1], 64u);
    return numbers->box[0];
  };
  EXPECT_EQ(linesOf(5), 16u);
  plan.boxEnds = true;
  EXPECT_EQ(linesOf(1), 1u);
  EXPECT_EQ(linesOf(5), 5u);
  EXPECT_EQ(linesOf(16), 16u);
  EXPECT_EQ(linesOf(17), 16u);
}

TEST(TensorMaps, areNoneOfWhatTheHardwareDoesNotTake) {
  const std::vector<std::vector<int64_t>> wrong = {
      {0, 5, 60, 72},  {4098, 5, 60, 72}, {4096, 0, 60, 72},  {4096, 5, -1, 72},
      {4096, 5, 60, 0}, {4096, 5, 60, 70}, {4096, 5, 60, -72}, {4096, 5, 60}};
  for (const std::vector<int64_t> &arguments : wrong)
    EXPECT_FALSE(numbersOf(rowsPlan(), arguments.data(), arguments.size()));
  // 2^64 + 72, which is not 72.
  TensorMapPlan plan = rowsPlan();
  plan.strides = {expression("arg3 arg3 * 72 +")};
  int64_t large[] = {4096, 5, 60, int64_t(1) << 32};
  EXPECT_FALSE(numbersOf(plan, large, 4));
}

TEST(TensorMaps, straddleSectorsOf32Bytes) {
  auto straddles = [](uint64_t address, uint64_t stride) {
    uint64_t values[] = {address, 5, 60, stride};
    return straddleSectors({rowsPlan()}, kArguments, values);
  };
  EXPECT_FALSE(straddles(4096, 80));
  EXPECT_FALSE(straddles(4128, 64));
  EXPECT_TRUE(straddles(4096, 72));
  EXPECT_TRUE(straddles(4112, 80));
  // No tensor.
  EXPECT_FALSE(straddles(4098, 72));
}

TEST(TensorMaps, areMadeByTheDriver) {
  Device device = testDevice();
  // Integers have their sign in their own bits.
  uint64_t right[] = {4096, 5, 60, 72}, negative[] = {4096, 5, 0xFFFFFFFF, 72};
  EXPECT_TRUE(takesTensorMaps(device, {rowsPlan()}, kArguments, right));
  EXPECT_FALSE(takesTensorMaps(device, {rowsPlan()}, kArguments, negative));
  std::vector<TensorMap> maps =
      expectValue(makeTensorMaps(device, {rowsPlan(), rowsPlan()}, kArguments, right));
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(std::memcmp(&maps[0], &maps[1], sizeof(TensorMap)), 0);
  Result<std::vector<TensorMap>> none =
      makeTensorMaps(device, {rowsPlan()}, kArguments, negative);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "error: the tensor of argument 0 has no form that the device's copies take; expected "
            "addresses and strides that are multiples of 16 bytes, and positive extents");
}

TEST(TensorMaps, saysWhatTheDriverRefuses) {
  Device device = testDevice();
  TensorMapPlan plan = rowsPlan();
  plan.box = {300, 64};
  uint64_t right[] = {4096, 5, 60, 72};
  Result<std::vector<TensorMap>> none = makeTensorMaps(device, {plan}, kArguments, right);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("cannot describe the tensor of argument 0 to the device"),
            std::string::npos)
      << none.error().message;
}
