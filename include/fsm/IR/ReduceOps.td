//===- ReduceOps.td - Reductions ---------------------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_REDUCEOPS_TD
#define FSM_IR_REDUCEOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Combines elements along one dimension. Where several warps have elements of a line of them,
// `fsm-stage-exchanges` adds a region that says how they exchange what each has.
class FSM_AlongAxisOp<string mnemonic, list<Trait> traits = []> : FSM_Op<mnemonic, traits # [
    AlwaysSpeculatable, RecursiveMemoryEffects, SingleBlock, FSM_AlongAxisInterface,
    FSM_HostRootInterface]> {
  let hasVerifier = 1;
}

def FSM_ReduceOp : FSM_AlongAxisOp<"reduce"> {
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

    Where several warps have elements that are combined, `fsm-stage-exchanges` adds a
    region. It takes what each warp has combined, as a block with the warps in
    dimension `axis`, in f32 for the half formats; behind it, each thread combines what
    it has of the block that the region yields:

    ```mlir
    #x = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
    #one = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]], cta = []>
    #all = #fsm.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = [[0], [0]], cta = []>
    %sum = fsm.reduce <sum> %halves axis 0 : tensor<128xf16, #x> -> f16 exchange {
    ^bb0(%part: tensor<4xf32, #one>):
      %shared = fsm.shared_alloc : !fsm.shared<4xf32>
      fsm.shared_store %part, %shared : tensor<4xf32, #one>, !fsm.shared<4xf32>
      fsm.shared_barrier <program>
      %parts = fsm.shared_load %shared : !fsm.shared<4xf32> -> tensor<4xf32, #all>
      fsm.yield %parts : tensor<4xf32, #all>
    }
    ```
  }];
  let arguments = (ins
      Arg<FSM_ReduceKindAttr, "the combination: sum, product, an extreme or a bitwise one">:$kind,
      Arg<FSM_Block, "the block whose elements are combined">:$source,
      Arg<I32Attr, "the dimension that the result lacks, from 0">:$axis,
      Arg<UnitAttr,
          "if given, max and min of a NaN are NaN; otherwise they ignore it">:$propagate_nan);
  let regions = (region VariadicRegion<AnyRegion>:$exchange);
  let results = (outs
      Res<FSM_Value, "the block without dimension `axis`, or a scalar if it had no other">:$result);
  let assemblyFormat = [{
    $kind $source `axis` $axis (`propagate_nan` $propagate_nan^)? attr-dict
    `:` type($source) `->` type($result) (`exchange` $exchange^)?
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    std::optional<::fsm::ReduceKind> knownKind() { return getKind(); }
    bool sharesLoop() { return getAxis() + 1 == getSource().getType().getRank(); }
  }];
}

def FSM_YieldOp : FSM_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ReduceWithOp", "ScanOp", "ScanWithOp"]>]> {
  let summary = "Gives what a region of a reduction or a scan makes";
  let description = [{
    Ends the region of `fsm.reduce_with` and `fsm.scan_with`, with one element for
    each of their operands, and the region `exchange` of these and of `fsm.reduce`
    and `fsm.scan`, with one block for each that it takes.

    ```mlir
    fsm.yield %sum, %count : f32, i32
    ```
  }];
  let arguments = (ins
      Arg<Variadic<FSM_Value>,
          "the combined tuple, or the blocks that were exchanged">:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

// Several blocks of one shape, combined by a region of scalars.
class FSM_CombineOp<string mnemonic, list<Trait> traits = []> : FSM_AlongAxisOp<mnemonic, traits # [
    IsolatedFromAbove]> {
  let regions = (region SizedRegion<1>:$combiner, VariadicRegion<AnyRegion>:$exchange);
  let hasRegionVerifier = 1;
}

