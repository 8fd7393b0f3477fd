//===- ProgramOps.td - Kernels, programs and facts ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PROGRAMOPS_TD
#define FSM_IR_PROGRAMOPS_TD

include "fsm/IR/FSMEnums.td"
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
    compiler chooses. Argument attributes are promises: `fsm.align` (bytes, for
    pointers), `fsm.divisible` (for integers), `fsm.equal_to`, `fsm.noalias`,
    `fsm.readonly`, and `fsm.large` (the buffer exceeds the caches, so what is
    stored there need not stay in them).

    ```mlir
    fsm.kernel @fill(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %value: f32) {
      %offsets = fsm.range 0, 128 : tensor<128xi32>
      %block = fsm.splat %value : tensor<128xf32>
      fsm.store %block, %out[%offsets] : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>
      fsm.return
    }
    ```
  }];
  let arguments = (ins
      SymbolNameAttr:$sym_name,
      TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<DictArrayAttr>:$arg_attrs,
      OptionalAttr<DictArrayAttr>:$res_attrs,
      OptionalAttr<I32Attr>:$num_warps,
      OptionalAttr<I32Attr>:$num_ctas,
      OptionalAttr<I32Attr>:$max_registers);
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

class FSM_GridOp<string mnemonic> : FSM_Op<mnemonic, [Pure]> {
  let arguments = (ins FSM_GridAxis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def FSM_ProgramIdOp : FSM_GridOp<"program_id"> {
  let summary = "Gives this program's coordinate in the grid";
  let description = [{
    Between 0 and `fsm.num_programs` of the same axis minus one.

    ```mlir
    %pid = fsm.program_id x : i32
    ```
  }];
}

def FSM_NumProgramsOp : FSM_GridOp<"num_programs"> {
  let summary = "Gives the grid's extent along an axis";
  let description = [{
    The number of programs the launch runs along the axis, at least 1. A
    persistent kernel steps its loop by it.

    ```mlir
    %step = fsm.num_programs x : i32
    ```
  }];
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
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizer = 1;
}

def FSM_HintOp : FSM_Op<"hint", [Pure, SameOperandsAndResultType]> {
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
      AnyTypeOf<[FSM_Int, FSM_BlockOf<FSM_Int, "integers">]>:$value,
      OptionalAttr<DenseI64ArrayAttr>:$multiple_of,
      OptionalAttr<DenseI64ArrayAttr>:$max_contiguous,
      OptionalAttr<DenseI64ArrayAttr>:$max_constancy);
  let results = (outs
      AnyTypeOf<[FSM_Int, FSM_BlockOf<FSM_Int, "integers">]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // FSM_IR_PROGRAMOPS_TD
