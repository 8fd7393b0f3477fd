//===- ExpandPasses.td - Passes that write ops out ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_EXPANDPASSES_TD
#define FSM_TRANSFORMS_EXPANDPASSES_TD

include "mlir/Pass/PassBase.td"

def CountTripsPass : Pass<"fsm-count-trips", "::fsm::KernelOp"> {
  let summary = "Finds loops over a row that run a known number of times";
  let description = [{
    A loop over the blocks of a row runs as often as the row is long. Where the constant that it ends at, or `fsm.at_least` and `fsm.at_most`
    of an argument, which a launch knows, say how often, and that is eight times at most, it ends at a constant and gets `fsm.unroll`: written out, it
    counts nothing, all of its loads can be under way at once, and what one loop has loaded another one need not load again. What it does in its first
    iteration alone is there once.

    It is done to loops without stages that load, compute, also in branches, and store, in few ops, and of which a thread holds 128 elements at most.

    Before: an inlined kernel. After: the same.

    Example: test/Transforms/Expand/count-trips.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"counted", "counted", "loops that are known to run a few times">,
  ];
}

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

def PeelLoopsPass : Pass<"fsm-peel-loops", "::fsm::KernelOp"> {
  let summary = "Writes the first iteration of loops over a row in front of them";
  let description = [{
    A loop over the blocks of a row often runs once: whoever launches the kernel chooses blocks as long as rows where there is room for
    such. Its first iteration goes in front of it, under a condition, and the loop, which gets `fsm.peeled`, begins with the second one. So nothing is
    counted where there is one, no address moves, and what the rest of the loop needs is made where it runs.

    It is done to a loop that nothing is known to run twice, or how often: its first number and its step are constants, its end is none, the step
    is the last extent of a block that it loads, of which each thread has at least 16 bytes, and it has no stages. It loads, computes and
    stores, in few ops.

    Before: a kernel behind `fsm-choose-warps`. After: the same, with some iterations written twice.

    Example: test/Transforms/Expand/peel-loops.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"peeled", "peeled", "first iterations written in front of their loops">,
  ];
}

def RollLoopsPass : Pass<"fsm-roll-loops", "::fsm::KernelOp"> {
  let summary = "Writes what repeats in a long kernel as loops";
  let description = [{
    Programs that write kernels write one op after the other: 7,500 products in a row, each of which
    would become code of its own. Where a group of ops repeats, the first copy becomes the body of a
    loop and the others go. Copies are ops of the same names, attributes, types and regions in the same order;
    an operand of theirs is the same value from outside, a result of the same copy, a result of the copy before, which the loop
    then carries, or an integer constant that moves by the same step from copy to copy, which the counter
    then gives. A result that others use behind the copies is one of the last copy. What a copy reads and
    writes it reads and writes in its turn, and the answers are the same, bit for bit.

    `roll-from` is how many ops a kernel has at least, products counted 16 times, for anything to be
    rolled; a sixteenth of that is what all copies have at least, and a sixty-fourth what a loop's body has.
    Loops with `fsm.num_stages` keep their bodies, whose loads run ahead. Prints and asserts have a number
    each, and so do not repeat.

    Before: a kernel without layouts. After: the same, perhaps with fewer ops.

    Example: test/Transforms/Roll/roll-loops.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"rollFrom", "roll-from", "unsigned", /*default=*/"4096",
           "how many ops the kernel has at least, each product counted as 16">,
  ];
  let statistics = [
    Statistic<"rolled", "rolled", "loops written for what repeats">,
  ];
}

def ExpandBlocksPass : Pass<"fsm-expand-blocks", "::fsm::KernelOp"> {
  let summary = "Writes what is short for other ops as these";
  let description = [{
    `fsm.places`, `fsm.slice`, `fsm.extract`, `fsm.cat`, `fsm.sort`, `fsm.topk`, `fsm.histogram`
    and `fsm.broadcast` with `dims` become ranges, arithmetic, shapes, gathers and reductions, and
    `fsm.load_tile` and `fsm.store_tile` loads and stores under a mask, so that passes behind it
    know one way to say a thing. Only the interpreter runs these ops themselves.

    With `count-in-memory` an `fsm.histogram` stays where one cta holds its numbers in registers and has room for its counts in
    shared memory: where no block of the kernel has more than 16384 elements, the counts are at most 8192, and the kernel
    is not on several ctas. Warps are chosen behind it, and with them ctas, so it runs once more then.

    Before: an inlined kernel. After: it holds none of these ops, but for histograms that stay.

    Example: test/Transforms/Expand/expand-blocks.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"countInMemory", "count-in-memory", "bool", /*default=*/"false",
           "leave histograms that threads of one cta count in shared memory">,
  ];
  let statistics = [
    Statistic<"expanded", "expanded", "ops written as others">,
  ];
}

#endif // FSM_TRANSFORMS_EXPANDPASSES_TD
