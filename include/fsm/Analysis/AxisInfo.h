//===- AxisInfo.h - How numbers vary along the axes of a block -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether four neighbouring loads may become one 16-byte load is a question about
// numbers: are the four offsets consecutive, does the first one start at a
// multiple of four, is the mask the same for all. AxisInfo answers it per
// dimension of a block, in *aligned groups*: the group of size g with number k
// along a dimension is the elements k * g, k * g + 1, ... k * g + g - 1, as far
// as the block has them (the last group may be cut short: extents are any number).
// Every claim is about all lines of the block along that dimension.
//
//   contiguity c    each aligned group of c elements is consecutive numbers,
//                   each one more than the one before;
//   divisibility d  the first element of each aligned group of c elements is a
//                   multiple of d (a pointer: its address, in bytes). Where c
//                   is 1 this says that every element is a multiple of d;
//   constancy k     each aligned group of k elements is equal numbers;
//   ending e        of truths: each aligned group of e elements is true up to some element and
//                   false behind it, as the mask is in which a row ends. Equal ones are that too.
//
// All of them are powers of two: groups nest, so of two sizes the smaller one holds
// too, and a number that wraps in its own width keeps its low zeros. Contiguity,
// constancy and ending are at most the extent, rounded up to a power of two;
// divisibility at most kMaxDivisor (which zero has). A scalar has one dimension of
// extent 1. Numbers are read as signed: a group of i32 offsets stays consecutive
// when it is extended to 64 bits and scaled, which is how addresses are made. In
// i64 "consecutive" is modulo 2^64, as addresses are.
//
// Example, with %pid and %n unknown, the latter with fsm.divisible = 16:
//
//   %r = fsm.range 0, 1024          c = 1024  d = 2^30  k = 1
//   %b = %pid * 1024                          d = 1024           (a scalar)
//   %o = splat(%b) + %r             c = 1024  d = 1024  k = 1
//   %m = %o < splat(%n)                       d = 1     k = 16
//   %q = %o >> 6                    c = 1     d = 1     k = 64
//   %e = %o & 63                    c = 64    d = 64    k = 1
//
// The rules, for one dimension. start(x, g) divides the first element of each
// group of g elements: d where g >= c, min(d, g) where g < c. aligned(x) = min(c, d)
// is a group size for which each group starts at a multiple of its size: such a
// group crosses neither the signed nor the unsigned end of the numbers, and no
// multiple of its size lies inside it. Most rules take g = min(aligned(x),
// k of y, start(y, 1)): in a group, x is s, s + 1, ... and y is one number, both s
// and y multiples of g.
//
//   x + y         c = max(min(c_x, k_y), min(k_x, c_y)); d = min of the starts. A
//                 sum that may wrap (no overflow<nsw>, less than 64 bits) is
//                 consecutive in aligned groups only: c falls to min(c, d).
//   x - y         c = min(c_x, k_y), likewise; two consecutive groups differ by
//                 one number: k = min(c_x, c_y).
//   x * y         d = start(x, 1) * start(y, 1); c = 1.
//   x / y         rounding down, y >= 0: all of a group has one quotient, k = g.
//                 Truncating division rounds down only where x >= 0 is known;
//                 rounding up never has such a rule. Exact quotients by a power
//                 of two keep what is left of d.
//   x mod y       x >= 0 or unsigned: the remainder runs with x, c = g.
//                 d = min of the starts, whatever the signs.
//   x & y         y's low zeros make groups equal, a constant's low ones keep
//                 them consecutive; d = max. x | y likewise, with ones and zeros
//                 exchanged; d = min. x ^ y is consecutive over y's low zeros.
//   x < y, x >= y one answer per group: k = g, with x consecutive and y equal; and
//                 for x <= y, x > y with x equal and y consecutive. The other
//                 two combinations, and == and !=, can differ inside a group.
//                 Whatever y is, x < y and x <= y end once in a group of min(aligned(x), k of y).
//   truth & truth e = min of those of the sides.
//   select        a group with one condition is a group of one of the sides.
//   ext, trunc    sign extension keeps all; the others need aligned groups.
//   min, max      of two consecutive groups are one of them.
//   others        element-wise ops on equal operands are equal: k = min.
//   reshape       see AxisInfoShape.cpp.
//   transpose     the same facts of other dimensions.
//   join          what holds of both sides; the new dimension is k = 2 for equal
//                 sides, c = 2 for constants that follow each other.
//   split         what holds of the pairs; where c = 2 of those, d divides all left ones.
//   scf.for       the induction variable is a multiple of what both its lower bound
//                 and its step are; it lies between the bounds, so it is not
//                 negative where the lower bound is not.
//   fsm.assume    `x mod C == 0`, `x & C == 0`, `x >= 0` and the like count for
//                 scalars defined in the block of the assumption, and what is said of
//                 an address (fsm.ptr_to_int) for its pointer.
//   fsm.hint      what it promises; a multiple_of without max_contiguous counts
//                 for the first elements of known groups, beside one of 1 for all.
//   joins         min of everything, after the larger groups were cut: where c
//                 falls to c', d falls to min(d, c').
//
// Values the language leaves unspecified (x / 0, a wide shift, a broken nsw) may
// contradict a claim; they never reach an active access.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_AXISINFO_H
#define FSM_ANALYSIS_AXISINFO_H

