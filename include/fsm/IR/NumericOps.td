//===- NumericOps.td - Exact and random numbers --------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_NUMERICOPS_TD
#define FSM_IR_NUMERICOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_ComputedFloat : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def FSM_FloatValue : AnyTypeOf<[FSM_BlockOf<FSM_Float, "floats">, FSM_Float], "float or block of floats">;
def FSM_ComputedValue : AnyTypeOf<[FSM_BlockOf<FSM_ComputedFloat, "f16, bf16, f32 or f64">,
                                   FSM_ComputedFloat], "f16, bf16, f32, f64 or a block of these">;
def FSM_ByteOrMore : AnyTypeOf<[I8, I16, I32, I64], "i8, i16, i32 or i64">;
def FSM_BytesValue : AnyTypeOf<[FSM_BlockOf<FSM_ByteOrMore, "i8, i16, i32 or i64">,
                                FSM_ByteOrMore], "i8, i16, i32, i64 or a block of these">;
def FSM_WordValue : AnyTypeOf<[FSM_BlockOf<I32, "i32">, I32], "i32 or block of i32">;

class FSM_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : FSM_Op<mnemonic, traits # ElementwiseMappable.traits # [Pure]>;

// What floats are made of costs too much to be computed again on a GPU.
class FSM_FloatOp<string mnemonic, list<Trait> traits = []>
    : FSM_ElementwiseOp<mnemonic, traits # [FSM_RematerializableInterface]> {
  let extraClassDeclaration = [{
    bool isCheap(::llvm::function_ref<bool(::mlir::Value)>) { return false; }
    unsigned elementCost() { return 4; }
  }];
}

def FSM_ConvertOp : FSM_FloatOp<"convert"> {
  let summary = "Converts floats, with the rounding and overflow that it names";
  let description = [{
    Source and result are floats of different types, f8 among them, or blocks of
    these of one shape. A value between two of the result's type becomes one of them:
    the nearer, a tie going to the even one (`nearest_even`), or that toward zero
    (`toward_zero`). Without `saturate`, finite values too large become infinite by
    `nearest_even` and the largest finite one by `toward_zero`; with it, the largest
    finite one either way, for infinities as well; so it is always to f8, where that is
    448 (f8E4M3FN) or 57344 (f8E5M2). NaN stays NaN. A conversion to a type that has
    all values of the source's is exact.

    ```mlir
    %small = fsm.convert %x rounding = nearest_even : tensor<64xf32> -> tensor<64xf8E4M3FN>
    %wide = fsm.convert %small rounding = nearest_even : tensor<64xf8E4M3FN> -> tensor<64xf32>
    %half = fsm.convert %x rounding = toward_zero saturate : tensor<64xf32> -> tensor<64xf16>
    ```
  }];
  let arguments = (ins
      Arg<FSM_FloatValue, "the numbers to convert">:$source,
      Arg<FSM_Rounding,
          "which neighbour replaces a number that the result's type lacks">:$rounding,
      Arg<UnitAttr, "if given, what is too large becomes the largest finite number">:$saturate);
  let results = (outs Res<FSM_FloatValue, "the converted numbers, in the source's shape">:$result);
  let assemblyFormat = [{
    $source `rounding` `=` $rounding (`saturate` $saturate^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def FSM_DivRNOp : FSM_FloatOp<"div_rn", [SameOperandsAndResultType]> {
  let summary = "Divides, correctly rounded";
  let description = [{
    The quotient rounded to nearest, ties to even, with denormals, as IEEE 754 says.
    `arith.divf` of f32 may be 2 ulp off.

    ```mlir
    %q = fsm.div_rn %x, %y : tensor<64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_ComputedValue, "the dividends">:$left,
      Arg<FSM_ComputedValue, "the divisors">:$right);
  let results = (outs
      Res<FSM_ComputedValue, "the quotients, each the nearest number to the exact one">:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    /// The type of 16 bits that the dividends, which are f32, were of, where the divisor is one number; null elsewhere.
    ::mlir::Type narrowDividend();
  }];
}

def FSM_SqrtRNOp : FSM_FloatOp<"sqrt_rn", [SameOperandsAndResultType]> {
  let summary = "Takes the square root, correctly rounded";
  let description = [{
    Rounded to nearest, ties to even, with denormals, as IEEE 754 says; -0 stays -0,
    and less than that gives NaN.

    ```mlir
    %r = fsm.sqrt_rn %x : tensor<64xf32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_ComputedValue, "what the roots are taken of; a negative number gives NaN">:$source);
  let results = (outs
      Res<FSM_ComputedValue, "the roots, each the nearest number to the exact one">:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
}

def FSM_UMulHiOp : FSM_ElementwiseOp<"umulhi", [SameOperandsAndResultType, Commutative]> {
  let summary = "Multiplies unsigned integers, and gives the upper half of the product";
  let description = [{
    The product of two unsigned integers of w bits has 2 w; `arith.muli` gives the lower w of them,
    this op the upper w.

    ```mlir
    %high = fsm.umulhi %x, %y : tensor<64xi64>
    ```
  }];
  let arguments = (ins
      Arg<FSM_BytesValue, "the one factor, unsigned">:$left,
      Arg<FSM_BytesValue, "the other factor, unsigned">:$right);
  let results = (outs
      Res<FSM_BytesValue, "the upper halves of the products, as wide as a factor">:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` type($result)";
}

def FSM_PhiloxOp : FSM_ElementwiseOp<"philox", [SameOperandsAndResultType]> {
  let summary = "Makes four random words of a counter and a key";
  let description = [{
    Philox-4x32-10 (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
    2011): the four 32-bit words of `counter` and the two of `key` give four words,
    the same on every device. `fsm-expand-random` replaces it by arithmetic.

    ```mlir
    %a, %b, %c, %d = fsm.philox counter %i, %zero, %zero, %zero key %low, %high
        : tensor<64xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_WordValue, "the counter's first word, its lowest">:$counter0,
      Arg<FSM_WordValue, "the counter's second word">:$counter1,
      Arg<FSM_WordValue, "the counter's third word">:$counter2,
      Arg<FSM_WordValue, "the counter's fourth word">:$counter3,
      Arg<FSM_WordValue, "the key's first word, its lowest">:$key0,
      Arg<FSM_WordValue, "the key's second word">:$key1);
  let results = (outs
      Res<FSM_WordValue, "the first random word">:$result0,
      Res<FSM_WordValue, "the second random word">:$result1,
      Res<FSM_WordValue, "the third random word">:$result2,
      Res<FSM_WordValue, "the fourth random word">:$result3);
  let assemblyFormat = [{
    `counter` $counter0 `,` $counter1 `,` $counter2 `,` $counter3 `key` $key0 `,` $key1 attr-dict
    `:` type($result0)
  }];
}

#endif // FSM_IR_NUMERICOPS_TD
