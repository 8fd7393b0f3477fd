//===- LaunchExpression.cpp - Numbers that a launch computes --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/LaunchExpression.h"

#include <algorithm>
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

namespace {
/// The text of a part of an expression, and how tightly what it does last binds.
struct Part {
  enum Binding { Sum, Product, Operand };
  std::string text;
  Binding binding = Operand;

  std::string atLeast(Binding needed) const {
    return binding < needed ? "(" + text + ")" : text;
  }
};
} // namespace

/// Two parts as the kind of step puts them together.
static Part together(Kind kind, const Part &left, const Part &right) {
  switch (kind) {
  case Kind::Add:
    return {left.text + " + " + right.atLeast(Part::Product), Part::Sum};
  case Kind::Subtract:
    return {left.text + " - " + right.atLeast(Part::Product), Part::Sum};
  case Kind::Multiply:
    return {left.atLeast(Part::Product) + " * " + right.atLeast(Part::Operand), Part::Product};
  case Kind::Minimum:
    return {"min(" + left.text + ", " + right.text + ")", Part::Operand};
  default:
    return {"ceildiv(" + left.text + ", " + right.text + ")", Part::Operand};
  }
}

std::string fsm::launchExpressionText(const LaunchExpression &expression,
                                      const std::vector<std::string> &arguments) {
  std::vector<Part> stack;
  for (const LaunchStep &step : expression) {
    if (!takesTwo(step.kind)) {
      bool isArgument = step.kind == Kind::Argument;
      stack.push_back({isArgument ? arguments[step.value] : std::to_string(step.value)});
      continue;
    }
    Part right = std::move(stack.back());
    stack.pop_back();
    stack.back() = together(step.kind, stack.back(), right);
  }
  return stack.empty() ? "" : stack.back().text;
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

/// Nothing where a number is divided by one that is not positive, or the result leaves 64 bits.
static std::optional<int64_t> combined(Kind kind, int64_t left, int64_t right) {
  int64_t result = 0;
  switch (kind) {
  case Kind::Add:
    return __builtin_add_overflow(left, right, &result) ? std::nullopt : std::optional(result);
  case Kind::Subtract:
    return __builtin_sub_overflow(left, right, &result) ? std::nullopt : std::optional(result);
  case Kind::Multiply:
    return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
  case Kind::Minimum:
    return std::min(left, right);
  default:
    if (right <= 0)
      return std::nullopt;
    return left / right + (left % right > 0);
  }
}

std::optional<int64_t> fsm::evaluate(const LaunchExpression &expression, const int64_t *arguments,
                                     size_t count) {
  std::vector<int64_t> stack;
  for (const LaunchStep &step : expression) {
    if (takesTwo(step.kind)) {
      if (stack.size() < 2)
        return std::nullopt;
      int64_t right = stack.back();
      stack.pop_back();
      std::optional<int64_t> result = combined(step.kind, stack.back(), right);
      if (!result)
        return std::nullopt;
      stack.back() = *result;
      continue;
    }
    bool isArgument = step.kind == Kind::Argument;
    if (isArgument && static_cast<uint64_t>(step.value) >= count)
      return std::nullopt;
    stack.push_back(isArgument ? arguments[step.value] : step.value);
  }
  return stack.size() == 1 ? std::optional(stack.back()) : std::nullopt;
}
