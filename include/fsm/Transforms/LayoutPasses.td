//===- LayoutPasses.td - Which thread has what -------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTPASSES_TD
#define FSM_TRANSFORMS_LAYOUTPASSES_TD

include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def ChooseWarpsPass : Pass<"fsm-choose-warps", "::fsm::KernelOp"> {
  let summary = "Decides how many warps run a program, on how many ctas";
  let description = [{
    A kernel without `num_warps` gets as many as leave each thread about 32 words of
    its largest block, 64 when it is for products of tensor cores alone, 128 of sums when groups of
    four warps make these by `wgmma`, or when their factors are copied by vectors and two warps are left, but 32 of a factor
    that warps compute of what they load, or 4 when it reduces and multiplies nothing, a power of two from 1 to 32; more, where
    the registers of `target` would not suffice for what is held at a time. Programs of one warp need none
    of a cta's barriers, so with `pack` four of them, neighbours along x, share a
    cta: `fsm.programs_per_cta`; not rows loaded outside of loops that are words of which threads hold 32, or are reduced and stored and more than
    1.5 KB. Without `pack` someone else owns the grid, and each
    program is a cta.

    Where the registers of one cta do not suffice, a program runs on a cluster of 2 to
    16 ctas, `num_ctas`, if `target` has clusters: on 8, unless a few do with 8 warps each.
    Where `fsm.spread` says that a launch has few programs, a kernel whose largest block has 16384 elements or more
    begins with so many ctas, of at least 4096 elements each.
    A kernel that multiplies matrices stays on one. With `remarks` such a kernel says so.
    Of a row that is loaded element by element, for it may begin anywhere, 16 warps are 8 while a thread
    holds 50 elements at most, and 32 are 8 of each of 4 ctas, or of up to 16 where several blocks are loaded.
    Where blocks of less than words are loaded by vectors, outside of loops, 2 warps are 4, and 4 are 8: of one block unless a load
    waits for another; where something is reduced of several of them, a warp is 4, up to 16. So it is where loops load several rows
    of words and threads hold more than two ctas of eight warps leave them.
    Rows of one or two blocks that are loaded by vectors outside of loops are on ctas of 4 warps: of words from 8 warps on, up to
    8 ctas with 32 words a thread, then 8 ctas of 8 warps, then 16; of less than words 2 ctas instead of one of 16 warps, 4 where
    several are reduced, and 2 instead of one of 8 whose threads hold 32 words of one row, if a block is stored. One block of
    words of which a thread holds more has `max_registers` of 128, where they suffice.

    Before: a kernel without layouts. After: `num_warps` and
    `fsm.programs_per_cta` are there.

    Example: test/Transforms/Layouts/choose-warps.mlir
  }];
  let options = [
    TargetOption,
    Option<"packPrograms", "pack", "bool", /*default=*/"true",
           "let programs of one warp share a cta">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark where a program runs on several ctas">,
  ];
}

