//===- LaunchExpression.cpp - Numbers that a launch computes --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/LaunchExpression.h"

#include <charconv>

using namespace fsm;

using Kind = LaunchStep::Kind;

/// What comes in front of an argument's number.
static constexpr std::string_view kArgument = "arg";

static bool takesTwo(Kind kind) { return kind != Kind::Argument && kind != Kind::Number; }

static std::string stepText(const LaunchStep &step) {
  switch (step.kind) {
  case Kind::Argument:
    return std::string(kArgument) + std::to_string(step.value);
  case Kind::Number:
    return std::to_string(step.value);
  case Kind::Add:
    return "+";
  case Kind::Subtract:
    return "-";
  case Kind::Multiply:
    return "*";
  case Kind::Minimum:
    return "min";
  case Kind::CeilDivide:
    return "ceildiv";
  }
  return "";
}

std::string fsm::launchExpressionText(const LaunchExpression &expression) {
  std::string text;
  for (const LaunchStep &step : expression)
    text += (text.empty() ? "" : " ") + stepText(step);
  return text;
}

static std::optional<LaunchStep> parseStep(std::string_view word) {
  for (Kind kind : {Kind::Add, Kind::Subtract, Kind::Multiply, Kind::Minimum, Kind::CeilDivide})
    if (stepText({kind, 0}) == word)
      return LaunchStep{kind, 0};
  bool isArgument = word.substr(0, kArgument.size()) == kArgument;
  if (isArgument)
    word.remove_prefix(kArgument.size());
  int64_t value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || (isArgument && value < 0))
    return std::nullopt;
  return LaunchStep{isArgument ? Kind::Argument : Kind::Number, value};
}

std::optional<LaunchExpression> fsm::parseLaunchExpression(std::string_view text) {
  LaunchExpression expression;
  size_t depth = 0;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    std::optional<LaunchStep> step = parseStep(word);
    if (!step || (takesTwo(step->kind) && depth < 2))
      return std::nullopt;
    depth += takesTwo(step->kind) ? -1 : 1;
    expression.push_back(*step);
  }
  return depth == 1 ? std::optional(expression) : std::nullopt;
}

/// Nothing where a number is divided by one that is not positive.
static std::optional<uint64_t> combined(Kind kind, uint64_t left, uint64_t right) {
  auto dividend = static_cast<int64_t>(left), divisor = static_cast<int64_t>(right);
  switch (kind) {
  case Kind::Add:
    return left + right;
  case Kind::Subtract:
    return left - right;
  case Kind::Multiply:
    return left * right;
  case Kind::Minimum:
    return dividend < divisor ? left : right;
  default:
    if (divisor <= 0)
      return std::nullopt;
    return static_cast<uint64_t>(dividend / divisor + (dividend % divisor > 0));
  }
}

std::optional<int64_t> fsm::evaluate(const LaunchExpression &expression, const int64_t *arguments,
                                     size_t count) {
  std::vector<uint64_t> stack;
  for (const LaunchStep &step : expression) {
    if (takesTwo(step.kind)) {
      if (stack.size() < 2)
        return std::nullopt;
      uint64_t right = stack.back();
      stack.pop_back();
      std::optional<uint64_t> result = combined(step.kind, stack.back(), right);
      if (!result)
        return std::nullopt;
      stack.back() = *result;
      continue;
    }
    auto number = static_cast<uint64_t>(step.value);
    if (step.kind == Kind::Argument && number >= count)
      return std::nullopt;
    stack.push_back(step.kind == Kind::Argument ? static_cast<uint64_t>(arguments[number])
                                                : number);
  }
  return stack.size() == 1 ? std::optional(static_cast<int64_t>(stack.back())) : std::nullopt;
}
