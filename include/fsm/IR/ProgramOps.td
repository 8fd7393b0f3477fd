//===- ProgramOps.td - Kernels, programs and facts ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PROGRAMOPS_TD
#define FSM_IR_PROGRAMOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_KernelOp : FSM_Op<"kernel", [
    AutomaticAllocationScope, FunctionOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>, HasParent<"::mlir::ModuleOp">,
    IsolatedFromAbove, SingleBlock]> {
  let summary = "Defines what one program of a launch does";
  let description = [{
    A launch runs the body once per point of a grid of up to three dimensions,
    in any order. Arguments are scalars and pointers; there are no results. The
    body holds the ops of this dialect, the element-wise ops of `arith` and
    `math` that the language names, `scf` control flow and calls of `func.func`
    helpers, which are inlined. `index` values are refused.

    `num_warps`, `num_ctas` and `max_registers` are optional; what is absent the
    compiler chooses. A program that runs on several CTAs has `num_warps` in each. Argument attributes are promises: `fsm.align` (bytes, for
    pointers), `fsm.divisible` (for integers), `fsm.equal_to`, `fsm.at_least`, `fsm.at_most`, `fsm.noalias`,
    `fsm.readonly`, and `fsm.large` (the buffer exceeds the caches, so what is
    stored there need not stay in them). `fsm.unordered_arguments`, an attribute of
    the kernel, lets accesses through different arguments be in any order, but for
    those of the same element.

    `grid` says how many programs there are along up to three axes, for those who launch
    the kernel and give no grid: numbers, integer arguments, `+`, `-`, `*`, `min` and `ceildiv`.

    ```mlir
    fsm.kernel @fill(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %value: f32) {
      %offsets = fsm.range 0, 128 : tensor<128xi32>
      %block = fsm.splat %value : tensor<128xf32>
      fsm.store %block, %out[%offsets] : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>
      fsm.return
    }
    ```
    ```mlir
    fsm.kernel @tiles(%m: i32, %n: i32) grid [ceildiv(%m, 64) * (%n + 1), 2] {
      fsm.return
    }
    ```
  }];
  let arguments = (ins
      Arg<SymbolNameAttr, "what a launch calls the kernel">:$sym_name,
      Arg<TypeAttrOf<FunctionType>,
          "the types of the arguments; there are no results">:$function_type,
      Arg<OptionalAttr<DictArrayAttr>, "what is promised of each argument">:$arg_attrs,
      Arg<OptionalAttr<DictArrayAttr>, "unused, since there are no results">:$res_attrs,
      Arg<OptionalAttr<I32Attr>, "how many warps run one program, or each of its CTAs; chosen if absent">:$num_warps,
      Arg<OptionalAttr<I32Attr>, "how many CTAs, a cluster, run one program; chosen if absent">:$num_ctas,
      Arg<OptionalAttr<I32Attr>,
          "how many registers a thread may take; chosen if absent">:$max_registers,
      Arg<OptionalAttr<StrArrayAttr>,
          "the extents of the grid, as launch expressions; whoever launches gives them if absent">:$grid);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// A kernel returns nothing and is defined where it is declared.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def FSM_ReturnOp : FSM_Op<"return", [
    HasParent<"KernelOp">, Pure, ReturnLike, Terminator]> {
  let summary = "Ends a kernel";
  let description = [{
    The terminator of `fsm.kernel`; it carries no values.

    ```mlir
    fsm.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class FSM_GridOp<string mnemonic, string sentence> : FSM_Op<mnemonic, [Pure]> {
  let arguments = (ins Arg<FSM_GridAxis, "the dimension of the grid">:$axis);
  let results = (outs Res<I32, sentence>:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def FSM_ProgramIdOp : FSM_GridOp<"program_id", "this program's coordinate, counted from 0"> {
  let summary = "Gives this program's coordinate in the grid";
  let description = [{
    Between 0 and `fsm.num_programs` of the same axis minus one.

    ```mlir
    %pid = fsm.program_id x : i32
    ```
  }];
}

def FSM_NumProgramsOp : FSM_GridOp<"num_programs",
    "how many programs the grid has along the axis, 1 or more"> {
  let summary = "Gives the grid's extent along an axis";
  let description = [{
    The number of programs the launch runs along the axis, at least 1. A
    persistent kernel steps its loop by it.

    ```mlir
    %step = fsm.num_programs x : i32
    ```
  }];
}

def FSM_ProgramStepOp : FSM_PlanOp<"program_step", [Pure]> {
  let summary = "Gives how far apart the programs are that the same threads run in turn";
  let description = [{
    In a kernel with `fsm.loop_programs`: how many programs along x a launch starts. Each of them goes on to the
    program so many behind it, up to `fsm.num_programs x`, and `fsm.program_id x` is the first one that it runs.

    ```mlir
    %step = fsm.program_step : i32
    ```
  }];
  let results = (outs Res<I32, "how many programs are started along x, 1 or more">:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def FSM_LaunchDependentsOp : FSM_PlanOp<"launch_dependents", [MemoryEffects<[MemWrite]>]> {
  let summary = "Lets the launch behind this one begin";
  let description = [{
    When every CTA of this launch has come here, or has ended, CTAs of a launch behind it take the room that is free. They
    wait at an `fsm.wait_prerequisites` of their own. PTX calls it `griddepcontrol.launch_dependents`.

    ```mlir
    fsm.launch_dependents
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FSM_WaitPrerequisitesOp
    : FSM_PlanOp<"wait_prerequisites", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for the launches before this one";
  let description = [{
    Behind it the launches before this one have ended, and what they have written is there. A kernel that has it comes there
    before it accesses global memory, and is launched so that it may begin earlier. PTX calls it `griddepcontrol.wait`.

    ```mlir
    fsm.wait_prerequisites
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FSM_AssumeOp : FSM_Op<"assume", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Promises that a condition holds";
  let description = [{
    Analyses may build on `condition` being true wherever this op is executed.
    A false condition makes the program's behaviour unspecified.

    ```mlir
    %zero = arith.constant 0 : i32
    %positive = arith.cmpi sgt, %n, %zero : i32
    fsm.assume %positive
    ```
  }];
  let arguments = (ins Arg<I1, "what is true whenever the op is executed">:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizer = 1;
}

def FSM_HintOp : FSM_Op<"hint", [Pure, SameOperandsAndResultType,
    FSM_RematerializableInterface]> {
  let summary = "States what is known of an integer value";
  let description = [{
    Passes its operand through and promises, per dimension of the block (one
    number for a scalar): `multiple_of`, each aligned group starts at a multiple
    of so many; `max_contiguous`, groups of so many elements are consecutive
    numbers; `max_constancy`, groups of so many elements are equal. This is what
    `tl.multiple_of` and its like state in Triton.

    ```mlir
    %aligned = fsm.hint %stride {multiple_of = array<i64: 16>} : i32
    ```
  }];
  let arguments = (ins
      Arg<AnyTypeOf<[FSM_Int, FSM_BlockOf<FSM_Int, "integers">]>,
          "the numbers of which something is known">:$value,
      Arg<OptionalAttr<DenseI64ArrayAttr>,
          "per dimension, what the first number of each group is a multiple of">:$multiple_of,
      Arg<OptionalAttr<DenseI64ArrayAttr>,
          "per dimension, how long the groups of consecutive numbers are">:$max_contiguous,
      Arg<OptionalAttr<DenseI64ArrayAttr>,
          "per dimension, how long the groups of equal numbers are">:$max_constancy);
  let results = (outs
      Res<AnyTypeOf<[FSM_Int, FSM_BlockOf<FSM_Int, "integers">]>, "the same numbers">:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // FSM_IR_PROGRAMOPS_TD
