//===- TritonComputeOps.td - Shapes and arithmetic of Triton's IR -*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONCOMPUTEOPS_TD
#define FSM_IR_TRITON_TRITONCOMPUTEOPS_TD

include "fsm/IR/Triton/TritonDialect.td"
include "fsm/IR/Triton/TritonEnums.td"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_PureOp<"make_range"> {
  let summary = "the numbers from start to end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

// From one shape to another.
class TT_ShapeOp<string mnemonic> : TT_PureOp<mnemonic, [SameOperandsAndResultElementType]> {
  let results = (outs TT_Tensor:$result);
}

def TT_SplatOp : TT_ShapeOp<"splat"> {
  let summary = "a tensor of equal elements";
  let arguments = (ins TT_Value:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_UnsplatOp : TT_PureOp<"unsplat", [
    TypesMatchWith<"result is an element of the tensor", "src", "result",
                   "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the element of a tensor that has one";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
}

def TT_ExpandDimsOp : TT_ShapeOp<"expand_dims"> {
  let summary = "inserts a dimension of extent 1";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_BroadcastOp : TT_ShapeOp<"broadcast"> {
  let summary = "repeats a tensor along dimensions of extent 1";
  let arguments = (ins TT_Tensor:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_ReshapeOp : TT_ShapeOp<"reshape"> {
  let summary = "gives the elements of a tensor another shape";
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
}

def TT_TransOp : TT_ShapeOp<"trans"> {
  let summary = "permutes the dimensions of a tensor";
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

class TT_PairOp<string mnemonic> : TT_PureOp<mnemonic, [AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

def TT_JoinOp : TT_PairOp<"join"> {
  let summary = "two tensors side by side in a new last dimension";
}

def TT_CatOp : TT_PairOp<"cat"> {
  let summary = "two tensors, one behind the other";
}

def TT_SplitOp : TT_PureOp<"split", [AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "takes apart what tt.join puts together";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}

def TT_GatherOp : TT_PureOp<"gather"> {
  let summary = "takes the elements of a tensor that indices name";
  let arguments = (ins
      TT_Tensor:$src, TT_Tensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

def TT_HistogramOp : TT_PureOp<"histogram", [
    OptionalTypesMatchWith<"mask has the shape of the numbers", "src", "mask",
                           "::fsm::triton::maskOf($_self)">]> {
  let summary = "counts how often each number occurs";
  let arguments = (ins TT_Tensor:$src, Optional<TT_Mask>:$mask);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def TT_BitcastOp : TT_CastOp<"bitcast"> {
  let summary = "takes the bits for those of another type of the same width";
}

def TT_FpToFpOp : TT_PureOp<"fp_to_fp", [SameOperandsAndResultShape]> {
  let summary = "converts floats";
  let arguments = (ins TT_Value:$src, OptionalAttr<TT_Rounding>:$rounding);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)
  }];
}

def TT_ClampFOp : TT_SameTypeOp<"clampf"> {
  let summary = "keeps floats between two others";
  let arguments = (ins TT_Value:$x, TT_Value:$min, TT_Value:$max, TT_PropagateNaN:$propagateNan);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)
  }];
}

def TT_PreciseSqrtOp : TT_SameTypeOp<"precise_sqrt"> {
  let summary = "the square root, correctly rounded";
  let arguments = (ins TT_Value:$x);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class TT_BinaryOp<string mnemonic> : TT_SameTypeOp<mnemonic> {
  let arguments = (ins TT_Value:$x, TT_Value:$y);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_BinaryOp<"precise_divf"> {
  let summary = "the quotient, correctly rounded";
}

def TT_MulhiUIOp : TT_BinaryOp<"mulhiui"> {
  let summary = "the upper half of the product of unsigned integers";
}

def TT_DotOp : TT_PureOp<"dot", [AllTypesMatch<["c", "d"]>]> {
  let summary = "adds the product of two matrices to a third";
  let arguments = (ins
      TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
      DefaultValuedAttr<TT_DotPrecision, "::fsm::triton::DotPrecision::IEEE">:$inputPrecision,
      DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
}

def TT_DotScaledOp : TT_PureOp<"dot_scaled", [AttrSizedOperandSegments, AllTypesMatch<["c", "d"]>]> {
  let summary = "adds the product of two matrices with scales to a third";
  let arguments = (ins
      TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
      Optional<TT_Tensor>:$a_scale, Optional<TT_Tensor>:$b_scale,
      TT_ScaledElement:$a_elem_type, TT_ScaledElement:$b_elem_type,
      BoolAttr:$fastMath,
      DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
      DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_Tensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise"> {
  let summary = "calls a function of libdevice for each element";
  let arguments = (ins
      Variadic<TT_Value>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol,
      BoolAttr:$pure);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm"> {
  let summary = "instructions of PTX for each element";
  let arguments = (ins
      StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
      Variadic<TT_Value>:$args);
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
}

#endif // FSM_IR_TRITON_TRITONCOMPUTEOPS_TD
