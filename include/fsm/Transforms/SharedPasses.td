//===- SharedPasses.td - What goes through shared memory ----*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_SHAREDPASSES_TD
#define FSM_TRANSFORMS_SHAREDPASSES_TD

include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def StageExchangesPass : Pass<"fsm-stage-exchanges", "::fsm::KernelOp"> {
  let summary = "Writes out how blocks go through shared memory";
  let description = [{
    An `fsm.convert_layout` for which neither registers nor shuffles are enough becomes
    an `fsm.shared_alloc`, an `fsm.shared_store` into it, an `fsm.shared_barrier`, of the warp
    where no element leaves its warp, and an `fsm.shared_load`. So does an `fsm.reshape` that is
    no linear map, row by row; one that is moves its elements by a conversion, and is a
    renaming of registers then. What one thread finds for others in other warps, by an
    atomic or a volatile load, goes the same way.

    Operands and results of reductions and scans are brought to and from the layouts in which
    these work. Where several warps have elements of a line, the op gets a region `exchange`, in
    which what each warp has combined goes to all of them; where these are in several ctas, and no loop is
    around, it arrives at an mbarrier, which the kernel makes ready at its beginning. So does what two ops or
    more exchange in each round of a loop of the kernel, if all warps have a part in it: the loop carries the phase,
    and each lets the others' memory be stored to in the next round. The factors of an `fsm.dot` are stored
    row by row, if they are large in slabs one after the other, and an `fsm.shared_dot` multiplies
    them. Where a kernel has more than 256 products that tensor cores do not make, each gets
    `fsm.short`, for shorter code. What is gathered from is stored row by row: in front of a loop what that does not compute, once for all
    its gathers, up to 96 bytes a thread.

    Before: a kernel whose blocks have layouts. After: each op but those on `!fsm.shared` is done
    by each warp itself.

    Example: test/Transforms/Shared/stage-exchanges.mlir
  }];
  let statistics = [
    Statistic<"exchanges", "exchanges", "blocks that go through shared memory">,
  ];
}

def ComputeAgainPass : Pass<"fsm-compute-again", "::fsm::KernelOp"> {
  let summary = "Computes again behind exchanges what narrow blocks are enough for";
  let description = [{
    A thread that waits for others holds what it needs behind: of numbers of 16 bits, two have a
    register, and of what it has made of them, one. In a kernel with `fsm.hold_narrow` this pass lets blocks of wider elements
    that are computed from loaded blocks of 16 bits, element by element by at most 16 ops, be computed again
    behind each exchange, from an `fsm.renew` of what was loaded.

    Before: a kernel behind `fsm-stage-exchanges`. After: the same.

    Example: test/Transforms/Shared/compute-again.mlir
  }];
  let statistics = [
    Statistic<"blocks", "blocks", "blocks that are computed again">,
  ];
}

