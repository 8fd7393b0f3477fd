//===- AffineOffsets.h - Integers as sums of indices -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offsets of an access are mostly affine: what is the same for all elements, and the indices
// of the element times constants. AffineOffsets has each integer, scalar or block, in one normal
// form, from which follows what anybody asks of offsets: how far apart neighbours are, what
// divides them, whether two are equal, how they move with a loop, where a mask ends.
//
//   block[i] = factor * symbol[i] + ... + factor * i_d + ... + constant
//
// A symbol is a value that is not taken apart: a scalar, or a block of the same shape. Of the
// latter a form has one at most. A block's form ends at the scalars that are splat, which have
// forms of their own.
//
//   %r = fsm.range 0, 64                    i_0
//   %a = fsm.expand_dims %r axis 1          i_0                       [64, 1]
//   %p = %a * 100 (nsw)                     100 * i_0
//   %o = broadcast %p + broadcast %c (nsw)  100 * i_0 + i_1           with %c of a range
//   %q = %o + splat(%n)                     100 * i_0 + i_1 + %n      in its 32 bits only
//   %w = extsi %q                           %w                        a symbol: see below
//
// Wrapping. A form is the sum of signed numbers that never end. What it says of a value is
//
//   Number    the value is the sum;
//   Address   the value, sign-extended, is the sum modulo 2^64: what i64 ops without
//             overflow<nsw> keep, and what an address needs;
//   Bits      the value is the sum modulo 2^w in its own w bits: what all of + - * and trunc keep.
//
// Each op does one of three things. An op that cannot wrap (overflow<nsw>) keeps what its operands
// have; one that has only Bits it takes for a symbol. An op of 64 bits that may wrap makes an
// Address. Any other makes Bits, of operands which it takes for symbols unless they are Numbers
// whose factors are 1 or -1: so a symbol times its factor is a number of the op's width wherever
// the sum is not. To sign-extend Bits would be wrong: the result is a symbol.
//
// Steps. A symbol has no form but may have steps, as %w above: neighbours along a dimension differ
// by a constant, as 64-bit numbers after sign extension. They are known of each value. A sum in 32
// bits may wrap between two neighbours; but where along the rows it runs up by 1 from a multiple of
// kAlignedGroup on, it does so at multiples only (the language claims contiguity in aligned
// groups). Then `inGroups` says that the step along the rows holds within aligned groups.
//
// Wrapping::Ignored takes all for Numbers, whatever the ops: for guesses, such as which way lanes
// should go, of which `row * stride + column` without overflow<nsw> has no certain step; nor has
// `i % width`, of which it takes rows for longer than what is asked of.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_AFFINEOFFSETS_H
#define FSM_ANALYSIS_AFFINEOFFSETS_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace fsm {

/// How a sum is meant that may leave its bits.
enum class Wrapping { Heeded, Ignored };

/// What of a value is its form (the file's comment).
enum class Exactness { Number, Address, Bits };

/// `factor` times a symbol, or times the index along a dimension.
struct AffineTerm {
  /// A scalar, or a block of the same shape; null for an index.
  mlir::Value symbol;
  unsigned dim = 0;
  int64_t factor = 1;

  bool isBlock() const { return symbol && mlir::isa<mlir::RankedTensorType>(symbol.getType()); }
};

/// Numbers are modulo 2^64.
struct AffineForm {
  using Steps = llvm::SmallVector<std::optional<int64_t>, 4>;

  /// In the order of the ops' operands, no symbol or dimension twice.
  llvm::SmallVector<AffineTerm, 3> terms;
  int64_t constant = 0;
  Exactness exactness = Exactness::Number;

  /// Per dimension the difference between neighbours, where it is certain; 0 along an extent of 1.
  Steps steps;
  /// The innermost step holds only within aligned groups.
  bool inGroups = false;
  /// Divides a scalar, and the first element of each aligned group of a block. A power of two.
  int64_t divisor = 1;

  bool isConstant() const { return terms.empty(); }
};

/// A mask that is true for exactly those elements whose index along `dim` is less than
/// `bound - base - start`, as numbers that never wrap.
struct MaskEnd {
  unsigned dim = 0;
  mlir::Value bound;
  /// Null for 0.
  mlir::Value base;
  int64_t start = 0;
  /// Divides the bound, and `base + start`.
  int64_t divisor = 1;
};

/// Whether its numbers are of 32 bits, so that in 64 nothing that is computed of them wraps.
bool isShort(const MaskEnd &end);

/// The same, or they were of 32 bits before they were extended.
bool isOfShorts(const MaskEnd &end);

/// Whether an order has the larger side on the left.
inline bool isGreater(mlir::arith::CmpIPredicate order) {
  using mlir::arith::CmpIPredicate;
  return order == CmpIPredicate::sgt || order == CmpIPredicate::sge ||
         order == CmpIPredicate::ugt || order == CmpIPredicate::uge;
}

