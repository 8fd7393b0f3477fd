//===- DotOps.td - Products of matrices ----------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_DOTOPS_TD
#define FSM_IR_DOTOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_DotOp : FSM_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>,
    FSM_HostRootInterface, FSM_BlockLookupInterface]> {
  let summary = "Adds the product of two matrices to a third";
  let description = [{
    `left` is M x K, `right` is K x N, `acc` and the result are M x N; or all of them
    have one more dimension in front, of equal extent, and it is a batch of products.
    Any extents will do.

    | left and right | acc |
    |---|---|
    | f16, bf16, each with its own; f8E4M3FN, f8E5M2, also with each other | f32 |
    | f16 | f16, to which each sum of some products is rounded |
    | f32 | f32 |
    | i8, signed | i32, which wraps, or with `saturate` stays in its range |
    | f64 | f64 |

    f32 operands need a `precision`: `ieee`, or one that allows operands to be rounded:
    `tf32`; or the products to be those of parts, of which `tf32x3` and `bf16x3` have two
    and `bf16x6` three. Other operands take none. Products are exact or fused with their
    addition; the order of the sum is unspecified but fixed for a compiled kernel.

    `accumulate = N`, of f8, allows sums of so many products to be cut behind 13 bits
    of the largest of their terms, as tensor cores do, before they are added up in f32.

    ```mlir
    %c = fsm.dot %a, %b, %zero : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %d = fsm.dot %x, %y, %c precision = ieee
        : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>
    %e = fsm.dot %u, %v, %w saturate : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
    %f = fsm.dot %p, %q, %zero accumulate = 128
        : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN> -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Block, "the first factor, M x K, or B x M x K for a batch">:$left,
      Arg<FSM_Block, "the second factor, K x N, or B x K x N for a batch">:$right,
      Arg<FSM_Block, "what the product is added to, M x N, or B x M x N for a batch">:$acc,
      Arg<OptionalAttr<FSM_DotPrecision>,
          "how f32 factors may be rounded; these need one, others take none">:$precision,
      Arg<OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>,
          "how many products of f8 may be added up less exactly">:$accumulate,
      Arg<UnitAttr, "sums of integers stay in the range of i32">:$saturate);
  let results = (outs Res<FSM_Block, "the sum, of the shape of `acc`">:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $acc (`precision` `=` $precision^)? (`accumulate` `=` $accumulate^)?
    (`saturate` $saturate^)? attr-dict
    `:` type($left) `,` type($right) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Value walkedBlock() { return getResult(); }
    unsigned numLookedUp() { return 2; }
  }];
  let hasVerifier = 1;
}

#endif // FSM_IR_DOTOPS_TD