def ShareFactorsPass : Pass<"fsm-share-factors", "::fsm::KernelOp"> {
  let summary = "Stores once what several products read";
  let description = [{
    Each product has its factors stored in front of it. Where a product reads a block that an earlier one reads, in memory of the same
    type, and the store for that one comes before on every way, this pass lets it read there: its own memory and store go, and a barrier
    behind that store if nothing else was stored in front of it. What is kept longer takes more memory, so that nothing is done where a
    multiprocessor of `target` had room for fewer CTAs then.

    Before: a kernel whose loops have their slots, in front of `fsm-allocate-shared`. After: the same.

    Example: test/Transforms/Shared/share-factors.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"stores", "stores", "stores of factors that another one stands for">,
  ];
}

def AllocateSharedPass : Pass<"fsm-allocate-shared", "::fsm::KernelOp"> {
  let summary = "Decides what lies where in shared memory";
  let description = [{
    Gives each `fsm.shared_alloc` its place, `fsm.shared_offset` in bytes, and the
    kernel `fsm.shared_bytes`, what one program needs. What is in use at the same time lies apart;
    so does what is small and has no barrier on the way from one to the other, so that none is
    needed. Otherwise all begin at 0 and share.
    include/fsm/Analysis/ScratchPlan.h has the rules. Of the programs packed into a
    cta half are left, and half again, where all of them have no room in that of `target`.

    Before: a kernel behind `fsm-stage-exchanges`. After: all that needs shared memory has a place.

    Example: test/Transforms/Shared/allocate-shared.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"buffers", "buffers", "blocks with a place in shared memory">,
  ];
}

def InsertBarriersPass : Pass<"fsm-insert-barriers", "::fsm::KernelOp"> {
  let summary = "Puts barriers between accesses of different threads";
  let description = [{
    Inside one program a load sees the stores before it, and shared memory is not
    overwritten while it is read. Where two accesses to the same bytes may be by
    different threads, one of them writes, and a way leads from one to the
    other without a barrier, an `fsm.barrier` is inserted in front of the later one.
    include/fsm/Analysis/Hazards.h says which pairs need none. With `remarks` each
    inserted barrier names its pair.

    Before: a kernel with `fsm.shared_offset` where `fsm-allocate-shared` writes it. After: any two
    such accesses have a barrier in between.

    Example: test/Transforms/Shared/insert-barriers.mlir
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each barrier that names its pair of accesses">,
  ];
  let statistics = [
    Statistic<"barriers", "barriers", "barriers inserted">,
  ];
}

def PlanResidencyPass : Pass<"fsm-plan-residency", "::fsm::KernelOp"> {
  let summary = "Decides how many ctas a multiprocessor is to hold";
  let description = [{
    Writes `fsm.resident_ctas`, for which the code generator leaves registers, where it would choose
    otherwise by itself: where shared memory says how many ctas there are; where a cta would be alone, and two
    have room; where a loop holds so much that registers for up to four just suffice; where iterations with
    `fsm.may_unroll` load 16 bytes of a thread in elements of less than a word, for more than four that leave registers for two such
    loads; where several warps of a cta exchange what they reduce, and blocks are loaded that nothing is reduced of, as weights: as many as leave
    registers for the largest of these as well, or two; and where a thread waits with blocks of `fsm.renew`, as many as have room for these and what is computed from them.
    The blocks that a thread holds are an estimate, as for `fsm-check-resources`.

    Before: a kernel with layouts and `fsm.shared_bytes`. After: the same, with that attribute or without.

    Example: test/Transforms/Shared/plan-residency.mlir
  }];
  let options = [TargetOption];
}

def VerifySharedPass : Pass<"fsm-verify-shared", "::fsm::KernelOp"> {
  let summary = "Checks the plan of shared memory and its barriers";
  let description = [{
    Follows all ways from each access, around each loop, up to the next barrier, and reports what
    needs one; from each read of a slot up to a reduction of what was read, and reports bulk copies
    into the slot that have no `fence`; and the ways back from each load of a block, and reports what
    else has written its bytes. All buffers have an aligned place inside `fsm.shared_bytes`.
    It searches paths where `fsm-insert-barriers` iterates sets, so that a mistake is not repeated.

    Before: a kernel with shared memory and barriers. After: the same kernel.

    Example: test/Transforms/Verify/verify-shared.mlir
  }];
}

def VerifyRolesPass : Pass<"fsm-verify-roles", "::fsm::KernelOp"> {
  let summary = "Checks who waits for whom where warps have roles";
  let description = [{
    In a kernel with an `fsm.load_role`: its mbarriers are made in front of a barrier in front of it; in
    its loops an iteration waits for a slot to be empty, expects bytes and copies, all of the same slot;
    whoever reads the slots has waited for the full one, and says that it is empty when the hardware
    has read it, once an iteration, by as many warps as the mbarrier counts. Both sides count slots
    alike, and all registers are there.

    Before: a kernel with barriers. After: the same kernel.

    Example: test/Transforms/Verify/verify-roles.mlir
  }];
}

def WaitAlonePass : Pass<"fsm-wait-alone", "::fsm::KernelOp"> {
  let summary = "Lets one thread wait for memory";
  let description = [{
    A loop that carries nothing and only performs an atomic of one element until that finds something else, as for a lock, gets
    `fsm.first_thread`: the thread that performs the atomic alone goes round it. The others wait at a barrier behind the loop, where before
    they met twice in each iteration to be told what the atomic has found.

    Before: a kernel behind `fsm-insert-barriers`. After: the same.

    Example: test/Transforms/Shared/wait-alone.mlir
  }];
  let statistics = [
    Statistic<"alone", "alone", "loops that one thread goes round">,
  ];
}

def FinishAlonePass : Pass<"fsm-finish-alone", "::fsm::KernelOp"> {
  let summary = "Lets the first warp of a program finish it alone";
  let description = [{
    Where a program ends with numbers that all warps have after they last met, such as the sum of a row, its logarithm and the store of that,
    one warp is enough for all of it: the barrier gets `fsm.first_warp`, and the other warps end there. Behind it there are only
    ops on scalars and on blocks that each warp has all of, and loads and stores that one thread makes.

    Before: a kernel behind `fsm-insert-barriers`. After: the same.

    Example: test/Transforms/Shared/finish-alone.mlir
  }];
  let statistics = [
    Statistic<"meetings", "meetings", "barriers behind which one warp goes on">,
  ];
}

#endif // FSM_TRANSFORMS_SHAREDPASSES_TD