#include "fsm/IR/FSMDialect.h"

#include <memory>
#include <optional>

namespace mlir {
class DataFlowSolver;
} // namespace mlir

namespace fsm {

/// What is known of the numbers along one dimension (the file's comment).
struct AxisGroups {
  int64_t contiguity = 1, divisibility = 1, constancy = 1, ending = 1;

  /// Divides the first element of each aligned group of `group` elements.
  int64_t start(int64_t group) const {
    return group < contiguity ? std::min(divisibility, group) : divisibility;
  }
  /// A size of consecutive groups that start at multiples of their size.
  int64_t aligned() const { return std::min(contiguity, divisibility); }
  /// A size of groups of truths that are true up to some element and false behind it.
  int64_t endingGroup() const { return std::max(constancy, ending); }

  bool operator==(const AxisGroups &other) const {
    return contiguity == other.contiguity && divisibility == other.divisibility &&
           constancy == other.constancy && ending == other.ending;
  }
};

/// What is known of the numbers of a value.
struct AxisInfo {
  /// The largest divisibility that is claimed.
  static constexpr int64_t kMaxDivisor = int64_t(1) << 30;

  llvm::SmallVector<AxisGroups, 4> dims;
  /// The number that all elements are, sign-extended; 0 or 1 for i1.
  std::optional<int64_t> constant;
  /// Whether no element is negative, read as a signed number.
  bool isNonNegative = false;

  /// 1 for a scalar; 0 for the state before anything is known.
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }

  /// Divides every element.
  int64_t elementDivisor() const;

  /// What holds of every value of the type: a pointer is naturally aligned.
  static AxisInfo pessimistic(mlir::Type type);

  /// What holds of a block (or scalar) all of whose elements are `number`.
  static AxisInfo ofConstant(mlir::Type type, int64_t number);

  /// What holds of both; a state before anything is known gives way.
  static AxisInfo join(const AxisInfo &left, const AxisInfo &right);

  bool operator==(const AxisInfo &other) const;
  void print(llvm::raw_ostream &os) const;
};

/// The transfer function: what is known of a result of `op` when `operands` holds of
/// its operands. Pessimistic for ops without a rule, region ops among them.
AxisInfo inferAxisInfo(mlir::Operation *op, llvm::ArrayRef<const AxisInfo *> operands,
                       unsigned result = 0);

/// What is known of an argument of a kernel, from its attributes.
AxisInfo axisInfoOfArgument(KernelOp kernel, unsigned index);

/// The narrowest access that cp.async makes (PTX ISA, "cp.async": 4, 8 or 16 bytes).
constexpr uint64_t kMinCopyBytes = 4;

/// How an access may be vectorised, per dimension of its block.
struct AccessAxis {
  /// Elements: each aligned group of so many has consecutive addresses and one mask, or a mask that
  /// ends within it where such accesses may be wider than those of one mask.
  llvm::SmallVector<int64_t> contiguity;
  /// Elements: each aligned group of so many has one mask.
  llvm::SmallVector<int64_t> constancy;
  /// Bytes: a power of two that divides the first address of each such group.
  llvm::SmallVector<int64_t> alignment;
};

/// The facts of all values of a kernel. They hold until the kernel is changed.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(KernelOp kernel);
  ~AxisInfoAnalysis();
  AxisInfoAnalysis(AxisInfoAnalysis &&) noexcept;
  AxisInfoAnalysis &operator=(AxisInfoAnalysis &&) noexcept;

  /// Pessimistic where nothing is known, as in code that is never reached.
  const AxisInfo &of(mlir::Value value);

  /// By dimension what divides how far apart neighbours are, of offsets that are sums of blocks of one dimension each;
  /// nothing of others.
  llvm::SmallVector<int64_t> stepsOf(mlir::Value offsets);

  /// Of an `fsm.load` or `fsm.store`; a scalar access has one dimension. Of any
  /// other op: no dimensions.
  AccessAxis accessOf(mlir::Operation *op);

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
  llvm::DenseMap<mlir::Value, std::unique_ptr<AxisInfo>> unknown;
};

} // namespace fsm

#endif // FSM_ANALYSIS_AXISINFO_H
