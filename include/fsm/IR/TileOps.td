//===- TileOps.td - Tiles of tensors in memory --------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TILEOPS_TD
#define FSM_IR_TILEOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_DescriptorType : FSM_Type<"Descriptor", "descriptor"> {
  let summary = "a tensor in global memory, as an author describes it";
  let description = [{
    Where a tensor lies, how large it is and how far apart its elements are; `fsm.descriptor`
    says it. It has 1 to 5 dimensions. A descriptor is used where it was made, or handed to a
    helper or by one; no loop carries one, and nothing chooses between two.

    ```mlir
    %d = fsm.descriptor %p sizes [%m, %n] strides [%n, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    ```
  }];
  let parameters = (ins "int64_t":$rank, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $rank `x` $elementType `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = "static constexpr int64_t kMostRank = 5;";
}

def FSM_DescriptorOp : FSM_ExpandedOp<"descriptor", [Pure, AttrSizedOperandSegments]> {
  let summary = "Describes a tensor in global memory";
  let description = [{
    The element at the coordinates (i, j, ...) is at `pointer` plus the sum of the coordinates,
    each times the stride of its dimension, in elements. What is below 0, or not below the size
    of its dimension, is outside. Sizes are 0 or more and fit an i32. Each of the lists has a
    number or an integer for each dimension: an i32, unless the types say `, i64`.

    ```mlir
    %d = fsm.descriptor %p sizes [%m, %n] strides [%stride, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
    %e = fsm.descriptor %p sizes [7, %l] strides [%l, 1] : !fsm.ptr<f32>, i64 -> !fsm.descriptor<2 x f32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_PointerType, "the address of the element whose coordinates are 0">:$pointer,
      Arg<Variadic<FSM_OffsetInt>, "sizes that are not numbers in the text">:$sizes,
      Arg<Variadic<FSM_OffsetInt>, "strides that are not numbers in the text">:$strides,
      Arg<DenseI64ArrayAttr, "how many elements there are along each dimension, or where they are operands">:$static_sizes,
      Arg<DenseI64ArrayAttr, "elements from one to the next along each dimension, or where they are operands">:$static_strides);
  let results = (outs Res<FSM_DescriptorType, "the tensor">:$result);
  let assemblyFormat = [{
    $pointer `sizes` custom<NumberList>($sizes, $static_sizes)
    `strides` custom<NumberList>($strides, $static_strides) attr-dict
    `:` custom<DescribedTypes>(type($pointer), ref($sizes), type($sizes), ref($strides), type($strides))
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def FSM_LoadTileOp : FSM_ExpandedOp<"load_tile", [MemoryEffects<[MemRead]>, FSM_GlobalAccessInterface]> {
  let summary = "Reads a part of a tensor";
  let description = [{
    Element (i, j, ...) of the result is the tensor's at `coordinates` + (i, j, ...); what is
    outside of the tensor is zero, or NaN with `pad = nan`, and is not touched. The result has
    the tensor's dimensions, or the last ones of them: the coordinates of the others select one
    element along each. Each coordinate is a number or an i32. No coordinate of an element may
    leave the range of an i32, nor may the distance from one to the size of its dimension, nor
    how far apart elements of the part are in memory.

    ```mlir
    %d = fsm.descriptor %p sizes [4, %m, %n] strides [8192, %stride, 1] : !fsm.ptr<f32> -> !fsm.descriptor<3 x f32>
    %all = fsm.load_tile %d[0, %row, -1] : !fsm.descriptor<3 x f32> -> tensor<4x16x64xf32>
    %one = fsm.load_tile %d[%head, %row, 0] pad = nan : !fsm.descriptor<3 x f32> -> tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_DescriptorType, "the tensor that is read">:$descriptor,
      Arg<Variadic<I32>, "coordinates that are not numbers in the text">:$coordinates,
      Arg<DenseI64ArrayAttr, "where the part begins, in each dimension, or where that is an operand">:$static_coordinates,
      Arg<OptionalAttr<FSM_TilePadding>, "what stands for elements outside; zero if absent">:$pad);
  let results = (outs Res<FSM_Block, "what was read">:$result);
  let assemblyFormat = [{
    $descriptor `` custom<NumberList>($coordinates, $static_coordinates) (`pad` `=` $pad^)? attr-dict
    `:` qualified(type($descriptor)) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Until `fsm-expand-blocks` writes a load of it: the tensor, and no offsets.
    ::mlir::Value getPointer() { return getDescriptor(); }
    ::mlir::Value getOffsets() { return {}; }
    ::mlir::Value getMask() { return {}; }
    ::mlir::Type getAccessedType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
}

def FSM_StoreTileOp : FSM_ExpandedOp<"store_tile", [MemoryEffects<[MemWrite]>, FSM_GlobalAccessInterface]> {
  let summary = "Writes a part of a tensor";
  let description = [{
    Element (i, j, ...) of `value` goes to the tensor's at `coordinates` + (i, j, ...), unless
    that is outside of it. Dimensions and coordinates are those of `fsm.load_tile`.

    ```mlir
    %d = fsm.descriptor %p sizes [%m, %n] strides [%stride, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
    fsm.store_tile %tile, %d[%row, 64] : tensor<16x64xf32>, !fsm.descriptor<2 x f32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "what is written">:$value,
      Arg<FSM_DescriptorType, "the tensor that is written to">:$descriptor,
      Arg<Variadic<I32>, "coordinates that are not numbers in the text">:$coordinates,
      Arg<DenseI64ArrayAttr, "where the part begins, in each dimension, or where that is an operand">:$static_coordinates);
  let assemblyFormat = [{
    $value `,` $descriptor `` custom<NumberList>($coordinates, $static_coordinates) attr-dict
    `:` type($value) `,` qualified(type($descriptor))
  }];
  let extraClassDeclaration = [{
    /// Until `fsm-expand-blocks` writes a store of it: the tensor, and no offsets.
    ::mlir::Value getPointer() { return getDescriptor(); }
    ::mlir::Value getOffsets() { return {}; }
    ::mlir::Value getMask() { return {}; }
    ::mlir::Type getAccessedType() { return getValue().getType(); }
    bool reads() { return false; }
    bool writes() { return true; }
  }];
  let hasVerifier = 1;
}

#endif // FSM_IR_TILEOPS_TD
