//===- TritonOps.td - The ops of Triton's IR ----------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONOPS_TD
#define FSM_IR_TRITON_TRITONOPS_TD

include "fsm/IR/Triton/TritonComputeOps.td"
include "fsm/IR/Triton/TritonMemoryOps.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def TT_FuncOp : TT_Op<"func", [
    FunctionOpInterface, HasParent<"::mlir::ModuleOp">, IsolatedFromAbove,
    OpAsmOpInterface, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a kernel if it is public, otherwise a function that kernels call";
  let arguments = (ins
      SymbolNameAttr:$sym_name,
      TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<StrAttr>:$sym_visibility,
      OptionalAttr<DictArrayAttr>:$arg_attrs,
      OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
  }];
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "ends a function";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
}

def TT_CallOp : TT_Op<"call"> {
  let summary = "calls a function";
  let arguments = (ins
      FlatSymbolRefAttr:$callee,
      Variadic<AnyType>:$operands,
      OptionalAttr<DictArrayAttr>:$arg_attrs,
      OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

class TT_GridOp<string mnemonic> : TT_PureOp<mnemonic> {
  let arguments = (ins TT_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id"> {
  let summary = "this program's coordinate in the grid";
}

def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs"> {
  let summary = "the grid's extent along an axis";
}

def TT_PrintOp : TT_Op<"print"> {
  let summary = "prints values";
  let arguments = (ins
      StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Value>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}

def TT_AssertOp : TT_Op<"assert"> {
  let summary = "stops the launch where a condition does not hold";
  let arguments = (ins TT_Mask:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

//===----------------------------------------------------------------------===//
// Regions of scalars
//===----------------------------------------------------------------------===//

class TT_CombineOp<string mnemonic> : TT_PureOp<mnemonic, [SingleBlock]> {
  let regions = (region SizedRegion<1>:$combineOp);
}

def TT_ReduceOp : TT_CombineOp<"reduce"> {
  let summary = "combines the elements of tensors along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Value>:$result);
}

def TT_ScanOp : TT_CombineOp<"scan"> {
  let summary = "combines each element of tensors with all before it along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise"> {
  let summary = "computes elements of tensors by a region of scalars";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
}

class TT_RegionReturnOp<string mnemonic, string parent>
    : TT_Op<mnemonic, [HasParent<parent>, Pure, ReturnLike, Terminator]> {
  let summary = "ends a region of scalars";
  let arguments = (ins Variadic<AnyType>:$result);
}

def TT_ReduceReturnOp : TT_RegionReturnOp<"reduce.return", "ReduceOp"> {
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanReturnOp : TT_RegionReturnOp<"scan.return", "ScanOp"> {
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_MapElementwiseReturnOp
    : TT_RegionReturnOp<"map_elementwise.return", "MapElementwiseOp"> {
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // FSM_IR_TRITON_TRITONOPS_TD
