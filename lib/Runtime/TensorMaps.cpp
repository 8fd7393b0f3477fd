//===- TensorMaps.cpp - What copies on a device are told of tensors -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/TensorMaps.h"

#include "fsm/Artifact/LaunchRules.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::cuda;

/// CUtensorMapDataType; f8 and i1 are bytes.
static int dataTypeOf(ScalarType type) {
  switch (type) {
  case ScalarType::I1:
  case ScalarType::I8:
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    return 0;
  case ScalarType::I16:
    return 1;
  case ScalarType::I32:
    return 3;
  case ScalarType::I64:
    return 5;
  case ScalarType::F16:
    return 6;
  case ScalarType::F32:
    return 7;
  case ScalarType::F64:
    return 8;
  case ScalarType::BF16:
    return 9;
  }
  return 0;
}

/// CUtensorMapSwizzle.
static int swizzleOf(uint32_t bytes) { return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32; }

/// CU_TENSOR_MAP_L2_PROMOTION_L2_128B: what a line of a box has.
static constexpr int kPromotion = 2;

/// Addresses and integers as launch expressions take them.
static std::vector<int64_t> argumentNumbers(const std::vector<KernelArgument> &arguments,
                                            const uint64_t *values) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < arguments.size(); ++i)
    numbers.push_back(arguments[i].isPointer() ? static_cast<int64_t>(values[i])
                                               : integerOf(values[i], arguments[i].type));
  return numbers;
}

bool fsm::cuda::takesTensorMaps(const Device &device, const std::vector<TensorMapPlan> &plans,
                                const std::vector<KernelArgument> &arguments,
                                const uint64_t *values) {
  if (!device.driver().tensorMapEncodeTiled)
    return false;
  std::vector<int64_t> numbers = argumentNumbers(arguments, values);
  return std::all_of(plans.begin(), plans.end(), [&](const TensorMapPlan &plan) {
    return numbersOf(plan, numbers.data(), numbers.size()).has_value();
  });
}

bool fsm::cuda::straddleSectors(const std::vector<TensorMapPlan> &plans, const std::vector<KernelArgument> &arguments,
                                   const uint64_t *values) {
  constexpr uint64_t sectorBytes = 32;
  std::vector<int64_t> numbers = argumentNumbers(arguments, values);
  return std::any_of(plans.begin(), plans.end(), [&](const TensorMapPlan &plan) {
    std::optional<TensorMapNumbers> tensor = numbersOf(plan, numbers.data(), numbers.size());
    if (!tensor)
      return false;
    uint64_t bits = tensor->address;
    for (size_t dim = 0; dim < plan.strides.size(); ++dim)
      bits |= tensor->strides[dim];
    return bits % sectorBytes != 0;
  });
}

/// The driver counts dimensions from the innermost one on.
static Result<TensorMap> encode(const Driver &driver, const TensorMapPlan &plan,
                                const TensorMapNumbers &numbers) {
  size_t rank = plan.sizes.size();
  std::array<uint64_t, TensorMapPlan::kMostRank> sizes = {}, strides = {};
  std::array<uint32_t, TensorMapPlan::kMostRank> box = {}, steps = {};
  for (size_t dim = 0; dim < rank; ++dim) {
    sizes[rank - 1 - dim] = numbers.sizes[dim];
    box[rank - 1 - dim] = numbers.box[dim];
    steps[dim] = 1;
    if (dim + 1 < rank)
      strides[rank - 2 - dim] = numbers.strides[dim];
  }
  TensorMap map;
  int result = driver.tensorMapEncodeTiled(
      &map, dataTypeOf(plan.type), static_cast<unsigned>(rank), numbers.address, sizes.data(),
      strides.data(), box.data(), steps.data(), /*interleave=*/0, swizzleOf(plan.swizzle),
      kPromotion, /*fill=*/0);
  if (result != kSuccess)
    return driver.errorOf(result, "describe the tensor of argument " +
                                      std::to_string(plan.pointer) + " to the device");
  return map;
}

Result<std::vector<TensorMap>>
fsm::cuda::makeTensorMaps(const Device &device, const std::vector<TensorMapPlan> &plans,
                          const std::vector<KernelArgument> &arguments, const uint64_t *values) {
  std::vector<TensorMap> maps;
  if (plans.empty())
    return maps;
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  std::vector<int64_t> numbers = argumentNumbers(arguments, values);
  for (const TensorMapPlan &plan : plans) {
    std::optional<TensorMapNumbers> known =
        numbersOf(plan, numbers.data(), numbers.size());
    if (!known)
      return badInput("error: the tensor of argument " + std::to_string(plan.pointer) +
                      " has no form that the device's copies take; expected addresses and strides "
                      "that are multiples of 16 bytes, and positive extents");
    Result<TensorMap> map = encode(device.driver(), plan, *known);
    if (!map)
      return map.error();
    maps.push_back(*map);
  }
  return maps;
}
