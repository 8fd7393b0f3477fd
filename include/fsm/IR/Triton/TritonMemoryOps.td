//===- TritonMemoryOps.td - Pointers and accesses of Triton's IR -*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONMEMORYOPS_TD
#define FSM_IR_TRITON_TRITONMEMORYOPS_TD

include "fsm/IR/Triton/TritonDialect.td"
include "fsm/IR/Triton/TritonEnums.td"

def TT_AddPtrOp : TT_PureOp<"addptr", [SameOperandsAndResultShape, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "moves pointers by numbers of elements";
  let arguments = (ins TT_Pointers:$ptr, TT_Value:$offset);
  let results = (outs TT_Pointers:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr"> {
  let summary = "takes integers for addresses";
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int"> {
  let summary = "the addresses that pointers hold";
}

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    TypesMatchWith<"result is what the pointers point to", "ptr", "result",
                   "::fsm::triton::pointeeOf($_self)">,
    OptionalTypesMatchWith<"mask has the shape of the pointers", "ptr", "mask",
                           "::fsm::triton::maskOf($_self)">,
    OptionalTypesMatchWith<"other is what the pointers point to", "ptr", "other",
                           "::fsm::triton::pointeeOf($_self)">]> {
  let summary = "reads a scalar or a tensor from memory";
  let arguments = (ins
      TT_Pointers:$ptr,
      Optional<TT_Mask>:$mask,
      Optional<TT_Value>:$other,
      DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
      OptionalAttr<TT_Padding>:$padding,
      DefaultValuedAttr<TT_CacheModifier, "::fsm::triton::CacheModifier::None">:$cache,
      DefaultValuedAttr<TT_EvictionPolicy, "::fsm::triton::EvictionPolicy::Normal">:$evict,
      DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_StoreOp : TT_Op<"store", [
    TypesMatchWith<"value is what the pointers point to", "ptr", "value",
                   "::fsm::triton::pointeeOf($_self)">,
    OptionalTypesMatchWith<"mask has the shape of the pointers", "ptr", "mask",
                           "::fsm::triton::maskOf($_self)">]> {
  let summary = "writes a scalar or a tensor to memory";
  let arguments = (ins
      TT_Pointers:$ptr,
      TT_Value:$value,
      Optional<TT_Mask>:$mask,
      DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
      DefaultValuedAttr<TT_CacheModifier, "::fsm::triton::CacheModifier::None">:$cache,
      DefaultValuedAttr<TT_EvictionPolicy, "::fsm::triton::EvictionPolicy::Normal">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [SameOperandsAndResultShape]> {
  let summary = "changes elements in memory, each in one step";
  let arguments = (ins
      TT_AtomicUpdate:$atomic_rmw_op,
      TT_Pointers:$ptr,
      TT_Value:$val,
      Optional<TT_Mask>:$mask,
      TT_MemorySemantics:$sem,
      TT_MemoryScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [SameOperandsAndResultShape]> {
  let summary = "replaces elements in memory that are equal to others";
  let arguments = (ins
      TT_Pointers:$ptr,
      TT_Value:$cmp,
      TT_Value:$val,
      TT_MemorySemantics:$sem,
      TT_MemoryScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

#endif // FSM_IR_TRITON_TRITONMEMORYOPS_TD