def GroupWarpsPass : Pass<"fsm-group-warps", "::fsm::KernelOp"> {
  let summary = "Lets groups of warps of a cta share a loop whose sums have no order";
  let description = [{
    Programs that walk over rows, each as many rows at a time as there are programs, write a block of sums each. Where a
    multiprocessor has registers for several such programs, one cta has as many groups of warps instead, each of which runs the
    program, with barriers and shared memory of its own, and takes every n-th iteration. Behind the loop
    `fsm.sum_parts` adds up what they have summed, in the order of their numbers, and `fsm.end_parts` ends all but the
    first. So as many warps have as much on their way, and there are fewer blocks of sums. The kernel gets `fsm.parts` and
    `fsm.parts_in_cta`.

    The loop carries nothing but sums, whose order the language leaves open, and counters, multiplies no matrices, and what an
    iteration stores no other one touches (include/fsm/Analysis/SplitPlan.h). n is `fsm.warp_groups` of the loop, or, for the one
    loop from `fsm.program_id` on in steps of `fsm.num_programs` that reduces, as many as have registers. With `remarks` the
    loop says so, or what is in the way.

    Before: a kernel without layouts, with `num_warps`. After: the same, perhaps with `fsm.parts`.

    Example: test/Transforms/Pipeline/group-warps.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    TargetOption,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for a loop that groups of warps share, or might">,
  ];
  let statistics = [
    Statistic<"shared", "shared", "loops that groups of warps share">,
  ];
}

def SplitProductsPass : Pass<"fsm-split-products", "::fsm::KernelOp"> {
  let summary = "Writes products that no instruction makes as several that some do";
  let description = [{
    A product of f32 with the precision `tf32x3` or `bf16x3` becomes three, and with
    `bf16x6` six, of parts of its factors: a part is what is left of a number, cut to
    11 bits or rounded to bf16. The small products are added up first; where a factor
    is infinite they have no value, and are zero. A product of f16 whose sums are in f16
    adds up in f32, which is rounded once. Both only where tensor cores of the target
    multiply the parts, or none multiply as it is written: multiply-adds take f32
    whole.

    Before: a kernel without layouts. After: tensor cores can make each product that
    they can make in parts.

    Example: test/Transforms/Layouts/split-products.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"split", "split", "products that became several">,
  ];
}

def PlanProductsPass : Pass<"fsm-plan-products", "::fsm::KernelOp"> {
  let summary = "Decides which products tensor cores compute";
  let description = [{
    An `fsm.dot` for whose types the target has an instruction, and whose extents are
    those of whole fragments of it, gets the instruction's shape, `fsm.mma`. Its sums
    then lie over threads as those of the instruction, and other products are added up
    by multiply-adds. f32 is multiplied so where the precision allows it. An
    instruction cuts its sums toward zero once, which docs/language.md allows.

    Before: a kernel with `num_warps`. After: products are planned.

    Example: test/Transforms/Layouts/plan-products.mlir
  }];
  let options = [TargetOption];
  let statistics = [
    Statistic<"planned", "planned", "products that tensor cores compute">,
  ];
}

def AssignLayoutsPass : Pass<"fsm-assign-layouts", "::fsm::KernelOp"> {
  let summary = "Decides which thread holds which element";
  let description = [{
    Every block gets a `#fsm.layout` as its type's encoding. Loads and stores get
    the one in which a warp's access covers whole lines of 128 bytes, by vectors of
    up to 16 bytes, as axis information allows; their users follow. Where
    two layouts meet, the cheaper side is moved by `fsm.convert_layout`; ranges,
    splats, constants and integer arithmetic on them are computed again
    instead. What a loop carries has the layout that its body yields.
    lib/Transforms/Layouts/LayoutPlan.h has the rules, docs/layouts.md the reasons.

    Loads and stores by offsets get `fsm.access_width`, the elements that one
    instruction moves, and `fsm.access_dim`, the dimension along which they stand.
    On a cluster those that a thread makes by 16 instructions or more of less than a word get
    `fsm.tested_together`: loads, and where three or more are made so stores, too.
    What groups of warps multiply goes through shared memory where the target's hardware stores it from there.
    A block that no CTA has room to exchange is accessed where its elements are, element by element at worst,
    which is slow and no mistake, so that is a warning, or an error with `strict`.
    With `remarks` each conversion says who wants it and what it costs.

    Before: a kernel with `num_warps`. After: every block has a layout.

    Example: test/Transforms/Layouts/assign-layouts.mlir
  }];
  let options = [
    TargetOption,
    Option<"tensorMaps", "tensor-maps", "bool", /*default=*/"true",
           "whether launches make tensor maps">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "blocks that no cta has room to exchange are an error, not a warning">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each conversion: who wants it, and what it costs">,
  ];
  let statistics = [
    Statistic<"conversions", "conversions", "blocks moved to another layout">,
    Statistic<"copies", "copies", "ops computed again in another layout">,
  ];
}

def PlanThreadsPass : Pass<"fsm-plan-threads", "::fsm::KernelOp"> {
  let summary = "Decides what a thread computes once for its elements";
  let description = [{
    A mask that ends in a row, of indices of 32 bits, or extended from these, that begin at one number and are compared with another one, gets
    `fsm.counts_left` where it is four comparisons of a thread or more, and the kernel loads two masked
    blocks of its size or more: a thread then compares how many indices it has left with constants of its registers,
    and need not keep the index of each. A product by wgmma whose sums begin as zeros gets `fsm.from_zero`: its first
    products are the sums, and no register is set to zero. A product of single warps by tensor cores that takes more than 8 steps of its
    instruction gets `fsm.steps_of_loop`, four of them an iteration, unless its factors are tiles, whose steps have places of their own. A loop of products by multiply-adds gets `fsm.read_ahead` where a
    thread reads in four groups or more, and adds 32 products behind the last one.

    A loop over blocks goes from 0 to a number of 32 bits in steps that are known, loads or stores at its counter and an index,
    and counts in 64 bits for the number behind its last one alone. If it may be written out, or has three such loads and stores
    or more, it gets `fsm.counts_left`: what is left needs no more than 32 bits. If it may not, these get `fsm.offset_at_once`: to
    make their addresses in each iteration takes fewer instructions and registers than to carry them.

    An `fsm.div_rn` of what was of 16 bits by one number gets `fsm.divided_together`, 8, where a thread has two such quotients or more: it multiplies by
    the reciprocal, and eight quotients share the branch behind which they are divided after all.

    A copy by threads gets `fsm.whole_lines` where each row of its block is a part of a line of the L2 cache, of an `fsm.large` buffer:
    the rest of the line is asked for at about the same time.

    Of quotients and remainders of integers, of which a thread has several that are known to be equal or to follow one another, it gets `fsm.groups`:
    a division takes 20 to 60 instructions, and one is enough for a group.

    Where the tuples of an `fsm.reduce_with` hold positions that increase along its axis, comparisons of these get `fsm.in_order`: a thread combines
    its own tuples in their order, in which they say nothing new.

    A load with `fsm.any_start` of an argument that nothing stores to gets `fsm.non_coherent`, unless its author says how it is cached: its words
    are loaded by PTX that LLVM does not look into, and so need not stay in front of stores.

    A map that the program makes gets `fsm.released_later` where the next one is made whenever it is, and nothing in between could
    copy by it: a release takes longer than all else of a map, and one is enough for both.

    Copies of a thread's own elements in a loop that tensor cores multiply in for single warps get `fsm.rows_apart` where the sums leave registers for a distance
    of each row: their threads wait for addresses that are made one of the other.

    Before: a kernel with layouts and no stages. After: the same ops, with these attributes.

    Example: test/Transforms/Layouts/plan-threads.mlir
  }];
  let statistics = [
    Statistic<"counted", "counted", "masks that are compared from one number">,
  ];
}

#endif // FSM_TRANSFORMS_LAYOUTPASSES_TD
