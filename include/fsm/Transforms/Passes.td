//===- Passes.td - The passes over the fsm dialect ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PASSES_TD
#define FSM_TRANSFORMS_PASSES_TD

include "fsm/Transforms/ExpandPasses.td"
include "fsm/Transforms/LayoutPasses.td"
include "fsm/Transforms/SharedPasses.td"
include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def SpecializePass : Pass<"fsm-specialize", "::mlir::ModuleOp"> {
  let summary = "Writes what is known of the actual arguments into a kernel";
  let description = [{
    Whoever launches a kernel knows its arguments: that a pointer is a multiple of 16 bytes, that an
    integer is 1, or a multiple of 4 or 16. This pass turns that knowledge into the argument attributes
    `fsm.align`, `fsm.divisible`, `fsm.noalias`, `fsm.large` and `fsm.equal_to`, and replaces an
    argument that is 1 by the constant. Stronger promises already in the text are kept.

    `arguments` has one entry per argument: empty, or words joined by `+`: a number it is divisible by
    (bytes for a pointer), `one`, `noalias` (the buffer overlaps no other argument's), `large` (it
    exceeds the caches). It also applies `num-warps` to the kernel and `num-stages` to each loop that
    has `fsm.num_stages`, with `fsm.forced_stages`; 0 leaves them. Where `libdevice` names a file, the kernel gets `fsm.libdevice`.

    Before: a verified kernel. After: the same kernel with attributes; code that
    relies on them is right for these arguments only.

    Example: test/Transforms/Specialize/specialize.mlir
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"",
           "symbol of the kernel; may stay empty when the module has exactly one">,
    ListOption<"facts", "arguments", "std::string",
               "per argument: '' or a number, 'one', 'noalias', 'large' joined by '+'">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0", "warps per program">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0", "stages of hinted loops">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"",
           "the library whose functions of math a GPU calls; empty: none">,
  ];
}

def AvoidFoldsPass : Pass<"fsm-avoid-folds", "::mlir::ModuleOp"> {
  let summary = "Writes in another way what upstream would fold wrongly";
  let description = [{
    `math.atan2` of two zeros that are constants becomes NaN where upstream folds it, which has an angle
    by IEEE 754. Its second operand becomes 1 with the sign of x where both operands are zero, in helpers
    as well, so that nothing is left to fold wrongly.

    Before: a verified module that nothing was folded in. After: the same numbers, for any folding.

    Example: test/Transforms/Arithmetic/avoid-folds.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"avoided", "avoided", "ops written in another way">,
  ];
}

def CombinePass : Pass<"fsm-combine", "::fsm::KernelOp"> {
  let summary = "Moves uniform arithmetic from blocks to scalars";
  let description = [{
    An element-wise op all of whose operands are splats computes one number many
    times. It is rewritten to the scalar op and a splat of its result; a
    constant block of equal elements counts as a splat when another operand is
    one. An `fsm.transpose` of index arithmetic becomes the arithmetic on transposed
    ranges, which are ranges, so that nothing moves. Element-wise ops of the same
    shape change of one source are left to `cse` and the dialect's canonicalisations,
    which run here as well.

    Before: a verified kernel. After: no element-wise op has only splats as
    operands.

    Example: test/Transforms/Arithmetic/combine.mlir
  }];
  let statistics = [
    Statistic<"numScalarized", "scalarized", "element-wise ops moved to scalars">,
  ];
}

def ExpandRandomPass : Pass<"fsm-expand-random", "::fsm::KernelOp"> {
  let summary = "Writes random numbers as integer arithmetic";
  let description = [{
    Each `fsm.philox` becomes its ten rounds of multiplications and exclusive ors,
    which every device computes with the same bits; a key that is the same for all
    elements stays a matter of scalars when `fsm-combine` comes after. Only the
    interpreter runs the op itself.

    Before: a verified kernel. After: it holds no `fsm.philox`.

    Example: test/Transforms/Arithmetic/expand-random.mlir
  }];
  let statistics = [
    Statistic<"expanded", "expanded", "random ops written as arithmetic">,
  ];
}

def CheckKernelsPass : Pass<"fsm-check-kernels", "::mlir::ModuleOp"> {
  let summary = "Reports what no device can run";
  let description = [{
    After inlining a kernel must hold no calls; one that is left is recursive or
    names a helper with several blocks or without a body, and is reported at the
    call with the reason. So are modules without a kernel, and what only passes write.

    Before: an inlined module. After: every kernel is free of calls and plans.

    Example: test/Transforms/Verify/check-kernels.mlir
  }];
}

def NumberDebugOpsPass : Pass<"fsm-number-debug-ops", "::fsm::KernelOp"> {
  let summary = "Numbers prints and asserts";
  let description = [{
    Each `fsm.print` and `fsm.assert` gets `fsm.debug_number`, and the kernel
    `fsm.debug_ops`, the list of them: the place in the source, the label or
    message and the types of the values. Records name an op by its number; the list goes
    with the compiled kernel to the host, which writes the lines. A kernel without
    such ops gets nothing.

    Before: an inlined kernel. After: all such ops have a number.

    Example: test/Transforms/Debug/number-debug-ops.mlir
  }];
}

def GuardAssertsPass : Pass<"fsm-guard-asserts", "::fsm::KernelOp"> {
  let summary = "Lets nothing run behind a failed assert";
  let description = [{
    A program cannot be left from the midst of structured control flow. Therefore
    what stands behind an `fsm.assert` moves into an `scf.if` of its condition, which
    is reduced over a block so that it is the same in all threads. A branch or loop with
    asserts gives one result more, whether the program runs on; a loop carries it
    and does nothing any more once it is false. The asserts stay: they
    record what failed.

    Before: an inlined kernel without layouts. After: nothing with an effect runs
    behind an assert that does not hold.

    Example: test/Transforms/Debug/guard-asserts.mlir
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"guards", "guards", "parts of a program that depend on an assert">,
  ];
}

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
       one iteration computes: more of them hide the latency of a reduction. Where
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
       there once one has changed none (include/fsm/Analysis/RowMask.h). Where such a loop
       only stores to a `fsm.large` buffer, long rows that begin anywhere get
       `fsm.host_from_line`: whole vectors begin at the first line of the row, so that
       they pass the caches by as well.
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

def PrintAxisInfoPass : Pass<"fsm-print-axis-info", "::fsm::KernelOp"> {
  let summary = "Shows what is known of the numbers of a kernel";
  let description = [{
    Emits a remark at every integer and pointer, scalar or block: per dimension
    its contiguity, divisibility and constancy in aligned groups, and its number
    where it is known; and at every load and store how far it may be vectorised.
    include/fsm/Analysis/AxisInfo.h says what the words mean. A remark on a
    block argument is where the argument is.

    Before and after: the same kernel.

    Example: test/Analysis/print-axis-info.mlir
  }];
}

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

def ScheduleLoopsPass : Pass<"fsm-schedule-loops", "::fsm::KernelOp"> {
  let summary = "Decides which loads run ahead of their loop";
  let description = [{
    In a loop with `fsm.num_stages` of s >= 2, loads may begin up to s - 1 iterations before the one
    that needs them. This pass decides which do, and writes that down: the loop gets `fsm.stages`, each
    such load `fsm.stage`, in which of them it begins, and every load of the body `fsm.buffer`, where its
    elements wait. lib/Transforms/Pipeline/LoadPlan.h is that plan. Nothing moves.

    A load stays when something in the loop orders memory accesses, a store before it in the same
    iteration may write what it reads, its address follows what an earlier iteration has loaded,
    or ctas that share the loop hide it. Stages that do not fit the shared memory or the registers
    of `target`, or a kernel's ops, are given up, with a warning, or an error with `strict`. Stages
    that would leave a multiprocessor one cta are given up, too. In a loop with `fsm.forced_stages`
    neither other ctas nor their number count. With `remarks` each load says what becomes of it.

    Before: a kernel behind `fsm-normalize-loops`. After: loops with plans.

    Example: test/Transforms/Pipeline/schedule-loops.mlir
  }];
  let options = [
    TargetOption,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "an error where stages are given up">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark for each load of a loop with stages">,
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
    `fsm.mbarrier_wait`. Loads in registers stay.

    Before: a kernel with `fsm.stages`. After: the same iterations, through shared memory.

    Example: test/Transforms/Pipeline/buffer-loads.mlir
  }];
  let statistics = [
    Statistic<"copies", "copies", "loads that became copies">,
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

def CheckResourcesPass : Pass<"fsm-check-resources", "::fsm::KernelOp"> {
  let summary = "Reports a kernel that does not fit the GPU";
  let description = [{
    Compares what a kernel needs with what `target` has. Too many threads or too much shared
    memory is an error with what was asked for, what there is, and what to change; for shared
    memory with a note at each op that uses it. Registers of a thread are an estimate, of the
    blocks that live at the same time: beyond what there is values are kept in local memory,
    which is slow and no mistake, so that is a warning, or an error with `strict`. With `remarks`
    each kernel says where it holds most.

    Before: a kernel with layouts and `fsm.shared_bytes`. After: the same kernel.

    Example: test/Transforms/Verify/check-resources.mlir
  }];
  let options = [
    TargetOption,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "an error where registers do not suffice">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "emit a remark where a thread holds most">,
  ];
}

def PrintLayoutsPass : Pass<"fsm-print-layouts", "::mlir::ModuleOp"> {
  let summary = "Shows which thread holds which element";
  let description = [{
    For each distinct layout of the kernels' blocks: a name, the layout, the blocks
    that have it and a picture, a table of the lane and the register that hold
    each element (docs/layouts.md); a block of more than `max-elements`
    elements is not drawn. Then for each `fsm.convert_layout` the way its elements go, and
    what that costs.

    The text goes to standard error or to `file`; with `svg` each picture is also
    drawn into a file of that folder, KERNEL-NAME.svg.

    Before and after: the same module.

    Example: test/Transforms/Print/print-layouts.mlir
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "where the text goes instead of standard error">,
    Option<"svg", "svg", "std::string", /*default=*/"\"\"",
           "also draw each layout, as KERNEL-NAME.svg in this folder">,
    Option<"maxElements", "max-elements", "unsigned", /*default=*/"4096",
           "draw blocks of at most so many elements">,
  ];
}

#endif // FSM_TRANSFORMS_PASSES_TD
