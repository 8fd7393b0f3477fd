//===- ProductsInFlight.h - Products that end later ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_PRODUCTSINFLIGHT_H
#define FSM_ANALYSIS_PRODUCTSINFLIGHT_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {

/// In what the loop around a product carries its sums, if nothing else of the iteration uses them; null if something
/// does.
mlir::BlockArgument carriedSums(SharedDotOp product);

/// A product of each iteration that threads wait for, and so for all that began before it, in front of another product
/// whose sums are carried; null if there is none. In front of it nothing uses these sums, and what threads hold of
/// the other's left factor is computed from it, so that nothing is written to registers that the other one of the
/// iteration before may still read.
SharedDotOp awaitedBefore(SharedDotOp product);

/// Whether threads meet once more behind the only product in flight of a loop, the first of its iteration: all have
/// waited for the one before, and copies that they make themselves may go to its slot. `inFlight` are all such products.
bool meetsBehindProduct(mlir::scf::ForOp loop, llvm::ArrayRef<SharedDotOp> inFlight);

} // namespace fsm

#endif // FSM_ANALYSIS_PRODUCTSINFLIGHT_H
