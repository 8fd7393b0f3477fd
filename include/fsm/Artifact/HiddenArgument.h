//===- HiddenArgument.h - What kernels take besides ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_HIDDENARGUMENT_H
#define FSM_ARTIFACT_HIDDENARGUMENT_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace fsm {

/// An argument that a compiled kernel takes behind those of its author. CompiledKernel lists them
/// in their order.
enum class HiddenArgument {
  /// The grid's extent along x in programs, an i32: programs share a CTA, and the last CTA may
  /// have some to spare.
  ProgramCount,
  /// The address of a DebugHeader, which the records of prints and asserts follow.
  DebugRecords,
  /// The 128 bytes that the driver makes of a TensorMapPlan, at a multiple of 64.
  TensorMap,
  /// The address of memory that the launch gives its ctas, CompiledKernel::scratchBytes each.
  Scratch,
};

/// "program_count", "debug_records", "scratch" or "tensor_map", as the launch contract and the IR spell it.
std::string_view hiddenArgumentName(HiddenArgument argument);

/// The argument of that name, or nothing.
std::optional<HiddenArgument> findHiddenArgument(std::string_view name);

/// What a launch has for hidden arguments.
struct HiddenValues {
  int32_t programCount = 0;
  uint64_t debugRecords = 0;
  uint64_t scratch = 0;

  /// The value of one of them, in its lower bits; 0 for a tensor map, which has more.
  uint64_t bitsOf(HiddenArgument argument) const;
};

} // namespace fsm

#endif // FSM_ARTIFACT_HIDDENARGUMENT_H
