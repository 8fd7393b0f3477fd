//===- KernelRunner.h - Parses and runs the kernels of a test --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_INTERPRETER_KERNELRUNNER_H
#define FSM_TEST_UNIT_INTERPRETER_KERNELRUNNER_H

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Support/Result.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace fsm::test {

/// Elements of types that C++ lacks, as their bits.
struct I1 {
  uint8_t bits;
};
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

inline const char *typeName(const I1 *) { return "i1"; }
inline const char *typeName(const int8_t *) { return "i8"; }
inline const char *typeName(const int16_t *) { return "i16"; }
inline const char *typeName(const int32_t *) { return "i32"; }
inline const char *typeName(const int64_t *) { return "i64"; }
inline const char *typeName(const F16 *) { return "f16"; }
inline const char *typeName(const BF16 *) { return "bf16"; }
inline const char *typeName(const float *) { return "f32"; }
inline const char *typeName(const double *) { return "f64"; }

/// Parses `text`, a module with one kernel, and runs it. Errors are located in
/// the file "k".
Result<void> run(const std::string &text, Grid grid, const std::vector<Argument> &arguments,
                 const PrintLine &print = {}, uint64_t mostElements = 0);

/// The same for a kernel without locations, as a program may build it.
Result<void> runWithoutNames(const std::string &text, Grid grid,
                             const std::vector<Argument> &arguments);

/// The message of a run that must fail with an error of `kind`.
std::string errorOf(const Result<void> &result, Error::Kind kind = Error::Kind::Execution);

template <typename T>
Argument bufferOf(std::vector<T> &elements) {
  return Argument::buffer(elements.data(), elements.size() * sizeof(T));
}

/// The text of a kernel that loads blocks %a, %b, ... of `count` elements from
/// its arguments, computes `%r = EXPRESSION` and stores %r to its last argument.
/// `#T` in the expression stands for a block of T; one of several lines defines
/// %r itself.
std::string elementwiseKernel(const std::string &expression, size_t count,
                              const std::vector<std::string> &operandTypes,
                              const std::string &resultType);

/// What `expression` gives for each element of the operands.
template <typename R, typename... Ts>
std::vector<R> evaluate(const std::string &expression, std::vector<Ts>... operands) {
  size_t count = 0;
  ((count = operands.size()), ...);
  std::vector<R> result(count);
  std::string text = elementwiseKernel(expression, count, {typeName(static_cast<Ts *>(nullptr))...},
                                       typeName(static_cast<R *>(nullptr)));
  Result<void> done = run(text, Grid(), {bufferOf(operands)..., bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

/// The bits of an element, all NaN alike.
template <typename T>
uint64_t comparable(T element) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(element))
      return ~uint64_t(0);
  uint64_t bits = 0;
  std::memcpy(&bits, &element, sizeof(T));
  return bits;
}

/// Expects equal elements: NaN equals NaN, +0 differs from -0.
template <typename T>
void expectSame(const std::vector<T> &actual, const std::vector<T> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_EQ(comparable(actual[i]), comparable(expected[i])) << "element " << i;
}

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

} // namespace fsm::test

#endif // FSM_TEST_UNIT_INTERPRETER_KERNELRUNNER_H
