//===- ReduceOps.td - Reductions ---------------------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_REDUCEOPS_TD
#define FSM_IR_REDUCEOPS_TD

include "fsm/IR/FSMEnums.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_ReduceOp : FSM_Op<"reduce", [Pure]> {
  let summary = "Combines the elements of a block along one dimension";
  let description = [{
    The result has the shape of `source` without dimension `axis`; reducing a
    rank-1 block gives a scalar. The order in which elements are combined is
    unspecified but fixed for a compiled kernel.

    `max` and `min` order integers as signed numbers, `umax` and `umin` as
    unsigned ones. On floats, `max` and `min` ignore NaN unless
    `propagate_nan` is given, and +0 is greater than -0. `and`, `or`, `xor` take
    integers. Sums and products of f16 and bf16 accumulate in f32 and round
    once.

    ```mlir
    %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
    %sums = fsm.reduce <sum> %tile axis 1 : tensor<16x64xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = (ins
      FSM_ReduceKindAttr:$kind,
      FSM_Block:$source,
      I32Attr:$axis,
      UnitAttr:$propagate_nan);
  let results = (outs FSM_Value:$result);
  let assemblyFormat = [{
    $kind $source `axis` $axis (`propagate_nan` $propagate_nan^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FSM_IR_REDUCEOPS_TD
