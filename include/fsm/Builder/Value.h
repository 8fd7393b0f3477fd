//===- Value.h - Values of a kernel that is being built --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_BUILDER_VALUE_H
#define FSM_BUILDER_VALUE_H

#include "fsm/Artifact/ScalarType.h"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace fsm {

class KernelText;

/// The extents of a block; empty for a scalar.
using Shape = std::vector<int64_t>;

/// A line of the caller's program, which errors name.
struct CallSite {
  const char *file = "";
  unsigned line = 0;
};

struct ValueType {
  /// Of the elements, or of what a pointer points to.
  ScalarType element = ScalarType::I32;
  /// 0 for a number or a block, 1 for a pointer to `element`, 2 for a pointer to such pointers.
  unsigned pointerDepth = 0;
  Shape shape;

  bool isPointer() const { return pointerDepth != 0; }
  bool isBlock() const { return !shape.empty(); }
  bool isFloat() const { return !isPointer() && scalarTypeInfo(element).isFloat; }
  bool isInteger() const { return !isPointer() && !scalarTypeInfo(element).isFloat; }
  bool operator!=(const ValueType &other) const { return !(*this == other); }
  bool operator==(const ValueType &other) const {
    return element == other.element && pointerDepth == other.pointerDepth && shape == other.shape;
  }
};

/// A scalar, a pointer or a block of a kernel that is being built. It is a handle: copies are the
/// same value. After a mistake in building a kernel, what is made of it is no value, and the
/// kernel says so in the end.
class Value {
public:
  Value() = default;
  // Without a move: what was moved from would still have its number.
  Value(const Value &) = default;
  Value &operator=(const Value &) = default;

  bool isNone() const { return number == 0; }
  const ValueType &type() const { return valueType; }
  const Shape &shape() const { return valueType.shape; }

private:
  friend class KernelText;
  std::shared_ptr<KernelText> kernel;
  /// `%3` of the text; 0 is no value.
  unsigned number = 0;
  /// The part of the kernel that made it: the body of a loop, say, which alone may use it.
  unsigned region = 0;
  ValueType valueType;
};

using Values = std::vector<Value>;

/// What an operation takes: a value, a number that becomes one of the type that is wanted, or
/// nothing. It remembers where in the caller's program it was written.
class Operand {
public:
  Operand() = default;
  Operand(const Value &value, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
      : value(value), kind(Kind::Value), at{file, line} {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Operand(T number, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
      : real(static_cast<double>(number)), integer(integerOf(number)),
        kind(std::is_floating_point_v<T> ? Kind::Real : Kind::Integer), at{file, line} {}

  enum class Kind { None, Value, Integer, Real };
  Value value;
  double real = 0;
  int64_t integer = 0;
  Kind kind = Kind::None;
  CallSite at;

  bool isNone() const { return kind == Kind::None; }
  bool isNumber() const { return kind == Kind::Integer || kind == Kind::Real; }

private:
  /// Infinity is no integer.
  template <typename T>
  static int64_t integerOf(T number) {
    if constexpr (std::is_floating_point_v<T>)
      return 0;
    else
      return static_cast<int64_t>(number);
  }
};

} // namespace fsm

#endif // FSM_BUILDER_VALUE_H
