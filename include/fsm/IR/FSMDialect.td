//===- FSMDialect.td - The fsm dialect and its types --------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_FSMDIALECT_TD
#define FSM_IR_FSMDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def FSM_Dialect : Dialect {
  let name = "fsm";
  let cppNamespace = "::fsm";
  let summary = "What one program does to whole blocks of data";
  let description = [{
    A kernel of the `fsm` dialect describes one program of a launch. Blocks are
    builtin ranked tensors of static shape; `arith` and `math` are the
    element-wise language, `scf` the control flow; this dialect adds what they
    lack: the kernel itself, memory accesses by base pointer and block of
    offsets, shapes, and reductions. Threads never appear.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::ub::UBDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class FSM_Type<string typeName, string typeMnemonic> : TypeDef<FSM_Dialect, typeName> {
  let mnemonic = typeMnemonic;
}

def FSM_PointerType : FSM_Type<"Pointer", "ptr"> {
  let summary = "pointer to elements in global memory";
  let description = [{
    A scalar pointer to elements of type `T`, naturally aligned. `T` is an
    element type of the language or a pointer again. There are no blocks of
    pointers: an access is a pointer and a block of integer offsets.

    ```mlir
    !fsm.ptr<f32>
    !fsm.ptr<!fsm.ptr<f16>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$pointeeType);
  let assemblyFormat = "`<` $pointeeType `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType);
  }]>];
  let genVerifyDecl = 1;
}

// The element types of the language, as architecture decides once: signless
// integers of five widths, four float formats, two storage-only f8 formats.
def FSM_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer of 1, 8, 16, 32 or 64 bits">;
def FSM_OffsetInt : AnyTypeOf<[I32, I64], "32-bit or 64-bit integer">;
def FSM_Float : AnyTypeOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2],
                          "f16, bf16, f32, f64, f8E4M3FN or f8E5M2">;
def FSM_Element : AnyTypeOf<[FSM_Int, FSM_Float], "element type">;

class FSM_BlockOf<Type element, string description>
    : Type<And<[StaticShapeTensorOf<[element]>.predicate,
                CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() >= 1">,
                CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() <= ::fsm::kMaxBlockRank">,
                CPred<"::llvm::all_of(::llvm::cast<::mlir::RankedTensorType>($_self).getShape(), "
                      "[](int64_t extent) { return extent > 0; })">,
                CPred<"::fsm::hasLayoutOrNone(::llvm::cast<::mlir::RankedTensorType>($_self))">]>,
           "block of " # description # " (static shape, rank 1 to 24, positive extents, no foreign encoding)",
           "::mlir::RankedTensorType">;

def FSM_Block : FSM_BlockOf<FSM_Element, "elements">;
def FSM_OffsetBlock : FSM_BlockOf<FSM_OffsetInt, "32-bit or 64-bit integers">;
def FSM_RangeBlock : FSM_BlockOf<I32, "32-bit integers">;
def FSM_Value : AnyTypeOf<[FSM_Block, FSM_Element], "scalar or block">;
def FSM_MaskValue : AnyTypeOf<[I1, FSM_BlockOf<I1, "i1">], "i1 or block of i1">;
// What memory holds: as FSM_Value, and pointers for scalar accesses.
def FSM_MemoryValue : AnyTypeOf<[FSM_Block, FSM_Element, FSM_PointerType],
                                "scalar, pointer or block">;

class FSM_Op<string mnemonic, list<Trait> traits = []> : Op<FSM_Dialect, mnemonic, traits>;

// What passes write down of their plans. Kernels are written without.
def FSM_WrittenByPasses : NativeOpTrait<"WrittenByPasses"> {
  let cppNamespace = "::fsm";
}
class FSM_PlanOp<string mnemonic, list<Trait> traits = []>
    : FSM_Op<mnemonic, traits # [FSM_WrittenByPasses]>;

// What is short for other ops, which `fsm-expand-blocks` writes instead.
def FSM_Expanded : NativeOpTrait<"Expanded"> {
  let cppNamespace = "::fsm";
}
class FSM_ExpandedOp<string mnemonic, list<Trait> traits = []>
    : FSM_Op<mnemonic, traits # [FSM_Expanded]>;

#endif // FSM_IR_FSMDIALECT_TD
