//===- ExpandPasses.td - Passes that write ops out ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_EXPANDPASSES_TD
#define FSM_TRANSFORMS_EXPANDPASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollLoopsPass : Pass<"fsm-unroll-loops", "::fsm::KernelOp"> {
  let summary = "Writes loops out, iteration by iteration";
  let description = [{
    A loop with `fsm.unroll` becomes its iterations, one behind the other, outer loops first; the
    number of the iteration is a constant in each, and what follows from it alone is folded. Its
    bounds and its step must be constants then, and the kernel must not become too long.

    Before: an inlined kernel. After: no loop has `fsm.unroll`.

    Example: test/Transforms/Expand/unroll-loops.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"unrolled", "unrolled", "loops written out">,
  ];
}

def ExpandBlocksPass : Pass<"fsm-expand-blocks", "::fsm::KernelOp"> {
  let summary = "Writes what is short for other ops as these";
  let description = [{
    `fsm.places`, `fsm.slice`, `fsm.extract`, `fsm.cat`, `fsm.sort`, `fsm.topk`, `fsm.histogram`
    and `fsm.broadcast` with `dims` become ranges, arithmetic, shapes, gathers and reductions, and
    `fsm.load_tile` and `fsm.store_tile` loads and stores under a mask, so that passes behind it
    know one way to say a thing. Only the interpreter runs these ops themselves.

    Before: an inlined kernel. After: it holds none of these ops.

    Example: test/Transforms/Expand/expand-blocks.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"expanded", "expanded", "ops written as others">,
  ];
}

#endif // FSM_TRANSFORMS_EXPANDPASSES_TD
