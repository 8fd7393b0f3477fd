//===- TritonEnums.td - Enumerations of Triton's IR --------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONENUMS_TD
#define FSM_IR_TRITON_TRITONENUMS_TD

include "mlir/IR/EnumAttr.td"

// The names and the numbers are Triton's; in a dictionary an enumeration is its number.
class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fsm::triton";
}

def TT_Axis : TT_Enum<"Axis", "dimension of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def TT_CacheModifier : TT_Enum<"CacheModifier", "where an access is cached", [
    I32EnumAttrCase<"None", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">,
    I32EnumAttrCase<"CG", 3, "cg">, I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">,
    I32EnumAttrCase<"WT", 6, "wt">, I32EnumAttrCase<"CV", 7, "cv">]>;

def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "when a cached line may go", [
    I32EnumAttrCase<"Normal", 1, "evict_normal">, I32EnumAttrCase<"First", 2, "evict_first">,
    I32EnumAttrCase<"Last", 3, "evict_last">]>;

def TT_Padding : TT_Enum<"Padding", "what stands outside of a tensor", [
    I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"NaN", 2, "nan">]>;

def TT_AtomicUpdate : TT_Enum<"AtomicUpdate", "what an atomic does to memory", [
    I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">,
    I32EnumAttrCase<"Xor", 3, "xor">, I32EnumAttrCase<"Add", 4, "add">,
    I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
    I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">,
    I32EnumAttrCase<"UMin", 9, "umin">, I32EnumAttrCase<"Exch", 10, "exch">]>;

def TT_MemorySemantics : TT_Enum<"MemorySemantics", "what an atomic orders", [
    I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
    I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;

def TT_MemoryScope : TT_Enum<"MemoryScope", "who sees an atomic as one step", [
    I32EnumAttrCase<"Gpu", 1, "gpu">, I32EnumAttrCase<"Cta", 2, "cta">,
    I32EnumAttrCase<"Sys", 3, "sys">]>;

def TT_Rounding : TT_Enum<"Rounding", "how a float is rounded", [
    I32EnumAttrCase<"TowardZero", 0, "rtz">, I32EnumAttrCase<"NearestEven", 1, "rtne">]>;

def TT_PropagateNaN : TT_Enum<"PropagateNaN", "whether a NaN stays one", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 0xFFFF, "all">]>;

def TT_DotPrecision : TT_Enum<"DotPrecision", "what f32 operands of a product become", [
    I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">,
    I32EnumAttrCase<"IEEE", 2, "ieee">, I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
    I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def TT_ScaledElement : TT_Enum<"ScaledElement", "what the bits of a scaled factor mean", [
    I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">,
    I32EnumAttrCase<"E2M3", 2, "e2m3">, I32EnumAttrCase<"E3M2", 3, "e3m2">,
    I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
    I32EnumAttrCase<"F16", 6, "fp16">]>;

#endif // FSM_IR_TRITON_TRITONENUMS_TD
