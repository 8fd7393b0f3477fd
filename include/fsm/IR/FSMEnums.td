//===- FSMEnums.td - Enumerations of the fsm dialect -------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_FSMENUMS_TD
#define FSM_IR_FSMENUMS_TD

include "fsm/IR/FSMDialect.td"

class FSM_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fsm";
}

def FSM_GridAxis : FSM_Enum<"GridAxis", "dimension of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def FSM_ReduceKind : I32EnumAttr<"ReduceKind", "how two elements are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"UMin", 5, "umin">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]> {
  let cppNamespace = "::fsm";
  let genSpecializedAttr = 0;
}
def FSM_ReduceKindAttr : EnumAttr<FSM_Dialect, FSM_ReduceKind, "reduce_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

// PTX names: cache at all levels, at global level, streaming, volatile-like,
// write-back, write-through (PTX ISA, "Cache Operators").
def FSM_CacheHint : FSM_Enum<"CacheHint", "where an access is cached", [
    I32EnumAttrCase<"CA", 0, "ca">, I32EnumAttrCase<"CG", 1, "cg">,
    I32EnumAttrCase<"CS", 2, "cs">, I32EnumAttrCase<"CV", 3, "cv">,
    I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"WT", 5, "wt">]>;

def FSM_EvictHint : FSM_Enum<"EvictHint", "when a cached line may go", [
    I32EnumAttrCase<"First", 0, "first">, I32EnumAttrCase<"Last", 1, "last">,
    I32EnumAttrCase<"Unkept", 2, "unkept">]>;

def FSM_AtomicKind : I32EnumAttr<"AtomicKind", "what an atomic does to memory", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
    I32EnumAttrCase<"Exch", 8, "exch">]> {
  let cppNamespace = "::fsm";
  let genSpecializedAttr = 0;
}
def FSM_AtomicKindAttr : EnumAttr<FSM_Dialect, FSM_AtomicKind, "atomic_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

// The memory orders and scopes of the PTX memory model.
def FSM_MemorySemantics : FSM_Enum<"MemorySemantics", "what an atomic orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def FSM_MemoryScope : FSM_Enum<"MemoryScope", "who sees an atomic as one step", [
    I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
    I32EnumAttrCase<"Sys", 2, "sys">]>;

def FSM_ThreadScope : I32EnumAttr<"ThreadScope", "which threads wait for one another", [
    I32EnumAttrCase<"Warp", 0, "warp">, I32EnumAttrCase<"Program", 1, "program">,
    I32EnumAttrCase<"Parts", 2, "parts">]> {
  let cppNamespace = "::fsm";
  let genSpecializedAttr = 0;
}
def FSM_ThreadScopeAttr : EnumAttr<FSM_Dialect, FSM_ThreadScope, "thread_scope"> {
  let assemblyFormat = "`<` $value `>`";
}

def FSM_LoadBuffer : I32EnumAttr<"LoadBuffer", "where elements wait for their iteration", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Async", 2, "async">, I32EnumAttrCase<"Bulk", 3, "bulk">,
    I32EnumAttrCase<"Tile", 4, "tile">, I32EnumAttrCase<"Tensor", 5, "tensor">]> {
  let cppNamespace = "::fsm";
  let genSpecializedAttr = 0;
}
def FSM_LoadBufferAttr : EnumAttr<FSM_Dialect, FSM_LoadBuffer, "load_buffer"> {
  let assemblyFormat = "`<` $value `>`";
}

def FSM_Rounding : FSM_Enum<"Rounding", "how a float is rounded", [
    I32EnumAttrCase<"NearestEven", 0, "nearest_even">,
    I32EnumAttrCase<"TowardZero", 1, "toward_zero">]>;

def FSM_DotPrecision : FSM_Enum<"DotPrecision", "what f32 operands of a product become", [
    I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">,
    I32EnumAttrCase<"TF32x3", 2, "tf32x3">, I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
    I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def FSM_TilePadding : FSM_Enum<"TilePadding", "what stands for what is outside of a tensor", [
    I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NaN", 1, "nan">]>;

#endif // FSM_IR_FSMENUMS_TD
