//===- Functions.h - What a kernel computes --------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Element by element unless a comment says otherwise; docs/language.md says what each op means.

#ifndef FSM_BUILDER_FUNCTIONS_H
#define FSM_BUILDER_FUNCTIONS_H

#include "fsm/Builder/Value.h"

#include <functional>
#include <optional>

namespace fsm {

/// How elements are combined; Max and Min are of signed integers, and ignore NaN.
enum class Combination { Sum, Product, Max, Min, UMax, UMin, And, Or, Xor, Exchange };

/// Whether the dimension that a reduction goes along stays, with extent 1.
enum class Reduced { Dropped, Kept };

/// Arithmetic. A pointer plus an integer points so many elements on. Of integers `/` truncates.
Value operator+(const Operand &left, const Operand &right);
Value operator-(const Operand &left, const Operand &right);
Value operator*(const Operand &left, const Operand &right);
Value operator/(const Operand &left, const Operand &right);
Value operator%(const Operand &left, const Operand &right);
Value operator-(const Operand &value);

/// Comparisons, of integers with their sign, give i1. NaN is unequal to all.
Value operator<(const Operand &left, const Operand &right);
Value operator<=(const Operand &left, const Operand &right);
Value operator>(const Operand &left, const Operand &right);
Value operator>=(const Operand &left, const Operand &right);
Value operator==(const Operand &left, const Operand &right);
Value operator!=(const Operand &left, const Operand &right);

/// Bits of integers; `!` is for i1.
Value operator&(const Operand &left, const Operand &right);
Value operator|(const Operand &left, const Operand &right);
Value operator^(const Operand &left, const Operand &right);
Value operator<<(const Operand &left, const Operand &right);
Value operator>>(const Operand &left, const Operand &right);
Value operator~(const Operand &value);
Value operator!(const Operand &value);

/// Sums, differences and products of integers that may overflow.
namespace wrapping {
Value add(const Operand &left, const Operand &right);
Value subtract(const Operand &left, const Operand &right);
Value multiply(const Operand &left, const Operand &right);
} // namespace wrapping

/// Integers without a sign.
namespace natural {
Value divide(const Operand &left, const Operand &right);
Value remainder(const Operand &left, const Operand &right);
Value shiftRight(const Operand &left, const Operand &right);
Value less(const Operand &left, const Operand &right);
Value convert(const Operand &value, ScalarType type);
} // namespace natural

/// The greater and the smaller; NaN only where both are NaN.
Value maximum(const Operand &left, const Operand &right);
Value minimum(const Operand &left, const Operand &right);
/// `first` where the condition holds, else `second`.
Value select(const Operand &condition, const Operand &first, const Operand &second);

Value abs(const Operand &value);
Value ceil(const Operand &value);
Value cos(const Operand &value);
Value erf(const Operand &value);
Value exp(const Operand &value);
Value exp2(const Operand &value);
Value expm1(const Operand &value);
Value floor(const Operand &value);
Value log(const Operand &value);
Value log1p(const Operand &value);
Value log2(const Operand &value);
Value pow(const Operand &base, const Operand &exponent);
Value round(const Operand &value);
Value rsqrt(const Operand &value);
Value sin(const Operand &value);
Value sqrt(const Operand &value);
Value tanh(const Operand &value);
/// x y + z, rounded once.
Value fma(const Operand &x, const Operand &y, const Operand &z);

/// To another element type: rounded to nearest even, or cut where an integer is wanted, which
/// saturates; integers keep their sign, and an i1 is 0 or 1. To i1: whether it is not 0.
Value convert(const Operand &value, ScalarType type);
/// The same bits as an element of another type of as many.
Value bitcast(const Operand &value, ScalarType type);

/// Along one dimension; without one, all elements of a block, to a scalar.
Value reduce(Combination how, const Operand &block, std::optional<unsigned> axis = {},
             Reduced reduced = Reduced::Dropped);
Value sum(const Operand &block, std::optional<unsigned> axis = {},
          Reduced reduced = Reduced::Dropped);
Value max(const Operand &block, std::optional<unsigned> axis = {},
          Reduced reduced = Reduced::Dropped);
Value min(const Operand &block, std::optional<unsigned> axis = {},
          Reduced reduced = Reduced::Dropped);
/// Tuples of elements, one of each block, by a function of two tuples' scalars that is associative
/// and commutative.
Values reduceWith(const Values &blocks, unsigned axis,
                  const std::function<Values(Values, Values)> &combine,
                  const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());
/// Each element combined with all before it.
Value scan(Combination how, const Operand &block, unsigned axis = 0, bool isReverse = false);

/// A row-major matrix product plus `acc`; two factors of f32 are not rounded.
Value dot(const Operand &left, const Operand &right, const Operand &acc);

/// A new dimension of extent 1.
Value expandDims(const Operand &block, unsigned axis);
/// Repeats a scalar, or a block along dimensions of extent 1, aligned at the last dimensions.
Value broadcast(const Operand &value, const Shape &shape);
Value reshape(const Operand &block, const Shape &shape);
/// Dimension i of the result is dimension order[i] of the block; without an order, reversed.
Value transpose(const Operand &block, const std::vector<unsigned> &order = {});

} // namespace fsm

#endif // FSM_BUILDER_FUNCTIONS_H
