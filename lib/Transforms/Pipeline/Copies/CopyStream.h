//===- CopyStream.h - Copies that go on with a loop's next run -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_COPYSTREAM_H
#define FSM_TRANSFORMS_PIPELINE_COPYSTREAM_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace fsm {

/// Whether a value is the same in all iterations of a loop.
bool isInvariant(mlir::Value value, mlir::scf::ForOp loop);

/// Whether an op only repeats elements, so that its result is made again where it is used.
bool repeatsElements(mlir::Operation *op);

/// The copies that an inner loop makes for its iterations `distance` further on. The last iterations have none to make,
/// unless they make those of the inner loop's next run:
///
///   for k                                    for k, rows
///     copy rows, k + 2, if k < n - 2           rows = k == n - 2 ? those of the next run : rows
///     ...                                      copy rows, k < n - 2 ? k + 2 : k + 2 - n, if there is such a run
///                                              ...
///
/// What differs between runs, such as where rows begin, the inner loop carries.
class CopyStream {
public:
  /// Nothing where the copies are made of anything else than their iteration's number and what the outer loop
  /// computes in front.
  static std::optional<CopyStream> of(mlir::scf::ForOp outer, mlir::scf::ForOp inner, int64_t distance);

  /// What the outer loop's body computes in front of the inner loop, other in each run, and copies use.
  llvm::ArrayRef<mlir::Value> rows() const { return perRun.getArrayRef(); }

  /// Whether one run makes as many iterations as copies are ahead, so that it begins all of the next one's.
  mlir::Value isLong(mlir::ImplicitLocOpBuilder &builder) const;

  /// Rewrites the inner loop; gives the new one, of which the last results are the rows that it has come to.
  /// `exists` says whether there is a next run, and `compute` computes its rows.
  mlir::scf::ForOp
  write(mlir::Value exists,
        llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ImplicitLocOpBuilder &)> compute);

private:
  CopyStream(mlir::scf::ForOp outer, mlir::scf::ForOp inner, int64_t distance)
      : outer(outer), inner(inner), distance(distance) {}

  bool find();
  bool add(mlir::Value value);
  bool addFromOutside(mlir::Value value);
  mlir::Value endOf(mlir::ImplicitLocOpBuilder &builder) const;
  bool isAhead(mlir::Operation *op) const;
  bool isInside(mlir::Operation *op) const;
  mlir::Value ownOf(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                    llvm::DenseMap<mlir::Value, mlir::Value> &own) const;

  mlir::scf::ForOp outer, inner;
  int64_t distance, step = 1;
  llvm::SetVector<mlir::Value> perRun;
  /// What the copies are computed of: the number of their iteration, whether there is one, and what is made of these.
  llvm::SetVector<mlir::Operation *> ahead, inside, made, copies;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_COPYSTREAM_H
