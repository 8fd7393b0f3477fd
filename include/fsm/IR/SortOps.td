//===- SortOps.td - Elements in order, and counted ---------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_SORTOPS_TD
#define FSM_IR_SORTOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_SortOp : FSM_ExpandedOp<"sort", [Pure, SameOperandsAndResultType]> {
  let summary = "Puts the elements along a dimension in order";
  let description = [{
    Ascending, or with `descending` the other way round. Integers are signed numbers, and false
    is less than true. NaN is greater than all other floats, and -0 is less than +0. The bits of
    the elements stay; those of a NaN may change. `fsm-expand-blocks` writes it as a sorting network.

    ```mlir
    %sorted = fsm.sort %tile axis 1 descending : tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the elements to sort">:$source,
      Arg<I32Attr, "the dimension along which they are put in order, from 0">:$axis,
      Arg<UnitAttr, "if given, the greatest comes first">:$descending);
  let results = (outs Res<FSM_Block, "the elements in order">:$result);
  let assemblyFormat = "$source `axis` $axis (`descending` $descending^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def FSM_TopKOp : FSM_ExpandedOp<"topk", [Pure,
    TypesMatchWith<"indices have the shape of the values", "values", "indices",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).clone("
                   "::mlir::IntegerType::get($_self.getContext(), 32))">]> {
  let summary = "Finds the greatest elements along a dimension, and where they are";
  let description = [{
    The greatest first, or with `smallest` the smallest ones; as many as the results' extent
    along `axis`. The order is that of `fsm.sort`; of equal elements the one with the smaller index
    comes first, so that as many as there are give a stable sort. `fsm-expand-blocks` writes it as
    a sorting network of pairs.

    ```mlir
    %values, %ids = fsm.topk %tile axis 1 : tensor<16x64xf32> -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the elements among which is looked">:$source,
      Arg<I32Attr, "the dimension along which is looked, from 0">:$axis,
      Arg<UnitAttr, "if given, the smallest are found, the smallest first">:$smallest);
  let results = (outs
      Res<FSM_Block, "the elements, in order">:$values,
      Res<FSM_RangeBlock, "their coordinates along `axis` in the source">:$indices);
  let assemblyFormat = [{
    $source `axis` $axis (`smallest` $smallest^)? attr-dict `:` type($source) `->` type($values)
  }];
  let hasVerifier = 1;
}

def FSM_HistogramOp : FSM_Op<"histogram", [Pure, FSM_BlockLookupInterface]> {
  let summary = "Counts how often each number occurs in a block";
  let description = [{
    Element i of the result says how many elements of the source are i, as unsigned numbers.
    Elements that are not less than the result's extent are not counted. On a GPU threads count in
    shared memory (`fsm.shared_count`); on a CPU, and where memory has no room or several ctas
    hold the numbers, `fsm-expand-blocks` writes it as comparisons and reductions.

    ```mlir
    %counts = fsm.histogram %bins : tensor<1024xi32> -> tensor<64xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_BlockOf<FSM_Int, "integers">, "the numbers, of any shape">:$source);
  let results = (outs Res<FSM_RangeBlock, "the counts, from that of 0 on">:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif // FSM_IR_SORTOPS_TD
