//===- RoleOps.td - Warps that only load --------------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ROLEOPS_TD
#define FSM_IR_ROLEOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "fsm/IR/SharedOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_LoadRoleOp : FSM_PlanOp<"load_role", [
    HasParent<"::fsm::KernelOp">, NoTerminator, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "Lets warps of their own fill slots";
  let description = [{
    The cta has four warps more than `num_warps`. One thread of them runs the region, and that is
    all they do; all other warps run what stands behind the op, at the same time. In front of it
    stands what both need, scalars and memory; its barriers are those of all warps, and those behind
    it of the others alone. The region's copies fill slots, of which it waits for the empty ones.

    With `registers` a thread of these warps keeps so many, and one of the others gets `others`.

    ```mlir
    fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_init %empty arrivals 8 : !fsm.shared<3x!fsm.mbarrier>
    fsm.shared_barrier <program>
    fsm.load_role registers 40 others 232 {
      fsm.mbarrier_wait %empty[%slot] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    }
    ```
  }];
  let arguments = (ins
      Arg<OptionalAttr<ConfinedAttr<I32Attr, [IntMinValue<24>, IntMaxValue<256>]>>,
          "what a thread of the role keeps, a multiple of 8; unchanged if absent">:$registers,
      Arg<OptionalAttr<ConfinedAttr<I32Attr, [IntMinValue<24>, IntMaxValue<256>]>>,
          "what a thread of the other warps gets, a multiple of 8">:$others);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`registers` $registers^)? (`others` $others^)? $body attr-dict";
  let builders = [OpBuilder<(ins "unsigned":$registers, "unsigned":$others)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// How many warps a cta has for it.
    static constexpr unsigned kWarps = 4;
    /// The op of a kernel; null if it has none.
    static ::fsm::LoadRoleOp of(::fsm::KernelOp kernel);
  }];
  let hasVerifier = 1;
}

def FSM_MBarrierArriveOp : FSM_SharedAccessOp<"mbarrier_arrive", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Says that a slot has been read";
  let description = [{
    The first thread of each warp of the program arrives at the mbarrier with the slot's number,
    when its warp has done what stands in front. Nothing happens when `condition` is false.

    In a cluster each warp arrives once for each of its programs: at the mbarriers of all of them where
    `together` is true, else at its own program's as often.

    ```mlir
    fsm.mbarrier_arrive %empty[%slot] if %later : !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the mbarriers of the slots">:$mbarriers,
      Arg<I32, "which of them, counted from 0">:$slot,
      Arg<Optional<I1>, "if false, none arrives; true if absent">:$condition,
      Arg<Optional<I1>, "of a cluster: whether its programs fill slots for one another">:$together);
  let builders = [OpBuilder<(ins "::mlir::Value":$mbarriers, "::mlir::Value":$slot, "::mlir::Value":$condition), [{
    build($_builder, $_state, mbarriers, slot, condition, /*together=*/{});
  }]>];
  let assemblyFormat = [{
    $mbarriers `[` $slot `]` (`if` $condition^)? (`together` $together^)? attr-dict `:` qualified(type($mbarriers))
  }];
  let hasVerifier = 1;
}

#endif // FSM_IR_ROLEOPS_TD