/// How far apart the numbers of two iterations can be, which a sum that wraps brings together
/// again where it is too far.
enum class Reach {
  /// They are multiples of the counter, none of which has wrapped.
  Multiples,
  /// Less than half of what the value's bits hold.
  Half,
  Any
};

/// How the numbers of a value move from one iteration of a loop to the next.
struct Movement {
  /// Times the step of the loop, at least.
  int64_t factor = 0;
  /// The largest distance of two elements of a block in one iteration.
  int64_t spread = 0;
  Reach reach = Reach::Multiples;
};

/// Of the sum of two numbers; none where both move.
std::optional<Movement> sumOf(const Movement &left, const Movement &right);

/// The forms of a kernel's values, each computed once, when it is asked for. They hold until the
/// kernel is changed.
class AffineOffsets {
public:
  /// The largest number of neighbours a reader of steps may access at once, starting at a multiple
  /// of it.
  static constexpr int64_t kAlignedGroup = 64;
  /// What is enough for one access where forms are not kept.
  static constexpr size_t kFewValues = 256;

  /// Looks at so many values at most; others are symbols.
  explicit AffineOffsets(Wrapping wrapping = Wrapping::Heeded, size_t limit = SIZE_MAX)
      : wrapping(wrapping), limit(limit) {}

  const AffineForm &of(mlir::Value value);

  /// The step along the rows of a block, within aligned groups at least.
  std::optional<int64_t> innerStep(mlir::Value block);

  /// A number of bytes, a power of two, that divides the address of the first element of each
  /// aligned group of an access (`offsets` null: of the pointer).
  int64_t alignment(mlir::Value pointer, mlir::Value offsets);

  /// Whether no two elements of a block are equal, as far as is known.
  bool areDistinct(mlir::Value block);

  /// Where a mask ends that compares indices with one number.
  std::optional<MaskEnd> endOf(mlir::Value mask);

  /// When `mask` is true exactly for the first n elements of every row, for one n: the scalar n.
  /// Null otherwise.
  mlir::Value rowBound(mlir::Value mask);

  /// Whether an element that a mask has says of all those of lower indices that `number` has not wrapped: the mask has them as
  /// well, or is made of the number. Null is a mask of all.
  bool hasFirst(mlir::Value mask, mlir::Value number);

  /// How the sides of a comparison of order come closer along each row: 1 where the smaller one
  /// runs up by 1, -1 where the larger one runs down, 0 where neither moves. The side that moves
  /// may wrap, but not before it has met the other one: if the comparison holds for the first
  /// element, it does for as many as the sides are apart.
  std::optional<int64_t> rowStep(mlir::arith::CmpIOp compare);

  /// Of a number, or of a block of them; none where it is not known.
  std::optional<Movement> movementOf(mlir::Value value, mlir::scf::ForOp loop);

  /// Whether what moves so has no number of one iteration in another one.
  bool comesOnce(const Movement &moved, mlir::scf::ForOp loop);

private:
  AffineForm compute(mlir::Value value);
  AffineForm ofArgument(mlir::BlockArgument argument);
  AffineForm ofCarried(mlir::BlockArgument argument, mlir::scf::ForOp loop);
  AffineForm ofSum(mlir::Operation *op);
  AffineForm ofProduct(mlir::Operation *op);
  AffineForm ofDivision(mlir::Operation *op);
  AffineForm ofCast(mlir::Operation *op);
  AffineForm ofHint(HintOp hint);
  AffineForm ofShape(mlir::Operation *op);
  AffineForm ofReshape(ReshapeOp op);

  AffineForm operandOf(mlir::Operation *op, unsigned number);
  AffineForm wholeOf(mlir::Value value);
  Exactness exactnessOf(mlir::Operation *op, const AffineForm &form) const;
  AffineForm finished(mlir::Value value, AffineForm form);
  void findSteps(mlir::Value value, AffineForm &form);
  bool areApart(mlir::Value block, AffineForm form);
  std::optional<int64_t> stepInBits(mlir::Value block, unsigned depth = 0);
  std::optional<Movement> computeMovement(mlir::Value value, mlir::scf::ForOp loop);
  std::optional<Movement> movementOfSymbol(mlir::Value value, mlir::scf::ForOp loop);
  std::optional<Movement> movementOfTerm(const AffineTerm &term, mlir::Value value,
                                         mlir::scf::ForOp loop, bool isWhole);

  Wrapping wrapping;
  size_t limit;
  /// A carried block is supposed to have the steps it begins with.
  bool isSupposing = false;
  llvm::DenseMap<mlir::Value, std::unique_ptr<AffineForm>> known;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Operation *>, std::optional<Movement>> movements;
  unsigned depth = 0;
};

} // namespace fsm

#endif // FSM_ANALYSIS_AFFINEOFFSETS_H
