//===- CopyPasses.td - What copies bring, and what they leave -*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_COPYPASSES_TD
#define FSM_TRANSFORMS_COPYPASSES_TD

include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def StreamFactorsPass : Pass<"fsm-stream-factors", "::fsm::KernelOp"> {
  let summary = "Lets factors that are read once pass through the L2 cache";
  let description = [{
    In a loop with stages and products, one of whose loads reads all of its tensor along the dimension that the loop does not go along, programs
    differ by what the other loads read: each element of it is read once. Of buffers that the cache has no room for (`fsm.large`) such loads get
    `fsm.streams`: what they become leaves the cache first. That the tensor ends within the tile follows from constants
    and `fsm.at_most`.

    Author's hints stay, and so do targets without hints.

    Before: a kernel behind `fsm-normalize-loops`. After: the same, with hints.

    Example: test/Transforms/Pipeline/stream-factors.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"streams", "streams", "loads that get a hint">,
  ];
}

def FitBoxesPass : Pass<"fsm-fit-boxes", "::fsm::KernelOp"> {
  let summary = "Lets boxes of copies end where their tensor does";
  let description = [{
    The hardware fills in zeros for what is behind a tensor's end more slowly than it copies. Where each launch knows that the tensor is
    shorter along its first dimension than a tile, which is one box along it, `fsm.tensor_map` gets `box_ends`: a launch's box is as
    long as the tensor, so that copies bring fewer bytes. What they leave of the slots an `fsm.clear_lines` in front of all loops sets to zero. Threads meet
    behind it, with a fence.

    Programs of a cluster that copy for one another keep whole boxes, which they share by lines, and so do maps that a program makes.

    Before: a kernel behind `fsm-expand-loops`. After: the same copies, some by boxes that end with their tensor.

    Example: test/Transforms/Pipeline/fit-boxes.mlir
  }];
  let statistics = [
    Statistic<"fitted", "fitted", "maps whose boxes end with their tensors">,
  ];
}

def FetchEarlyPass : Pass<"fsm-fetch-early", "::fsm::KernelOp"> {
  let summary = "Fetches what is copied once while launches before go on";
  let description = [{
    A launch that begins early waits for the one before it, and from the last copies of the one to the first of the other the memory has
    nothing to do. Where warps of their own make the copies (`fsm.load_role`), and these have `fsm.streams`, the boxes of the loop's first
    iterations get an `fsm.fetch_tensor` each in front of `fsm.wait_prerequisites`, of half as many iterations as there are slots. Of
    coordinates that follow from memory nothing is fetched.

    Before: a kernel behind `fsm-overlap-launches`. After: the same, which fetches first.

    Example: test/Transforms/Pipeline/fetch-early.mlir
  }];
  let statistics = [
    Statistic<"fetched", "fetched", "boxes that are fetched in front of the wait">,
  ];
}

#endif // FSM_TRANSFORMS_COPYPASSES_TD
