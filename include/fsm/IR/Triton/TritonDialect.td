//===- TritonDialect.td - Triton's IR as its front end prints it -*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONDIALECT_TD
#define FSM_IR_TRITON_TRITONDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::fsm::triton";
  let summary = "What Triton 3.6 makes of a kernel in Python";
  let description = [{
    A mirror of the part of Triton's dialect that leaves its first stage, `ttir`: the same
    assembly, nothing else. It is there to be parsed and printed; `fsm-import-triton` makes the
    `fsm` dialect of it. What it does not verify, the ops that it becomes do.
  }];
  let useDefaultTypePrinterParser = 1;
  // An op that is not among these is told apart from a slip of the pen.
  let extraClassDeclaration = [{
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

def TT_PointerType : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "pointer to elements in global memory";
  let description = [{
    Blocks of pointers are tensors with it as the type of their elements.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType);
  }]>];
  let assemblyFormat = "`<` $pointeeType `>`";
}

def TT_Tensor : Type<CPred<"::fsm::triton::isBlock($_self)">,
                     "tensor of static shape and rank 1 or more, without an encoding",
                     "::mlir::RankedTensorType">;
def TT_Pointers : Type<CPred<"::fsm::triton::isPointers($_self)">, "pointer or tensor of pointers">;
def TT_Value : AnyTypeOf<[AnySignlessInteger, AnyFloat, TT_PointerType, TT_Tensor],
                         "integer, float, pointer or tensor">;
def TT_Mask : AnyTypeOf<[I1, TT_Tensor], "i1 or tensor">;

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;
class TT_PureOp<string mnemonic, list<Trait> traits = []> : TT_Op<mnemonic, [Pure] # traits>;

// What most ops that work element by element look like.
class TT_SameTypeOp<string mnemonic> : TT_PureOp<mnemonic, [SameOperandsAndResultType]>;
class TT_CastOp<string mnemonic> : TT_PureOp<mnemonic, [SameOperandsAndResultShape]> {
  let arguments = (ins TT_Value:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

#endif // FSM_IR_TRITON_TRITONDIALECT_TD
