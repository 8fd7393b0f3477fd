//===- PipelineOps.td - Loads that run ahead of their loop --*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PIPELINEOPS_TD
#define FSM_IR_PIPELINEOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "fsm/IR/SharedOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_CopyAsyncOp : FSM_SharedAccessOp<"copy_async", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>, FSM_GlobalAccessInterface, FSM_SlotCopyInterface]> {
  let summary = "Begins to load a block into a slot of shared memory";
  let description = [{
    What `fsm.load` would read is on its way into the slot until a wait says that it
    has arrived. Nothing happens when `condition` is false.

    Each thread copies the elements that it holds of the block, in accesses of
    `fsm.access_width` elements along `fsm.access_dim`, to where the layout of the slots has
    them; where the mask is false zeros are. `fsm.copy_wait` waits for that.

    With an `mbarrier` it is a *bulk copy*: the program's first thread copies the first `count`
    elements, or all, at once: they lie one behind the other. Their bytes and the first one's
    address are multiples of 16. The other elements of the slot stay what they are. Behind an
    `fsm.mbarrier_wait` for the mbarrier with the slot's number they have arrived. With `fence`
    that thread first makes sure that reads of the slot in front of a barrier are over.

    ```mlir
    #row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]],
                       warp = [], cta = []>
    #places = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
    fsm.copy_async %p[%offsets], %mask into %own[%slot] if %more
        {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32}
        : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3, #places>,
          tensor<128xi1, #row>
    fsm.copy_async %p[%offsets] into %data[%slot] mbarrier %full count %n
        : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3>
          mbarrier !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_PointerType, "the address of the element with offset 0">:$pointer,
      Arg<FSM_OffsetBlock, "per element, its distance in elements from the pointer">:$offsets,
      Arg<Optional<FSM_MaskValue>,
          "which elements are copied; where false, a thread's own copies write zeros">:$mask,
      Arg<FSM_SharedType, "the memory that gets the block">:$shared,
      Arg<I32, "which slot, counted from 0">:$slot,
      Arg<Optional<FSM_SharedType>,
          "the mbarriers of the slots, which bulk copies arrive at; absent for own copies">:$mbarriers,
      Arg<Optional<I32>, "how many leading elements a bulk copy takes; all if absent">:$count,
      Arg<Optional<I1>, "if false, nothing is copied; true if absent">:$condition,
      Arg<UnitAttr,
          "if given, reads of the slot before a barrier end before a bulk copy begins">:$fence);
  let assemblyFormat = [{
    $pointer `[` $offsets `]` (`,` $mask^)? `into` $shared `[` $slot `]`
    (`mbarrier` $mbarriers^)? (`count` $count^)? (`if` $condition^)? (`fence` $fence^)? attr-dict
    `:` qualified(type($pointer)) `,` type($offsets) `,` qualified(type($shared))
    (`,` type($mask)^)? (`mbarrier` qualified(type($mbarriers))^)?
  }];
  let extraClassDeclaration = "::mlir::Type getAccessedType();";
  let hasVerifier = 1;
}

def FSM_CopyCommitOp : FSM_PlanOp<"copy_commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Ends a group of copies";
  let description = [{
    The copies begun since the last one are a group, which may be empty.

    ```mlir
    fsm.copy_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FSM_CopyWaitOp : FSM_PlanOp<"copy_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for groups of copies";
  let description = [{
    All groups but the last `pending` ones have arrived behind it, for the thread
    that began them.

    ```mlir
    fsm.copy_wait 2
    ```
  }];
  let arguments = (ins
      Arg<ConfinedAttr<I32Attr, [IntNonNegative]>,
          "how many of the last groups need not have arrived">:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def FSM_MBarrierInitOp : FSM_SharedAccessOp<"mbarrier_init"> {
  let summary = "Makes mbarriers ready for copies";
  let description = [{
    The program's first thread does, once, in no loop: from then on each of them is in
    phase 0, which ends when a bulk copy has arrived, or, with `arrivals`, when so many warps have, those
    of all programs in a cluster.
    Others touch them behind a barrier. With `bytes`, in a program on several ctas, in each cta one is made
    ready whose phase ends when `fsm.shared_store` has brought so many; the ctas meet in front of the first.

    ```mlir
    fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_init %empty arrivals 8 : !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the mbarriers", [MemWrite<FSM_SharedMemory>]>:$mbarriers,
      Arg<OptionalAttr<ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<256>]>>,
          "how many warps arrive in a phase; one thread, if absent">:$arrivals,
      Arg<OptionalAttr<ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<1048575>]>>,
          "how many bytes stores bring to each cta; none, if absent">:$bytes);
  let assemblyFormat = [{
    $mbarriers (`arrivals` $arrivals^)? (`bytes` $bytes^)? attr-dict `:` qualified(type($mbarriers))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$mbarriers, "::mlir::IntegerAttr":$arrivals), [{
    build($_builder, $_state, mbarriers, arrivals, /*bytes=*/{});
  }]>];
  let hasVerifier = 1;
}

def FSM_MBarrierWaitOp : FSM_SharedAccessOp<"mbarrier_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for a bulk copy";
  let description = [{
    Behind it what was copied into the slot with the mbarrier's number has arrived, for all
    threads. `phase` is 0 for the first copy into the slot, 1 for the second, 0 for the third, and
    so on. Of mbarriers at which those arrive who have read a slot, 1 is in front of the first copy,
    for which nobody has to have read.

    ```mlir
    fsm.mbarrier_wait %full[%slot] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the mbarriers of the slots">:$mbarriers,
      Arg<I32, "which of them, counted from 0">:$slot,
      Arg<I32,
          "0 for the first copy into the slot, 1 for the second, 0 again for the third">:$phase);
  let assemblyFormat = [{
    $mbarriers `[` $slot `]` `phase` $phase attr-dict `:` qualified(type($mbarriers))
  }];
  let hasVerifier = 1;
}

#endif // FSM_IR_PIPELINEOPS_TD
