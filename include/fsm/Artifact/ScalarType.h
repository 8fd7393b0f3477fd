//===- ScalarType.h - The element types as plain data ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_SCALARTYPE_H
#define FSM_ARTIFACT_SCALARTYPE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fsm {

/// The element types of the language, in the order of kScalarTypes.
enum class ScalarType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64, F8E4M3FN, F8E5M2 };

/// One row per element type.
struct ScalarTypeInfo {
  ScalarType type;
  /// As MLIR spells it and as `fsm-run --arg` takes it.
  std::string_view name;
  /// Bytes one element takes in memory; an i1 takes a whole byte, 0 or 1.
  size_t bytes;
  bool isFloat;
};

inline constexpr std::array<ScalarTypeInfo, 11> kScalarTypes = {{
    {ScalarType::I1, "i1", 1, false},
    {ScalarType::I8, "i8", 1, false},
    {ScalarType::I16, "i16", 2, false},
    {ScalarType::I32, "i32", 4, false},
    {ScalarType::I64, "i64", 8, false},
    {ScalarType::F16, "f16", 2, true},
    {ScalarType::BF16, "bf16", 2, true},
    {ScalarType::F32, "f32", 4, true},
    {ScalarType::F64, "f64", 8, true},
    {ScalarType::F8E4M3FN, "f8E4M3FN", 1, true},
    {ScalarType::F8E5M2, "f8E5M2", 1, true},
}};

constexpr const ScalarTypeInfo &scalarTypeInfo(ScalarType type) {
  return kScalarTypes[static_cast<size_t>(type)];
}

/// The type that is spelled so; nothing of what is no element type.
constexpr std::optional<ScalarType> scalarTypeNamed(std::string_view name) {
  for (const ScalarTypeInfo &info : kScalarTypes)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

} // namespace fsm

#endif // FSM_ARTIFACT_SCALARTYPE_H
