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
    dimension, if `fsm-walk-pieces` can walk it. So does one with a scan of a block that shared memory, of
    which each cta of a cluster has what all of it have, does not hold. The pieces are as long as gives each thread 16
    elements of a row, or as there is room for. With `remarks` it says so, or what is in the way. A kernel
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
    In a kernel with `fsm.piece` a block with more elements along a dimension is never there as a whole. Where
    it has more along several, it is walked along one: where no op combines elements, or else is a reduction, a scan or
    a gather, in this order. Stores, reductions along that dimension, atomics and asserts are
    its *roots*; those that need no result of one another share a loop over pieces, in which what they
    are computed from is computed again for each piece, loads included. A reduction carries
    a block of partial results, of a piece's shape, which begins with the first piece; behind the loop
    these are combined. Elements behind the last whole piece are a shorter piece of their own.

    A scan along that dimension is made of each piece, in each loop that needs it, and combined with what all
    pieces before combine to, which the loop carries: of a kind the reductions of the pieces, of a region what
    the last place of the scan has. Where all scans that a loop needs go in reverse, so does the loop. Where some do and
    some do not, it goes forward, and another loop in front of it notes what each piece combines to; a
    reverse scan of these says what each piece begins with.

    What has been loaded must be what is loaded again: a store may write to it only at the same
    place, in the last loop that needs it. A kernel that cannot be walked is an error at the op that
    is in the way, with the reason.

    Before: a kernel without layouts. After: no block has more elements than `fsm.piece` along
    the dimension that is walked.

    Example: test/Transforms/Rows/walk-pieces.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"loops", "loops", "loops over pieces">,
  ];
}

def BatchProgramsPass : Pass<"fsm-batch-programs", "::fsm::KernelOp"> {
  let summary = "Makes one program of several neighbours whose blocks are small";
  let description = [{
    A program of 8 numbers leaves three quarters of a warp idle. This pass writes a kernel as its author would have
    for several rows: what differs between programs gets one more dimension in front, of a batch of P
    programs that are neighbours along x, and accesses get a mask that leaves out those beyond
    the grid. A pointer that differs becomes the pointer that its programs share and a block of offsets from
    it, in 64 bits. A loop from `fsm.program_id x` on runs as often as that of the first program of a batch does, with a
    mask for the others. What is the same for all programs stays as it is. The kernel gets `fsm.batch`.

    `batch-programs` is P, a power of two, or `never`, or `auto`: where there is no loop, in which few programs might
    stay long, as many programs as have 1024 bytes together, counting the largest block as if of the widest elements
    that the kernel loads or stores. Kernels
    whose largest block would take more than a cta's registers, for no cta could exchange it, stay as they are. Kernels
    that do not read `fsm.program_id x` stay as they are, and so do those with atomics, prints, asserts, products, volatile accesses and control
    flow that differs between programs; with `remarks`, the op that is in the way says so. Without `pack` each program
    is a cta, and stays one.

    Before: a kernel without layouts. After: the same, perhaps of `fsm.batch` programs at once.

    Example: test/Transforms/Rows/batch-programs.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"batchPrograms", "batch-programs", "std::string", /*default=*/"\"auto\"",
           "how many programs are one: 'auto', 'never' or a power of two">,
    Option<"packPrograms", "pack", "bool", /*default=*/"true",
           "let programs share threads at all">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark where programs are batched, or why a kernel of small blocks is not">,
  ];
  let statistics = [
    Statistic<"batched", "batched", "kernels whose programs are batched">,
  ];
}

def SplitEdgesPass : Pass<"fsm-split-edges", "::fsm::KernelOp"> {
  let summary = "Lets rows that begin anywhere be accessed by whole vectors";
  let description = [{
    Rows of an odd number of elements of less than a word begin anywhere, so that threads would load and store
    them element by element. Where a block of 1.5 KB or more, of elements of 16 bits and one dimension, is loaded so and something is
    reduced (of 1.6 KB where weights and a bias are loaded beside it, or a load waits for another one), this pass makes several of it: *parts* of what lies in whole vectors of 16 bytes of memory, each a vector for each thread,
    and *edges*, what is in front of these and behind. Ops that work element by element are written for all of them, all loads
    of rows first, then part by part; a reduction combines what it makes of each. How many elements are in front is asked of
    the address of the first such load. Accesses of other arrays, whose rows may lie otherwise, test whether they lie alike, and are
    vectors then. Those that do not, edges, and what never does, such as a row of weights that all programs share, have `fsm.follows`, and
    such loads of weights `fsm.any_start`. Parts of one access have one number, `fsm.row_part`. The kernel gets `fsm.hold_narrow`, and as many
    warps and ctas as let a thread wait with 104 bytes of rows, where its author gave it none: of ctas, twice as many of four warps where something is
    reduced more than once.

    Kernels are left as they are in which blocks of that extent are used in loops or branches, scanned, combined by a region, reshaped,
    gathered from or accessed by atomics; and those of a launch of few programs.

    Before: a kernel without layouts. After: the same, with blocks of two other extents.

    Example: test/Transforms/Rows/split-edges.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [TargetOption];
  let statistics = [
    Statistic<"split", "split", "kernels whose rows are split">,
  ];
}

#endif // FSM_TRANSFORMS_ROWPASSES_TD
