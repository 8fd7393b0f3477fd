//===- LaunchExpression.h - Numbers that a launch computes ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_LAUNCHEXPRESSION_H
#define FSM_ARTIFACT_LAUNCHEXPRESSION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// Puts a number on a stack, or takes two from it and puts there what they give.
struct LaunchStep {
  enum class Kind { Argument, Number, Add, Subtract, Multiply, Minimum, CeilDivide };
  Kind kind = Kind::Number;
  /// Which of the kernel's arguments, or which number.
  int64_t value = 0;
};

/// An integer that follows from the arguments of a launch, without a compiler: steps that leave one
/// number on the stack.
using LaunchExpression = std::vector<LaunchStep>;

/// Its form in the launch contract: `arg3 8 * arg4 +`.
std::string launchExpressionText(const LaunchExpression &expression);

/// Its form in the text of a kernel whose arguments have these names: `%n * 8 + %m`. The expression
/// is one that can be parsed, of arguments that are there.
std::string launchExpressionText(const LaunchExpression &expression,
                                 const std::vector<std::string> &arguments);

/// The expression whose form in the contract that is; nothing for other texts, and where a step lacks what it
/// takes or more than one number is left.
std::optional<LaunchExpression> parseLaunchExpression(std::string_view text);

/// What it gives where the arguments are these numbers. Nothing where it names one that is not there,
/// divides by what is not positive, or a step of it leaves 64 bits.
std::optional<int64_t> evaluate(const LaunchExpression &expression, const int64_t *arguments,
                                size_t count);

} // namespace fsm

#endif // FSM_ARTIFACT_LAUNCHEXPRESSION_H
