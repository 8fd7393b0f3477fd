//===- GatherOps.td - Elements and where they are ----------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_GATHEROPS_TD
#define FSM_IR_GATHEROPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_MaskBlock : FSM_BlockOf<I1, "i1">;

def FSM_PlacesOp : FSM_ExpandedOp<"places", [Pure, AttrSizedOperandSegments]> {
  let summary = "Says where the elements of a tile are in memory, and which are inside";
  let description = [{
    The element at (i, j, ...) of the tile has the coordinates `origin` + (i, j, ...). Its
    offset is the sum of its coordinates, each times the stride of its dimension; it is inside
    where each coordinate is less than the bound of its dimension, as a signed number. Each of
    the lists has a number or an i32 for each dimension. Without `origin` it is 0, and without
    `strides`, which only one dimension may lack, the stride is 1. The second result is there
    where bounds are. No sum and no product may leave the range of an i32, nor may the distance
    from the origin to a bound. `fsm-expand-blocks` writes it as ranges and arithmetic.

    ```mlir
    %offs, %inside = fsm.places origin [%row, 0] strides [%ld, 1] bounds [%m, %n] : tensor<16x64xi32>
    %line = fsm.places origin [%first] : tensor<64xi32>
    ```
  }];
  let arguments = (ins
      Arg<Variadic<I32>, "coordinates of the first element that are not numbers in the text">:$origin,
      Arg<Variadic<I32>, "strides that are not numbers in the text">:$strides,
      Arg<Variadic<I32>, "bounds that are not numbers in the text">:$bounds,
      Arg<DenseI64ArrayAttr, "the coordinates of the first element, or where they are operands">:$static_origin,
      Arg<DenseI64ArrayAttr, "elements from one to the next along each dimension, or where they are operands">:$static_strides,
      Arg<DenseI64ArrayAttr, "one more than the last coordinate that is inside, or where they are operands">:$static_bounds);
  let results = (outs
      Res<FSM_RangeBlock, "how many elements each is behind the pointer">:$offsets,
      Res<Optional<FSM_MaskBlock>, "which elements are inside the bounds">:$inside);
  let assemblyFormat = [{
    custom<PlacesLists>($origin, $static_origin, $strides, $static_strides, $bounds, $static_bounds)
    attr-dict `:` custom<PlacesTypes>(type($offsets), type($inside), ref($static_bounds))
  }];
  let hasVerifier = 1;
}

def FSM_GatherOp : FSM_Op<"gather", [Pure, FSM_BlockLookupInterface]> {
  let summary = "Takes the elements of a block that indices name";
  let description = [{
    Element (.., i, ..) of the result is the source's (.., `indices`[.., i, ..], ..), where i
    stands at `axis`. The indices have the extents of the source, but for the one along the
    axis, which is any. An index below 0, or not less than the source's extent, gives an
    unspecified element.

    ```mlir
    %y = fsm.gather %x[%ids] axis 0 : tensor<64x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block whose elements are taken">:$source,
      Arg<FSM_OffsetBlock, "which element each one of the result is, along `axis`">:$indices,
      Arg<I32Attr, "the dimension that is counted along, from 0">:$axis);
  let results = (outs Res<FSM_Block, "the elements, in the shape of the indices">:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` `axis` $axis attr-dict
    `:` type($source) `,` type($indices) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def FSM_SliceOp : FSM_ExpandedOp<"slice", [Pure]> {
  let summary = "Takes a part of a block";
  let description = [{
    Element (i, j, ...) of the result is the source's at the offsets + (i, j, ...). Each offset
    is a number or an i32. What is outside of the source is unspecified. The extents of the part
    are those of the result's type. `fsm-expand-blocks` writes it as gathers.

    ```mlir
    %part = fsm.slice %tile[%i, 32] : tensor<16x64xf32> -> tensor<4x32xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block that a part is taken of">:$source,
      Arg<Variadic<I32>, "offsets that are not numbers in the text">:$offsets,
      Arg<DenseI64ArrayAttr, "where the part begins, in each dimension, or where that is an operand">:$static_offsets);
  let results = (outs Res<FSM_Block, "the part, of the source's rank">:$result);
  let assemblyFormat = [{
    $source custom<NumberList>($offsets, $static_offsets) attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def FSM_ExtractOp : FSM_ExpandedOp<"extract", [Pure,
    TypesMatchWith<"result is an element of the source", "source", "result",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "Takes one element of a block";
  let description = [{
    The element at these coordinates, each a number or an i32, as a scalar. What is outside
    of the source is unspecified. `fsm-expand-blocks` writes it as gathers of one element.

    ```mlir
    %first = fsm.extract %tile[%i, 0] : tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block that an element is taken of">:$source,
      Arg<Variadic<I32>, "coordinates that are not numbers in the text">:$offsets,
      Arg<DenseI64ArrayAttr, "where the element is, in each dimension, or where that is an operand">:$static_offsets);
  let results = (outs Res<FSM_Element, "the element">:$result);
  let assemblyFormat = [{
    $source custom<NumberList>($offsets, $static_offsets) attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def FSM_CatOp : FSM_ExpandedOp<"cat", [Pure]> {
  let summary = "Puts blocks one behind the other";
  let description = [{
    Along `axis` the result has the elements of the first block, then those of the second and
    so on. The blocks have equal extents, but for those along the axis. `fsm-expand-blocks` writes
    it as a join where two have equal extents, and as gathers elsewhere.

    ```mlir
    %both = fsm.cat %tile, %more axis 1 : tensor<16x64xf32>, tensor<16x8xf32> -> tensor<16x72xf32>
    ```
  }];
  let arguments = (ins
      Arg<Variadic<FSM_Block>, "the blocks, in their order">:$sources,
      Arg<I32Attr, "the dimension along which they follow one another, from 0">:$axis);
  let results = (outs Res<FSM_Block, "the blocks as one">:$result);
  let assemblyFormat = "$sources `axis` $axis attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
}

#endif // FSM_IR_GATHEROPS_TD
