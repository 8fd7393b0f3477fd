//===- ArgumentBits.cpp - Scalars of a launch as bits --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Interpreter/ArgumentBits.h"

#include "fsm/Artifact/LaunchRules.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace fsm;

/// The low `width` bits of an integer that fits them as signed or as unsigned;
/// an i1 is 0 or 1.
static std::optional<uint64_t> integerBits(const Argument &argument, unsigned width) {
  int64_t value = argument.integerValue;
  if (argument.kind == Argument::Kind::Real) {
    double real = argument.realValue;
    if (!(std::abs(real) < 0x1p63) || real != std::trunc(real))
      return std::nullopt;
    value = static_cast<int64_t>(real);
  }
  if (width == 64)
    return static_cast<uint64_t>(value);
  int64_t least = width == 1 ? 0 : -(int64_t(1) << (width - 1));
  int64_t greatest = (int64_t(1) << width) - 1;
  if (value < least || value > greatest)
    return std::nullopt;
  return static_cast<uint64_t>(value) & static_cast<uint64_t>(greatest);
}

static const llvm::fltSemantics &semanticsOf(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarType::BF16:
    return llvm::APFloat::BFloat();
  case ScalarType::F64:
    return llvm::APFloat::IEEEdouble();
  case ScalarType::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case ScalarType::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}

/// The number rounded once, to nearest even; f8 saturates, a finite number that
/// is too large for another type is none.
static std::optional<uint64_t> floatBits(const Argument &argument, ScalarType type) {
  const llvm::fltSemantics &semantics = semanticsOf(type);
  constexpr auto nearest = llvm::APFloat::rmNearestTiesToEven;
  if (argument.kind == Argument::Kind::Real && type == ScalarType::F64)
    return llvm::bit_cast<uint64_t>(argument.realValue);
  if (argument.kind == Argument::Kind::Real && type == ScalarType::F32 &&
      std::abs(argument.realValue) <= 0x1.fffffep127)
    return llvm::bit_cast<uint32_t>(static_cast<float>(argument.realValue));
  llvm::APFloat number(semantics);
  bool isFinite = true, isNegative;
  if (argument.kind == Argument::Kind::Integer) {
    isNegative = argument.integerValue < 0;
    number.convertFromAPInt(llvm::APInt(64, static_cast<uint64_t>(argument.integerValue)),
                            /*IsSigned=*/true, nearest);
  } else {
    isNegative = std::signbit(argument.realValue);
    isFinite = std::isfinite(argument.realValue);
    number = llvm::APFloat(argument.realValue);
    bool losesInfo;
    number.convert(semantics, nearest, &losesInfo);
  }
  if (isFinite && !number.isFinite()) {
    if (type != ScalarType::F8E4M3FN && type != ScalarType::F8E5M2)
      return std::nullopt;
    number = llvm::APFloat::getLargest(semantics, isNegative);
  }
  return number.bitcastToAPInt().getZExtValue();
}

double fsm::floatOf(uint64_t bits, ScalarType type) {
  if (type == ScalarType::F64)
    return llvm::bit_cast<double>(bits);
  // The bits above those of the type fall away.
  return llvm::APFloat(semanticsOf(type), llvm::APInt(64, bits).trunc(widthOf(type)))
      .convertToDouble();
}

std::optional<uint64_t> fsm::argumentBits(const Argument &argument, ScalarType type) {
  return scalarTypeInfo(type).isFloat ? floatBits(argument, type) : integerBits(argument, widthOf(type));
}
