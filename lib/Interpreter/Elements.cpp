//===- Elements.cpp - What a value of the kernel holds -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "fsm/IR/ElementTypes.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

size_t interpreter::countOf(Type type) {
  size_t count = 1;
  for (int64_t extent : shapeOf(type))
    count *= static_cast<size_t>(extent);
  return count;
}

ScalarType interpreter::scalarTypeOf(Type element) {
  return findScalarType(element).value_or(ScalarType::I64);
}

unsigned interpreter::widthOf(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

/// An f16: sign, 5 bits of exponent with bias 15, 10 of fraction.
static double widenF16(uint64_t bits) {
  int exponent = (bits >> 10) & 0x1F;
  double fraction = static_cast<double>(bits & 0x3FF);
  double magnitude;
  if (exponent == 0x1F)
    magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double interpreter::widen(uint64_t bits, ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return widenF16(bits);
  case ScalarType::BF16: // The upper half of an f32.
    return floatOf(bits << 16);
  case ScalarType::F32:
    return floatOf(bits);
  default:
    return doubleOf(bits);
  }
}

static uint64_t narrowInSoftware(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t interpreter::narrow(double value, ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return narrowInSoftware(value, llvm::APFloat::IEEEhalf());
  case ScalarType::BF16:
    return narrowInSoftware(value, llvm::APFloat::BFloat());
  case ScalarType::F32:
    return bitsOf(static_cast<float>(value));
  default:
    return bitsOf(value);
  }
}
