//===- RoleNest.h - The loops of a load role -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_ROLENEST_H
#define FSM_TRANSFORMS_PIPELINE_ROLENEST_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>
#include <string>

namespace fsm {

/// A loop whose early ops go to a role, the loops around it, and what of these the role computes for
/// itself: where copies begin, how many there are, and what loops carry for that.
class RoleNest {
public:
  RoleNest(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> early);

  /// Why a role cannot have these loops, or nothing.
  std::optional<std::string> obstacle();
  /// What the role needs from in front of all loops, in program order. Known behind obstacle().
  llvm::ArrayRef<mlir::Operation *> inFront() const { return front; }
  /// What the innermost loop carries for the early ops: the numbers of its body's arguments.
  llvm::SmallVector<unsigned> carriedNumbers() const;
  /// Whether there is a loop around.
  bool isNested() const { return levels.size() > 1; }

  /// What an iteration of the innermost loop does for the role, and the phase behind it.
  using Body = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &, mlir::IRMapping &,
                                              mlir::Value phase)>;
  /// Makes the same loops once more, which carry a phase beside what copies need.
  void clone(mlir::ImplicitLocOpBuilder &builder, mlir::Value phase, Body body);

private:
  struct Level {
    mlir::scf::ForOp loop;
    llvm::SetVector<mlir::BlockArgument> carried;
    /// What the role computes in an iteration, of the loops around alone.
    llvm::DenseSet<mlir::Operation *> needed;
  };

  void need(mlir::Value value);
  void needResult(mlir::OpResult result);
  void needOp(mlir::Operation *op);
  /// The argument that the role's loop carries for what a loop results in, or null.
  mlir::BlockArgument carriedFor(unsigned level, mlir::OpResult result) const;
  unsigned levelOf(mlir::Block *block) const;
  mlir::Value cloneLevel(mlir::ImplicitLocOpBuilder &builder, unsigned level, mlir::IRMapping &mapping,
                         mlir::Value phase, Body body);
  mlir::Value cloneOps(mlir::ImplicitLocOpBuilder &builder, unsigned level, mlir::IRMapping &mapping,
                       mlir::Value phase, Body body);

  /// The outermost loop first.
  llvm::SmallVector<Level> levels;
  llvm::SetVector<mlir::Operation *> early;
  llvm::DenseSet<mlir::Operation *> inFrontOfAll;
  llvm::SmallVector<mlir::Value> todo;
  llvm::SmallVector<mlir::OpResult> results;
  llvm::SmallVector<mlir::Operation *> front;
  std::optional<std::string> why;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_ROLENEST_H
