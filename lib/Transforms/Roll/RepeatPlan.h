//===- RepeatPlan.h - Which ops of a block repeat --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROLL_REPEATPLAN_H
#define FSM_TRANSFORMS_ROLL_REPEATPLAN_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"

#include <optional>
#include <vector>

namespace fsm {

/// What an operand is in each copy of a group of ops.
enum class Source {
  Outside,    ///< the same value, from outside of all copies, or an equal constant
  SameCopy,   ///< a result of the same copy
  CopyBefore, ///< a result of the copy before; of the first copy, any value from in front of it
  Moving,     ///< an integer constant that grows by the same step from copy to copy
};

/// An operand of the first copy, and how that of the others follows from it.
struct RepeatedOperand {
  mlir::OpOperand *operand;
  Source source;
  /// Of SameCopy and CopyBefore: the result of the first copy which corresponds to the operand.
  mlir::OpResult result;
  /// Of Moving, in the bits of the constant.
  llvm::APInt step;
};

/// Ops that follow one another, constants between them left out: a group, so many times. Nobody
/// behind it uses a result of any but the last copy.
struct Repeat {
  llvm::ArrayRef<mlir::Operation *> ops;
  size_t groupSize = 0;
  std::vector<RepeatedOperand> operands;

  size_t copies() const { return ops.size() / groupSize; }
  llvm::ArrayRef<mlir::Operation *> group() const { return ops.take_front(groupSize); }
};

/// From where on repeats are looked for, and how much one has, in ops; products count more.
struct RepeatBounds {
  /// Of all copies together.
  uint64_t leastWeight;
  /// Of a group: what repeats sooner is taken several times for one.
  uint64_t leastGroup;
};

/// How many ops it counts for, with those inside.
uint64_t weightOf(mlir::Operation *op);

/// The number that an integer has, or each element of a block.
std::optional<llvm::APInt> movingNumber(mlir::Value value);

/// The repeats of a block, none of which has an op of another.
class RepeatPlan {
public:
  RepeatPlan(mlir::Block &block, RepeatBounds bounds);

  const std::vector<Repeat> &repeats() const { return found; }

private:
  /// The ops of the block in their order but constants and the terminator.
  std::vector<mlir::Operation *> ops;
  std::vector<Repeat> found;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_ROLL_REPEATPLAN_H
