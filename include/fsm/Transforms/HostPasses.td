//===- HostPasses.td - How a CPU runs a kernel -------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_HOSTPASSES_TD
#define FSM_TRANSFORMS_HOSTPASSES_TD

include "mlir/Pass/PassBase.td"

def PlanHostLoopsPass : Pass<"fsm-plan-host-loops", "::fsm::KernelOp"> {
  let summary = "Decides which block ops share a loop on the host";
  let description = [{
    On a CPU a block is computed by a loop over vectors. This pass decides how:

    1. A *root* is an op whose block must be walked for its own sake: a store, a
       reduction, or a value that is kept in a buffer (`fsm.host_buffer`). All
       other element-wise values are recomputed inside the loops of their users.
    2. A value is kept when it is used by several loops and is not cheap to
       recompute, when a loop reads other elements of it than it is at, or when
       recomputing it later could see memory that has changed. Of views, such as a
       transpose, it is the source that is kept.
    3. Roots of the same iteration space that do not depend on one another's
       complete results share a loop: they get the same `fsm.host_loop`
       number, in the order in which loops run, and `fsm.host_unroll`, the vectors
       one iteration computes: more of them hide the latency of a reduction. A product
       gets `fsm.host_tile`, the rows of a tile of its sums and the vectors of each. Where
       rows are shorter than a vector it goes on in the next one
       (`fsm.host_across_rows`).
    4. Loads and stores get `fsm.host_stride`, the distance in elements between
       neighbours along the innermost dimension, where it is known: 1 is a vector
       access; short rows may be one behind the other in memory (`fsm.host_dense`).
       A comparison of a number that runs along the row by 1 with another one
       gets `fsm.host_row_step`: up to where they meet, vectors need no mask. A vector store
       to a `fsm.large` buffer at whole, aligned vectors gets `fsm.host_stream`: it
       passes the caches by.
    5. The roots of a loop get `fsm.host_ends` where a vector behind the mask of its rows
       can do nothing but change partial results, always in the same way: the loop ends
       there once one has changed none (include/fsm/Analysis/RowMask.h). Where such a loop,
       or one without masks, only stores to a `fsm.large` buffer, long rows that begin anywhere
       get `fsm.host_from_line`: whole vectors begin at the first line of the row, so that
       they pass the caches by as well.
       A line of each page that is stored to around the caches is fetched before the loop with the
       number `fsm.host_touch_pages`, one of those in front of the store's: the first from which on
       no control flow comes, unless the addresses follow from what loops compute.
    6. In a loop with `fsm.num_stages` of 2 or more, a load that several loops read
       gets `fsm.host_prefetch`: the last of them, in which the elements of a later
       iteration are prefetched, and how many iterations later (fewer than stages).

    Before: an inlined kernel. After: every root carries its loop's number; the
    conversion `convert-fsm-to-cpu` only acts on these attributes.

    Example: test/Transforms/Host/plan-host-loops.mlir

    Example: test/Transforms/Host/plan-host-ends.mlir

    Example: test/Transforms/Host/plan-host-views.mlir
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", /*default=*/"64",
           "bytes of the host's vector registers">,
  ];
}

def ShareLoopsPass : Pass<"fsm-share-loops", "::mlir::ModuleOp"> {
  let summary = "Makes one function of the equal loops of a long one";
  let description = [{
    In a function of more than `most-ops` ops, loops, branches and arithmetic that do
    the same to other values become calls of one function of what they do. What
    constants they use is part of it. It takes longer to call it than to go on, and
    LLVM knows less of what it is called with, but the time of a compile no longer grows
    with what a kernel repeats.

    Before: the output of `convert-fsm-to-cpu`. After: the same, with more functions.

    Example: test/Transforms/Host/share-loops.mlir
  }];
  let options = [
    Option<"mostOps", "most-ops", "unsigned", /*default=*/"16384",
           "a function of so many ops stays as it is">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // FSM_TRANSFORMS_HOSTPASSES_TD
