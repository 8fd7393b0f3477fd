//===- TensorMapPlan.cpp - What copies are told of a tensor ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/TensorMapPlan.h"

#include <algorithm>

using namespace fsm;

/// Both are less than the driver's bounds, 2^32 and 2^40, so that no product wraps.
static constexpr int64_t kMaxSize = INT32_MAX, kMaxStride = int64_t(1) << 36;

std::optional<TensorMapNumbers> fsm::numbersOf(const TensorMapPlan &plan, const int64_t *arguments,
                                               size_t count) {
  size_t rank = plan.sizes.size();
  if (rank == 0 || rank > TensorMapPlan::kMostRank || plan.strides.size() + 1 != rank ||
      plan.box.size() != rank || plan.pointer >= count)
    return std::nullopt;
  TensorMapNumbers numbers;
  numbers.address = static_cast<uint64_t>(arguments[plan.pointer]);
  if (!numbers.address || numbers.address % TensorMapPlan::kAlignment)
    return std::nullopt;
  for (size_t dim = 0; dim < rank; ++dim) {
    std::optional<int64_t> size = evaluate(plan.sizes[dim], arguments, count);
    if (!size || *size < 1 || *size > kMaxSize)
      return std::nullopt;
    numbers.sizes[dim] = static_cast<uint64_t>(*size);
    numbers.box[dim] = plan.box[dim];
  }
  if (plan.boxEnds)
    numbers.box[0] = static_cast<uint32_t>(std::min<uint64_t>(plan.box[0], numbers.sizes[0]));
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    std::optional<int64_t> stride = evaluate(plan.strides[dim], arguments, count);
    if (!stride || *stride < 1 || *stride > kMaxStride)
      return std::nullopt;
    numbers.strides[dim] = static_cast<uint64_t>(*stride) * scalarTypeInfo(plan.type).bytes;
    if (numbers.strides[dim] % TensorMapPlan::kAlignment)
      return std::nullopt;
  }
  return numbers;
}
