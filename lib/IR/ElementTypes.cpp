//===- ElementTypes.cpp - Element types of the language ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fsm;

std::optional<ScalarType> fsm::findScalarType(Type element) {
  if (isa<Float16Type>(element))
    return ScalarType::F16;
  if (isa<BFloat16Type>(element))
    return ScalarType::BF16;
  if (isa<Float32Type>(element))
    return ScalarType::F32;
  if (isa<Float64Type>(element))
    return ScalarType::F64;
  if (isa<Float8E4M3FNType>(element))
    return ScalarType::F8E4M3FN;
  if (isa<Float8E5M2Type>(element))
    return ScalarType::F8E5M2;
  for (auto [width, type] : {std::pair(1u, ScalarType::I1), {8u, ScalarType::I8}, {16u, ScalarType::I16},
                             {32u, ScalarType::I32}, {64u, ScalarType::I64}})
    if (element.isSignlessInteger(width))
      return type;
  return std::nullopt;
}
