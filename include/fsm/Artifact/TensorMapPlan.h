//===- TensorMapPlan.h - What copies are told of a tensor -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_TENSORMAPPLAN_H
#define FSM_ARTIFACT_TENSORMAPPLAN_H

#include "fsm/Artifact/LaunchExpression.h"
#include "fsm/Artifact/ScalarType.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace fsm {

/// What a tensor map describes (CUDA driver API, "Tensor Map Object Management"). Dimensions are in
/// the order of row-major indices: along the last one elements lie side by side.
struct TensorMapPlan {
  static constexpr size_t kMostRank = 5;
  static constexpr uint64_t kAlignment = 16;

  /// Which argument is the address of the element whose coordinates are 0.
  uint32_t pointer = 0;
  ScalarType type = ScalarType::F16;
  /// In elements; a stride of each dimension but the last.
  std::vector<LaunchExpression> sizes, strides;
  /// Elements that one copy takes, and the bytes of lines that exchange chunks: 32, 64 or 128.
  std::vector<uint32_t> box;
  uint32_t swizzle = 0;
  /// Whether the box is no longer along its first dimension than the tensor.
  bool boxEnds = false;
};

/// What it is for the arguments of one launch.
struct TensorMapNumbers {
  uint64_t address = 0;
  std::array<uint64_t, TensorMapPlan::kMostRank> sizes = {};
  /// In bytes.
  std::array<uint64_t, TensorMapPlan::kMostRank> strides = {};
  std::array<uint32_t, TensorMapPlan::kMostRank> box = {};
};

/// The numbers for arguments that are these; nothing where the hardware takes no such tensor: the
/// address is 0, it or a stride is no multiple of kAlignment bytes, or a size or a stride is not
/// positive or too large.
std::optional<TensorMapNumbers> numbersOf(const TensorMapPlan &plan, const int64_t *arguments,
                                          size_t count);

} // namespace fsm

#endif // FSM_ARTIFACT_TENSORMAPPLAN_H
