//===- Operands.h - Operands that become alike -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_BUILDER_OPERANDS_H
#define FSM_BUILDER_OPERANDS_H

#include "KernelText.h"

#include <initializer_list>
#include <optional>

namespace fsm {

/// The operands of an op, of one kernel. `isUsable` is false behind a mistake, and then the rest
/// says nothing.
class Operands {
public:
  explicit Operands(std::initializer_list<const Operand *> operands);
  /// Operands without a value among them are of this kernel.
  Operands(KernelText *kernel, std::initializer_list<const Operand *> operands);

  bool isUsable() const { return usable; }
  KernelText &kernel() const { return *text; }
  CallSite at() const { return place; }
  Value fail(const std::string &sentence);

  /// All as values of one element type and one shape: the ones that count are those of the values.
  Values alike(const std::vector<const Operand *> &operands);
  /// One as a value of this element type, and of this shape if it is not that of a scalar.
  Value as(const Operand &operand, ScalarType type, const Shape &shape);
  /// One as a scalar; `expected` begins the sentence about a block, and `instead` ends it.
  Value scalar(const Operand &operand, ScalarType type, const std::string &expected,
               const std::string &instead = "");
  /// Repeats a value.
  Value broadcast(const Value &value, const Shape &shape);
  /// A number as a block or a scalar.
  Value constant(const Operand &number, const ValueType &type);

private:
  KernelText *text = nullptr;
  CallSite place;
  bool usable = false;
};

/// The shape that both are repeated to, aligned at their last dimensions.
std::optional<Shape> commonShape(const Shape &first, const Shape &second);

/// `16x32`, or `a scalar`.
std::string shapeText(const Shape &shape);

} // namespace fsm

#endif // FSM_BUILDER_OPERANDS_H
