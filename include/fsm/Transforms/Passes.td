//===- Passes.td - The passes over the fsm dialect ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PASSES_TD
#define FSM_TRANSFORMS_PASSES_TD

include "fsm/Transforms/CopyPasses.td"
include "fsm/Transforms/ExpandPasses.td"
include "fsm/Transforms/HostPasses.td"
include "fsm/Transforms/LayoutPasses.td"
include "fsm/Transforms/PipelinePasses.td"
include "fsm/Transforms/RowPasses.td"
include "fsm/Transforms/SharedPasses.td"
include "fsm/Transforms/TargetOption.td"
include "mlir/Pass/PassBase.td"

def SpecializePass : Pass<"fsm-specialize", "::mlir::ModuleOp"> {
  let summary = "Writes what is known of the actual arguments into a kernel";
  let description = [{
    Whoever launches a kernel knows its arguments: that a pointer is a multiple of 16 bytes, that an
    integer is 1, or a multiple of 4, 8 or 16. This pass turns that knowledge into the argument attributes
    `fsm.align`, `fsm.divisible`, `fsm.noalias`, `fsm.large`, `fsm.at_least`, `fsm.at_most` and `fsm.equal_to`, and replaces an
    argument that is 1 by the constant. Stronger promises already in the text are kept.

    `arguments` has one entry per argument: empty, or words joined by `+`: a number it is divisible by
    (bytes for a pointer), `one`, `noalias` (the buffer overlaps no other argument's), `large` (it
    exceeds the caches). It also applies `num-warps`, `num-ctas`, `spread` and `cluster` to the kernel and `num-stages` to each loop that
    has `fsm.num_stages`, with `fsm.forced_stages`; 0 leaves them. Where `libdevice` names a file, the kernel gets `fsm.libdevice`.

    Before: a verified kernel. After: the same kernel with attributes; code that
    relies on them is right for these arguments only.

    Example: test/Transforms/Specialize/specialize.mlir
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"",
           "symbol of the kernel; may stay empty when the module has exactly one">,
    ListOption<"facts", "arguments", "std::string",
               "per argument: '' or a number, 'one', 'noalias', 'large', bounds such as '1..8' joined by '+'">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0", "warps per program">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"0", "CTAs per program">,
    Option<"spread", "spread", "unsigned", /*default=*/"0",
           "CTAs of each program that the launch leaves room for">,
    Option<"cluster", "cluster", "unsigned", /*default=*/"0",
           "programs that load for one another">,
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
    ranges, which are ranges, so that nothing moves. Indices that an `scf.for` carries and moves by one number are those in
    front of the loop and a number that it carries instead. Integers that are made fractions by
    a power of two to be compared with one number are compared as they are, with that
    number scaled, and upper bits of words as words, with the last word that is on one side of it. A mask is a constant where indices are all on one side of a number, and where `fsm.at_least` or `fsm.at_most` of the argument that ends a row
    say that all indices are in front of its end, or behind it; loads of weights keep one of a row that fills its block, for without they would
    be moved behind what threads wait for. Element-wise ops of the same
    shape change of one source are left to `cse` and the dialect's canonicalisations,
    which run here as well.

    Before: a verified kernel. After: no element-wise op has only splats as
    operands.

    Example: test/Transforms/Arithmetic/combine.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"numScalarized", "scalarized", "element-wise ops moved to scalars">,
    Statistic<"numUnscaled", "unscaled", "comparisons whose limit is scaled instead">,
    Statistic<"numWords", "words", "comparisons of words instead of floats">,
  ];
}

def DivideOncePass : Pass<"fsm-divide-once", "::fsm::KernelOp"> {
  let summary = "Divides by what a loop does not change by a reciprocal found in front of it";
  let description = [{
    A quotient or a remainder of scalars of 32 bits takes a GPU's thread some 25 operations, one after the other, in front of an
    address that is computed of it. Where a loop changes the dividend and not the divisor, which is no constant, the
    reciprocal of the divisor is found in front of the outermost such loop, and the quotient is the upper word of a product, or
    one more. Quotients by 0, and that of the smallest number by -1, are unspecified, and stay so.

    Before: a kernel whose loads run ahead, so that all quotients of its loops are there. After: the same numbers.

    Example: test/Transforms/Arithmetic/divide-once.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"replaced", "replaced", "quotients and remainders by reciprocals">,
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

def OverlapLaunchesPass : Pass<"fsm-overlap-launches", "::fsm::KernelOp"> {
  let summary = "Lets a launch begin before the one before it has ended";
  let description = [{
    Launches on a stream follow one another: the next one begins when the last program of the one before has ended and what it
    has written is there. Where `target` can, this pass lets it begin earlier, with all that it does before it accesses global memory:

    ```
    %copies = mbarriers                     %copies = mbarriers
    %x = fsm.load %in[%o]                   fsm.wait_prerequisites
                                            %x = fsm.load %in[%o]
    ```

    Every thread that accesses global memory waits first, and so every launch ends behind the ones before it: what a stream
    promises holds. The next launch begins when all programs of this one have ended; or, with `fsm.launch_dependents` behind the wait,
    when all have come there, and its CTAs take the room that the last ones of this launch leave. That is for CTAs that have more than
    half of a multiprocessor's shared memory: of small CTAs too many would go where room is first.

    `overlap-launches` is `auto` or `never`. Targets before sm_90 keep their kernels as they are.

    Before: a kernel that is planned to the end. After: the same.

    Example: test/Transforms/Pipeline/overlap-launches.mlir
  }];
  let options = [
    Option<"overlapLaunches", "overlap-launches", "std::string", /*default=*/"\"auto\"",
           "whether launches begin early: 'auto' or 'never'">,
    TargetOption,
  ];
  let statistics = [
    Statistic<"overlapped", "overlapped", "kernels whose launches begin early">,
  ];
}

#endif // FSM_TRANSFORMS_PASSES_TD
