//===- ShapeOps.td - Making and reshaping blocks -----------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_SHAPEOPS_TD
#define FSM_IR_SHAPEOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_RangeOp : FSM_Op<"range", [Pure, FSM_RematerializableInterface]> {
  let summary = "Makes the block start, start + 1, ... end - 1";
  let description = [{
    A rank-1 block of consecutive 32-bit integers; its extent is `end - start`.

    ```mlir
    %offsets = fsm.range 0, 1024 : tensor<1024xi32>
    ```
  }];
  let arguments = (ins
      Arg<I32Attr, "the first element">:$start,
      Arg<I32Attr, "one more than the last element">:$end);
  let results = (outs
      Res<FSM_RangeBlock, "the numbers from `start` to `end - 1`, in order">:$result);
  let assemblyFormat = "$start `,` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

// Puts elements into a block of another shape.
class FSM_ShapeOp<string mnemonic, list<Trait> traits = []>
    : FSM_Op<mnemonic, [Pure, FSM_LayoutTransferInterface] # traits> {
  code declaresDims = "std::optional<::llvm::SmallVector<int64_t>> sourceDims();";
  code declaresLayouts = [{
    std::optional<::fsm::LinearLayout> operandLayout(const ::fsm::LinearLayout &result);
  }];
  // Of ops that are at home where their operands are.
  code declaresHome = [{
    std::optional<::fsm::LinearLayout> resultLayout(const ::fsm::LinearLayout &operand);
    bool followsOperands() { return true; }
  }];
}

def FSM_SplatOp : FSM_ShapeOp<"splat", [FSM_RematerializableInterface,
    TypesMatchWith<"scalar has the block's element type", "result", "scalar",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "Makes a block of equal elements";
  let description = [{
    Every element of the result is `scalar`.

    ```mlir
    %block = fsm.splat %x : tensor<16x64xf32>
    ```
  }];
  let arguments = (ins Arg<FSM_Element, "what every element of the result is">:$scalar);
  let results = (outs Res<FSM_Block, "a block that holds the scalar everywhere">:$result);
  let assemblyFormat = "$scalar attr-dict `:` type($result)";
  let extraClassDeclaration = declaresDims;
  let hasFolder = 1;
}

def FSM_ExpandDimsOp : FSM_ShapeOp<"expand_dims", [FSM_RematerializableInterface]> {
  let summary = "Inserts a dimension of extent 1";
  let description = [{
    The result has the elements of `source` in the same order and one more
    dimension, of extent 1, at position `axis` of its shape.

    ```mlir
    %column = fsm.expand_dims %rows axis 1 : tensor<16xi32> -> tensor<16x1xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block that gets one more dimension">:$source,
      Arg<I32Attr, "where the new dimension stands in the result's shape, from 0">:$axis);
  let results = (outs
      Res<FSM_Block, "the same elements in the same order; the extent at `axis` is 1">:$result);
  let assemblyFormat = "$source `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let extraClassDeclaration = declaresDims;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_BroadcastOp : FSM_ShapeOp<"broadcast", [FSM_RematerializableInterface]> {
  let summary = "Repeats a block along dimensions that are new, or of extent 1";
  let description = [{
    Source and result have the same rank; each extent is equal to the result's
    or 1, in which case the one element is repeated. With `dims` the source may
    have fewer dimensions: its dimension `i` is the result's `dims[i]`, and elements are
    repeated along all others. `fsm-expand-blocks` writes that with `fsm.expand_dims`.

    ```mlir
    %tile = fsm.broadcast %column : tensor<16x1xi32> -> tensor<16x64xi32>
    %same = fsm.broadcast %rows dims [0] : tensor<16xi32> -> tensor<16x64xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block to repeat, of the result's rank unless there are `dims`">:$source,
      Arg<OptionalAttr<DenseI32ArrayAttr>,
          "per dimension of the source, which one of the result it is, ascending">:$dims);
  let results = (outs
      Res<FSM_Block, "the block, repeated along all dimensions that are new or were of extent 1">:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
    build($_builder, $_state, result, source, /*dims=*/{});
  }]>];
  let extraClassDeclaration = declaresDims;
  let assemblyFormat = "$source (`dims` $dims^)? attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_ReshapeOp : FSM_ShapeOp<"reshape", [FSM_RematerializableInterface]> {
  let summary = "Gives the elements of a block another shape";
  let description = [{
    The number of elements stays; so does their row-major order.

    ```mlir
    %flat = fsm.reshape %tile : tensor<16x64xf32> -> tensor<1024xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block whose elements are taken in row-major order">:$source);
  let results = (outs Res<FSM_Block, "as many elements, in the same row-major order">:$result);
  let extraClassDeclaration = declaresLayouts # [{
    /// Whether elements only get other names: the bits of their row-major number stay.
    bool isRenaming();
    bool isCheap(::llvm::function_ref<bool(::mlir::Value)> isCheapOperand) {
      return isRenaming() && ::fsm::areCheap(getOperation()->getOperands(), isCheapOperand);
    }
  }];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_TransposeOp : FSM_ShapeOp<"transpose", [FSM_RematerializableInterface]> {
  let summary = "Permutes the dimensions of a block";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    ```mlir
    %columns = fsm.transpose %rows order [1, 0] : tensor<16x64xf32> -> tensor<64x16xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the block whose dimensions change places">:$source,
      Arg<DenseI32ArrayAttr, "per dimension of the result, which one of the source it is">:$order);
  let results = (outs
      Res<FSM_Block, "the same elements; dimension `i` is the source's `order[i]`">:$result);
  let extraClassDeclaration = declaresDims # declaresHome # "unsigned elementCost() { return 1; }";
  let assemblyFormat = "$source `order` $order attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_JoinOp : FSM_ShapeOp<"join", [AllTypesMatch<["left", "right"]>]> {
  let summary = "Puts two blocks side by side in a new last dimension";
  let description = [{
    The result has one more dimension than the operands, the last one, of extent
    2: `left` is at 0 of it and `right` at 1.

    ```mlir
    %pairs = fsm.join %re, %im : tensor<64xf32> -> tensor<64x2xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the elements at 0 of the new dimension">:$left,
      Arg<FSM_Block, "the elements at 1 of the new dimension">:$right);
  let results = (outs
      Res<FSM_Block, "both blocks, told apart by a new last dimension of extent 2">:$result);
  let extraClassDeclaration = declaresLayouts # declaresHome;
  let assemblyFormat = "$left `,` $right attr-dict `:` type($left) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def FSM_SplitOp : FSM_ShapeOp<"split", [AllTypesMatch<["left", "right"]>]> {
  let summary = "Takes apart what `fsm.join` puts together";
  let description = [{
    The source's last dimension has extent 2; `left` has the elements that are at
    0 of it and `right` those at 1.

    ```mlir
    %re, %im = fsm.split %pairs : tensor<64x2xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Arg<FSM_Block, "a block whose last dimension has extent 2">:$source);
  let results = (outs
      Res<FSM_Block, "the elements at 0 of the last dimension">:$left,
      Res<FSM_Block, "the elements at 1 of the last dimension">:$right);
  let extraClassDeclaration = declaresLayouts # declaresHome;
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($left)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FSM_IR_SHAPEOPS_TD
