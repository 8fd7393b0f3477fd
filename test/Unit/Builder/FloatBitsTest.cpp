//===- FloatBitsTest.cpp - Numbers as elements, against LLVM's -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBits.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace fsm;

static uint64_t bitsByLLVM(double number, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(number);
  bool losesInfo = false;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

class FloatBits : public ::testing::TestWithParam<ScalarType> {
protected:
  static const llvm::fltSemantics &semantics() {
    switch (GetParam()) {
    case ScalarType::F16:
      return llvm::APFloat::IEEEhalf();
    case ScalarType::BF16:
      return llvm::APFloat::BFloat();
    case ScalarType::F32:
      return llvm::APFloat::IEEEsingle();
    case ScalarType::F8E4M3FN:
      return llvm::APFloat::Float8E4M3FN();
    case ScalarType::F8E5M2:
      return llvm::APFloat::Float8E5M2();
    default:
      return llvm::APFloat::IEEEdouble();
    }
  }
  void expectAsLLVM(double number) {
    EXPECT_EQ(floatBits(number, GetParam()), bitsByLLVM(number, semantics())) << number;
  }
};
INSTANTIATE_TEST_SUITE_P(Types, FloatBits,
                         ::testing::Values(ScalarType::F16, ScalarType::BF16, ScalarType::F32,
                                           ScalarType::F64, ScalarType::F8E4M3FN,
                                           ScalarType::F8E5M2),
                         [](const auto &info) {
                           return std::string(scalarTypeInfo(info.param).name);
                         });

/// Random numbers of every size, and beside each power of two what lies around it.
TEST_P(FloatBits, AreThoseOfLLVM) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    if (!std::isnan(number))
      expectAsLLVM(number);
    expectAsLLVM(std::ldexp(static_cast<double>(static_cast<int64_t>(bits) >> 40),
                            static_cast<int>(bits % 60) - 50));
  }
  for (int power = -1080; power < 1024; ++power)
    for (int quarters = 0; quarters < 256; ++quarters) {
      double number = std::ldexp(256.0 + quarters, power - 8);
      for (double beside : {number, std::nextafter(number, 0.0), std::nextafter(number, 1e308)}) {
        expectAsLLVM(beside);
        expectAsLLVM(-beside);
      }
    }
  for (double number : {0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0})
    expectAsLLVM(number);
}

TEST_P(FloatBits, OfNaNAreANaN) {
  llvm::APFloat value(semantics(),
                      llvm::APInt(static_cast<unsigned>(8 * scalarTypeInfo(GetParam()).bytes),
                                  floatBits(std::nan(""), GetParam())));
  EXPECT_TRUE(value.isNaN());
}