def FSM_ReduceWithOp : FSM_CombineOp<"reduce_with"> {
  let summary = "Combines the elements of blocks along one dimension by a region";
  let description = [{
    The operands are blocks of one shape; at each place they hold a tuple of
    elements, and the tuples along dimension `axis` are combined to one. The region
    takes two tuples and yields one; it must be associative and commutative, and
    sees valid elements only. It holds the element-wise ops of the language, on
    scalars, and nothing from outside. The results have the shape of the operands
    without the dimension; those of rank-1 blocks are scalars. The order is
    unspecified but fixed for a compiled kernel.

    ```mlir
    %max, %at = fsm.reduce_with %x, %ids axis 0
        : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %more = arith.cmpf ogt, %a, %b : f32
      %equal = arith.cmpf oeq, %a, %b : f32
      %first = arith.cmpi slt, %i, %j : i32
      %tie = arith.andi %equal, %first : i1
      %left = arith.ori %more, %tie : i1
      %value = arith.select %left, %a, %b : f32
      %index = arith.select %left, %i, %j : i32
      fsm.yield %value, %index : f32, i32
    }
    ```
  }];
  let arguments = (ins
      Arg<Variadic<FSM_Block>,
          "blocks of one shape, whose elements at one place are a tuple">:$sources,
      Arg<I32Attr, "the dimension that the results lack, from 0">:$axis);
  let results = (outs
      Res<Variadic<FSM_Value>,
          "the combined tuples, one block or scalar for each operand">:$results);
  let assemblyFormat = [{
    $sources `axis` $axis attr-dict `:` type($sources) `->` type($results) $combiner
    (`exchange` $exchange^)?
  }];
}

def FSM_ScanOp : FSM_AlongAxisOp<"scan", [AllTypesMatch<["source", "result"]>]> {
  let summary = "Combines each element of a block with all before it along one dimension";
  let description = [{
    Element `i` along dimension `axis` of the result is the combination of the
    elements 0 to `i` of the source, with `reverse` of `i` to the last. The kinds
    are those of `fsm.reduce` and mean the same; the order in which elements are
    combined is unspecified but fixed for a compiled kernel. Scans of f16 and bf16
    accumulate in f32 and round each element once.

    ```mlir
    %sums = fsm.scan <sum> %x axis 0 : tensor<1024xf32>
    %left = fsm.scan <max> %tile axis 1 reverse : tensor<16x64xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_ReduceKindAttr, "the combination: sum, product, an extreme or a bitwise one">:$kind,
      Arg<FSM_Block, "the block whose elements are combined">:$source,
      Arg<I32Attr, "the dimension along which is combined, from 0">:$axis,
      Arg<UnitAttr, "if given, element `i` combines `i` to the last instead of 0 to `i`">:$reverse,
      Arg<UnitAttr,
          "if given, max and min of a NaN are NaN; otherwise they ignore it">:$propagate_nan);
  let regions = (region VariadicRegion<AnyRegion>:$exchange);
  let results = (outs
      Res<FSM_Block, "each element combined with all before it, in the source's shape">:$result);
  let assemblyFormat = [{
    $kind $source `axis` $axis (`reverse` $reverse^)? (`propagate_nan` $propagate_nan^)? attr-dict
    `:` type($source) (`exchange` $exchange^)?
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    std::optional<::fsm::ReduceKind> knownKind() { return getKind(); }
    bool isScan() { return true; }
  }];
}

def FSM_ScanWithOp : FSM_CombineOp<"scan_with", [
    RangedTypesMatchWith<"results have the types of the operands", "sources", "results", "$_self">]> {
  let summary = "Combines each element of blocks with all before it by a region";
  let description = [{
    As `fsm.scan`, with a region as `fsm.reduce_with` has it, which needs to be
    associative only: its first tuple is of elements before those of the second, or
    behind them with `reverse`.

    ```mlir
    %decay, %state = fsm.scan_with %a, %b axis 0 : tensor<64xf32>, tensor<64xf32> {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %both = arith.mulf %a0, %a1 : f32
      %moved = arith.mulf %a1, %b0 : f32
      %sum = arith.addf %moved, %b1 : f32
      fsm.yield %both, %sum : f32, f32
    }
    ```
  }];
  let arguments = (ins
      Arg<Variadic<FSM_Block>,
          "blocks of one shape, whose elements at one place are a tuple">:$sources,
      Arg<I32Attr, "the dimension along which is combined, from 0">:$axis,
      Arg<UnitAttr, "if given, tuple `i` combines `i` to the last instead of 0 to `i`">:$reverse);
  let results = (outs
      Res<Variadic<FSM_Block>,
          "each tuple combined with all before it, one block for each operand">:$results);
  let assemblyFormat = [{
    $sources `axis` $axis (`reverse` $reverse^)? attr-dict
    `:` type($sources) $combiner (`exchange` $exchange^)?
  }];
  let extraClassDeclaration = "bool isScan() { return true; }";
}

#endif // FSM_IR_REDUCEOPS_TD
