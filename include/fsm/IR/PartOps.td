//===- PartOps.td - Programs whose loop several ctas share --*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PARTOPS_TD
#define FSM_IR_PARTOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// A kernel with `fsm.parts` is run by so many ctas, a cluster, each of which runs all of it as if it were
// alone, and takes a part of the iterations of one loop. `fsm-split-loops` writes such kernels.

def FSM_PartIdOp : FSM_PlanOp<"part_id", [Pure]> {
  let summary = "Gives the number of this cta among those that share a loop";
  let description = [{
    From 0 to `fsm.parts` of the kernel minus one.

    ```mlir
    %part = fsm.part_id : i32
    ```
  }];
  let results = (outs Res<I32, "which of the ctas this is, counted from 0">:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def FSM_SumPartsOp : FSM_PlanOp<"sum_parts", [
    AllTypesMatch<["sums", "result"]>, FSM_LayoutTransferInterface,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Adds up what the ctas that share a loop have summed";
  let description = [{
    The first cta gets the sum of its own block and those of the others, in the order of their numbers; the
    others get nothing of use. An `fsm.end_parts` comes behind.

    ```mlir
    %all = fsm.sum_parts %own : tensor<16x128xf32>
    ```
  }];
  let arguments = (ins Arg<FSM_Block, "what this cta has summed">:$sums);
  let results = (outs Res<FSM_Block, "the sum of all ctas' blocks, in the first cta">:$result);
  let assemblyFormat = "$sums attr-dict `:` type($sums)";
  let extraClassDeclaration = [{
    std::optional<::fsm::LinearLayout> operandLayout(const ::fsm::LinearLayout &result) { return result; }
    std::optional<::fsm::LinearLayout> resultLayout(const ::fsm::LinearLayout &operand) { return operand; }
    bool followsOperands() { return true; }
  }];
}

def FSM_EndPartsOp : FSM_PlanOp<"end_parts", [
    HasParent<"::fsm::KernelOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Ends all ctas that share a loop but the first";
  let description = [{
    What stands behind it only the first cta runs.

    ```mlir
    fsm.end_parts
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FSM_IR_PARTOPS_TD
