//===- RowPasses.td - Blocks that no registers hold ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWPASSES_TD
#define FSM_TRANSFORMS_ROWPASSES_TD

include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def ChoosePiecesPass : Pass<"fsm-choose-pieces", "::fsm::KernelOp"> {
  let summary = "Decides which kernels walk their blocks piece by piece";
  let description = [{
    A kernel whose blocks have room in the registers of neither one cta of `target` nor a
    cluster of them gets `fsm.piece`, the elements of a block that it is at along a
    dimension, if `fsm-walk-pieces` can walk it. With `remarks` it says so, or what is in the way. A kernel
    that has `fsm.piece` keeps it.

    Before: a kernel without layouts. After: the same, perhaps with `fsm.piece`.

    Example: test/Transforms/Rows/choose-pieces.mlir
  }];
  let options = [
    TargetOption,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark where blocks are walked piece by piece, or cannot be">,
  ];
}

def WalkPiecesPass : Pass<"fsm-walk-pieces", "::fsm::KernelOp"> {
  let summary = "Walks blocks piece by piece";
  let description = [{
    In a kernel with `fsm.piece` a block with more elements along a dimension, at most one of each
    block, is never there as a whole. Stores, reductions along that dimension, atomics and asserts are
    its *roots*; those that need no result of one another share a loop over pieces, in which what they
    are computed from is computed again for each piece, loads included. A reduction carries
    a block of partial results, of a piece's shape, which begins with the first piece; behind the loop
    these are combined. Elements behind the last whole piece are a shorter piece of their own.

    What has been loaded must be what is loaded again: a store may write to it only at the same
    place, in the last loop that needs it. A kernel that cannot be walked is an error at the op that
    is in the way, with the reason.

    Before: a kernel without layouts. After: no block has more elements than `fsm.piece` along
    a dimension.

    Example: test/Transforms/Rows/walk-pieces.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"loops", "loops", "loops over pieces">,
  ];
}

#endif // FSM_TRANSFORMS_ROWPASSES_TD
