//===- PipelinePasses.td - Loads that run ahead ------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINEPASSES_TD
#define FSM_TRANSFORMS_PIPELINEPASSES_TD

include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def NormalizeLoopsPass : Pass<"fsm-normalize-loops", "::fsm::KernelOp"> {
  let summary = "Gives loops counters that do not wrap";
  let description = [{
    A loop ends when its next number would be past the bound, also where that number does not fit the
    type. Behind this pass it does fit: the counter has twice the bits, and what reads it narrows it
    with `overflow<nsw>`, or `nuw` in an unsigned loop. Of 64 bits, which have no wider type, the
    loop counts its iterations instead, no more than 2^62, and the body computes the number from them.
    A loop keeps its counter that does not wrap anyway: it has step 1, and no stages, which look some
    steps past the end, or 64 bits that are extended from 32.

    A step that is not known to be positive becomes 1 where it is none, and the upper bound the lower
    one. Loops that have another counter than before are signed.

    Before: a kernel for a GPU. After: lowering a loop takes no thought of its numbers.

    Example: test/Transforms/Pipeline/normalize-loops.mlir
  }];
  let statistics = [
    Statistic<"normalized", "normalized", "loops with another counter">,
  ];
}

def SplitLoopsPass : Pass<"fsm-split-loops", "::fsm::KernelOp"> {
  let summary = "Lets several ctas share a loop that only adds up";
  let description = [{
    A launch of few programs leaves multiprocessors idle, or room on them. Where such a program is a loop that carries nothing but
    sums and counters, and writes no memory, n ctas, a cluster, run the program, and each of them takes every
    n-th iteration. Behind the loop `fsm.sum_parts` adds up what they have summed, in the order of their numbers, and
    `fsm.end_parts` ends all but the first cta. The kernel gets `fsm.parts`. The language leaves the
    order of sums open in products of matrices, in sums of integers, and of floats with `fastmath<reassoc>`.

    n is `fsm.split` of the loop, or, for the one loop with products of a kernel, `fsm.spread` of the kernel. A
    loop of a known, short number of iterations is not shared then. With `remarks` the loop says so, or
    what is in the way; memory that is read up to there must be known to be written by nobody. include/fsm/Analysis/SplitPlan.h says which loops may be shared.

    Before: a kernel without layouts. After: the same, perhaps with `fsm.parts`.

    Example: test/Transforms/Pipeline/split-loops.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    TargetOption,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for a loop that ctas share, or that asks for it">,
  ];
  let statistics = [
    Statistic<"split", "split", "loops that ctas share">,
  ];
}

def LoopProgramsPass : Pass<"fsm-loop-programs", "::fsm::KernelOp"> {
  let summary = "Lets the programs that a launch starts go on to the others";
  let description = [{
    A launch of more programs than the GPU runs at once starts each of them anew: it makes its barriers, waits for its first
    loads, and ends when the last store is done. This pass writes what the author of a persistent kernel does: a loop from
    `fsm.program_id x` up to `fsm.num_programs x` in steps of `fsm.program_step` around the body, in which every other
    `fsm.program_id x` is the loop's counter. What is the same in all iterations moves in front of it. The kernel gets
    `fsm.loop_programs`, and a launch starts as few programs as take no more rounds than those that run at once.

    `loop-programs` is `auto`, `never`, `always`, or the most programs that a launch starts. `auto` is for kernels that have
    `fsm.loop_programs`, and, where there are `many-programs`, for those whose one loop, which all run alike, has a product by groups of warps
    of `target`, of tiles that are copied by the hardware or in vectors of 16 bytes, and of which a multiprocessor has room for one program's: then nobody else
    multiplies while a program stores its tile. Kernels stay as they are that print, assert, or have loops whose end memory may decide; and those of several CTAs that share a loop, or of several programs that share threads. With
    `remarks` they say so.

    Before: a kernel without layouts. After: the same.

    Example: test/Transforms/Pipeline/loop-programs.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"loopPrograms", "loop-programs", "std::string", /*default=*/"\"auto\"",
           "which kernels: 'auto', 'never', 'always' or the most programs that are started">,
    Option<"manyPrograms", "many-programs", "bool", /*default=*/"false",
           "launches have more programs than the GPU has multiprocessors">,
    Option<"roles", "roles", "std::string", /*default=*/"\"auto\"",
           "whether warps of their own load, as for fsm-split-roles">,
    TargetOption,
    Option<"tensorMaps", "tensor-maps", "bool", /*default=*/"true",
           "let copies take tensor maps, which the launch has to make">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark where programs go on to others, or cannot">,
  ];
  let statistics = [
    Statistic<"looped", "looped", "kernels whose programs go on to others">,
  ];
}

def CarryListsPass : Pass<"fsm-carry-lists", "::fsm::KernelOp"> {
  let summary = "Reads the numbers of a list an iteration ahead";
  let description = [{
    A loop over a list, of products or of sequences, begins each iteration with scalars from memory: how large
    the next one is, and where it lies. Until they are there, nothing else goes on. This pass has them loaded in the
    iteration before, and carried; the first ones are loaded in front of the loop, if it runs, and the last iteration
    loads its own ones again. That is for loops around loops of products, whose memory nobody writes while the kernel runs and whose
    addresses follow from the loop's counter; no more than a thread has 16 registers for.

    Targets without `wgmma`, whose sums leave few registers, keep their loads.

    Before: the output of `fsm-normalize-loops`, whose counters do not wrap. After: the same.

    Example: test/Transforms/Pipeline/carry-lists.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    TargetOption,
  ];
  let statistics = [
    Statistic<"carried", "carried", "loads that run an iteration ahead">,
  ];
}

def ScheduleLoopsPass : Pass<"fsm-schedule-loops", "::fsm::KernelOp"> {
  let summary = "Decides which loads run ahead of their loop";
  let description = [{
    In a loop with `fsm.num_stages` of s >= 2, loads may begin up to s - 1 iterations before the one
    that needs them. This pass decides which do, and writes that down: the loop gets `fsm.stages`, each
    such load `fsm.stage`, in which of them it begins, and every load of the body `fsm.buffer`, where its
    elements wait. lib/Transforms/Pipeline/Loads/LoadPlan.h is that plan. Nothing moves.

    A load stays when something in the loop orders memory accesses, a store before it in the same
    iteration may write what it reads, its address follows what it has loaded itself in an earlier iteration,
    or ctas that share the loop hide it. Stages that do not fit the shared memory or the registers
    of `target`, or a kernel's ops, are given up, with a warning, or an error with `strict`. Where two
    stages fit if no product stays in flight, none does, nor where the slot that it takes is one of few ctas of at most
    four warps; of fewer warps stages are given up for another cta as well. Stages
    that would leave a multiprocessor one cta are given up, too, but where products are in flight, or by the model
    of include/fsm/Machine/LaunchTime.h tensor cores do more with them. In a loop with `fsm.forced_stages`
    neither other ctas nor their number count.

    A loop that asks for nothing gets four stages if it stores a block, carries floats to its next iteration, and no load reads what it
    stores: each such program has sums or a state of its own, so that a launch has few. So does one that reduces instead, where all ctas
    of a multiprocessor load too little to keep the memory busy. Stages that do not fit are given up without a word. What a thread has no registers for all at once, it takes from slots one
    block after the other: `fsm.takes_late`. With `remarks` each load says what becomes of it.

    Before: a kernel behind `fsm-normalize-loops`. After: loops with plans.

    Example: test/Transforms/Pipeline/schedule-loops.mlir
  }];
  let options = [
    TargetOption,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "an error where stages are given up">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each load of a loop with stages">,
    Option<"tensorMaps", "tensor-maps", "bool", /*default=*/"true",
           "let copies take tensor maps, which the launch has to make">,
  ];
  let statistics = [
    Statistic<"pipelined", "pipelined", "loops with stages">,
  ];
}

def AdvanceLoadsPass : Pass<"fsm-advance-loads", "::fsm::KernelOp"> {
  let summary = "Moves early loads to the beginning of their loop";
  let description = [{
    Checks the plan of each loop with `fsm.stages`, and does what it says: the loads with `fsm.stage` go
    to the beginning of the body, behind copies of what computes their addresses, which have the same
    `fsm.stage`. A carried value that such a copy needs is carried once more. All other ops belong to
    the last stage. Where a copy to shared memory leaves out what a mask is false for, an `arith.select`
    with `fsm.other_elements` stands behind the load. include/fsm/Analysis/PipelinePlan.h says what stages are.

    Before: a kernel behind `fsm-schedule-loops`. After: each op of a loop has its stage, and
    nothing runs ahead yet.

    Example: test/Transforms/Pipeline/advance-loads.mlir
  }];
  let statistics = [
    Statistic<"advanced", "advanced", "loads moved">,
  ];
}

def BufferLoadsPass : Pass<"fsm-buffer-loads", "::fsm::KernelOp"> {
  let summary = "Turns early loads into copies to shared memory";
  let description = [{
    A load with `fsm.buffer = #fsm.load_buffer<async>` becomes an `fsm.copy_async` into a slot of an
    `fsm.shared_alloc`, in its stage, and an `fsm.shared_load` in the last stage behind an
    `fsm.copy_wait`. There is one slot for each stage between the two. One with
    `fsm.buffer = #fsm.load_buffer<bulk>` names mbarriers, and the load waits for these by an
    `fsm.mbarrier_wait`. Loads in registers stay. One with `fsm.buffer = #fsm.load_buffer<tile>` is
    copied to where the `fsm.shared_dot` that it is for reads it, behind an `fsm.shared_barrier`, and
    what brought it there goes; it has one slot more. One with
    `fsm.buffer = #fsm.load_buffer<tensor>` is read in place as well, and brought there by an
    `fsm.copy_tensor` of one thread, of the tensor that its address and its mask describe. In a loop with
    `fsm.takes_late` the `fsm.shared_load` stands where the block is used, with what is computed of it, and the wait in
    front of the first of these.

    Before: a kernel with `fsm.stages`. After: the same iterations, through shared memory.

    Example: test/Transforms/Pipeline/buffer-loads.mlir, test/Transforms/Pipeline/buffer-tiles.mlir,
    test/Transforms/Pipeline/buffer-loads-late.mlir
  }];
  let statistics = [
    Statistic<"copies", "copies", "loads that became copies">,
  ];
}

def SplitRolesPass : Pass<"fsm-split-roles", "::fsm::KernelOp"> {
  let summary = "Gives the copies of a loop of products warps of their own";
  let description = [{
    In a loop whose slots the hardware alone fills and products alone read, the copies go to an
    `fsm.load_role` at the beginning of the kernel, with clones of the scalars that they need, and the
    loop's iterations need not meet any more: the role waits for an empty slot, and a product for its
    full one. The loop has no stages then, for the role runs ahead by itself. Loops around it the role
    goes through as well, and begins the copies of their next iteration early.

    `roles` says when: `always` where it is possible, `never`, or `auto` where it pays: where the cta
    is alone on its multiprocessor anyway, and the loop is in another one, or its programs are a cluster, or
    an iteration's products are so short that its warps would wait for one another. A loop for which it is not done stays as it is; with `remarks` it says why.

    Before: a kernel behind `fsm-buffer-loads`. After: the same products, of slots that others fill.

    Example: test/Transforms/Pipeline/split-roles.mlir
  }];
  let options = [
    TargetOption,
    Option<"roles", "roles", "std::string", /*default=*/"\"auto\"",
           "auto, always or never">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each loop whose slots the hardware fills">,
  ];
  let statistics = [
    Statistic<"split", "split", "loops whose copies have warps of their own">,
  ];
}

def ShareCopiesPass : Pass<"fsm-share-copies", "::fsm::KernelOp"> {
  let summary = "Lets the programs of a cluster load for one another";
  let description = [{
    In a kernel with `fsm.cluster` as many neighbouring programs are a cluster. Where an `fsm.load_role` copies the same part of
    a tensor in all of them, each copies some boxes of it, to the slots of all. Whether it is the same part each program
    finds by itself, in front of a loop of copies: it computes what the coordinates are made of once more, with the others' numbers.

    That the programs' roles fill the same slots at the same time takes loops of as many iterations. Those inside others have bounds that depend on
    no program; of the outermost one the kernel compares the trip counts when it begins, and where they differ each
    program loads for itself. A slot is empty when the warps of all programs have read it, and full in each program by itself.
    Programs begin to copy when the mbarriers of all are ready. At its end a role waits for the slots that others give back: none ends before they have.

    Where that cannot be the kernel is no cluster: the attribute goes, and with `remarks` a remark says why.

    Before: a kernel behind `fsm-split-roles`. After: the same copies, some of them made by neighbours.

    Example: test/Transforms/Pipeline/share-copies.mlir
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each kernel with fsm.cluster">,
  ];
  let statistics = [
    Statistic<"shared", "shared", "copies that programs may make for one another">,
  ];
}

def ExpandLoopsPass : Pass<"fsm-expand-loops", "::fsm::KernelOp"> {
  let summary = "Overlaps the iterations of loops with stages";
  let description = [{
    Upstream's `scf::pipelineForLoop` by the plan of `fsm-schedule-loops`: what the early
    stages do for the first iterations stands in front of the loop; inside, each stage works
    for another iteration, and for none past the end. A load in front gets `fsm.prologue`: its mask
    is false where the loop does not run. Each `fsm.copy_wait` lets as many groups be on their way
    as later iterations have begun.

    Before: a kernel with `fsm.stages`, whose plan is right, and whose counters do not wrap some
    steps past the end. After: no stages are left.

    Example: test/Transforms/Pipeline/expand-loops.mlir
  }];
  let statistics = [
    Statistic<"pipelined", "pipelined", "loops expanded">,
  ];
}

def OverlapLoopsPass : Pass<"fsm-overlap-loops", "::fsm::KernelOp"> {
  let summary = "Begins the copies of a loop's next run before its results are used";
  let description = [{
    What threads copy in front of an inner loop, for its first iterations, they copy in front of the outer one, and in
    each of its iterations behind the inner loop, for the next one: so these copies are on their way while the last product ends and
    results are stored. Their addresses are computed for the next number of the outer loop's counter, and what the rest of an
    iteration uses of that the loop carries. Slots are counted on from one run of the inner loop to the next, keep their places all
    through the outer loop, and what is exchanged there lies beside them: where there is no room for that, in halves or quarters,
    one after the other through the same memory, if each thread gives and takes as much of each.

    It is done where a product is in flight when the inner loop ends, and a multiprocessor has room for as many ctas as
    before. Nothing else in front of the inner loop may have an effect, and the outer one may write nothing that is copied, unless
    its `fsm.num_stages` promises that the next iteration does not read it.

    Before: a kernel behind `fsm-expand-loops`. After: the same, with copies in flight where an outer loop goes around.

    Example: test/Transforms/Pipeline/overlap-loops.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"overlapped", "overlapped", "inner loops whose copies begin an iteration early">,
    Statistic<"halved", "halved", "exchanges that go in two halves">,
  ];
}

def DelayMasksPass : Pass<"fsm-delay-masks", "::fsm::KernelOp"> {
  let summary = "Compares where the answer is needed";
  let description = [{
    A thread has seven registers of one bit. Of a mask of more elements it keeps the others in registers of words, with an
    instruction to move each there and another one to test it again. So a comparison that has more than six elements of a thread
    stands in front of the first op that needs it, and with it what joins such masks. Only where one block is compared, with
    what all elements share: of that a thread holds as many words in the meantime as the mask would take, and no more.
    Scalars that are made of the kernel's arguments and the program's number, which cost nothing to hold, are computed in front of
    their first use where a loop with `fsm.may_unroll` is in between: its iterations take all registers that there are.

    Before: a kernel with layouts and no stages. After: each of these masks and scalars is made right before its first use in its
    block, or before the op whose region has it.

    Example: test/Transforms/Pipeline/delay-masks.mlir
  }];
  let statistics = [
    Statistic<"delayed", "delayed", "masks and scalars that are made later">,
  ];
}

def StreamRowsPass : Pass<"fsm-stream-rows", "::fsm::KernelOp"> {
  let summary = "Lets rows pass through the L1 cache";
  let description = [{
    What a program reads and writes once, at addresses that are sums of products of its number, leaves the L1 cache first, so that what all
    programs read stays: such loads and stores of blocks get `evict = first`, and loads of kernels
    that store no block `evict = unkept`. Either all of a kernel's loads that depend on
    the program and all its stores do, or none. Each instruction has 16 bytes, of no array that another load of a block reads; edges of
    rows (`fsm.row_part`) go with them, but not on clusters in kernels that store blocks. Not in kernels with loops, atomics or
    hints of their author, and not where nothing is to be kept: where no other block is read and threads exchange nothing. Scalars that such a kernel loads in front of an exchange get `cache = ca`, which changes nothing but that
    they are no constants, whose loads the code generator may move behind it.

    Before: a kernel whose accesses have `fsm.access_width`. After: the same, with hints.

    Example: test/Transforms/Pipeline/stream-rows.mlir
  }];
  let statistics = [
    Statistic<"streams", "streams", "accesses that get a hint">,
  ];
}

def StoreTensorsPass : Pass<"fsm-store-tensors", "::fsm::KernelOp"> {
  let summary = "Lets the hardware store what goes through shared memory";
  let description = [{
    A block that threads exchange through shared memory only to store it in another layout is stored
    from there by an `fsm.store_tensor` of one thread, if it is a part of a tensor, as
    `fsm-schedule-loops` finds it for loads: rows a stride apart, a mask that is bounds along each
    dimension, address and stride multiples of 16 bytes. Besides, along rows the part and the tensor begin
    and end where 16 bytes do. Where the part may begin at coordinates below 0 threads look, and store it by
    themselves if it does. The threads go on, in a loop with its next iteration, and wait before they write to that memory again, which in a loop has bytes of
    its own and room beside all slots. A large block that is stored once, outside of loops, goes in up to four parts, each of which
    the hardware stores while threads bring the next one. One that a loop stores, and that would take more than half of shared memory, goes in parts of 16 KB
    from two tiles in turns, if it cannot begin below 0: with `large` only these are stored, in front of what gives slots their memory. Nothing else in the kernel accesses
    what the pointer may point to, and no atomics or barriers of the kernel order the store.

    With `remarks` each store of a block through shared memory says whether the hardware has it, and why not.

    Before: a kernel whose exchanges are staged, and whose loads are buffered. After: the same stores.

    Example: test/Transforms/Pipeline/store-tensors.mlir
  }];
  let options = [
    TargetOption,
    Option<"tensorMaps", "tensor-maps", "bool", /*default=*/"true",
           "whether launches make tensor maps">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each store of what comes through shared memory">,
    Option<"large", "large", "bool", /*default=*/"false",
           "only what loops store in parts, because its block would take more than half of shared memory">,
  ];
  let statistics = [
    Statistic<"stored", "stored", "stores that the hardware makes">,
  ];
}

#endif // FSM_TRANSFORMS_PIPELINEPASSES_TD
