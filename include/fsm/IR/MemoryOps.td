//===- MemoryOps.td - Addresses, loads and stores ----------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_MEMORYOPS_TD
#define FSM_IR_MEMORYOPS_TD

include "fsm/IR/FSMEnums.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_OffsetOp : FSM_Op<"offset", [Pure, AllTypesMatch<["pointer", "result"]>]> {
  let summary = "Moves a pointer by a number of elements";
  let description = [{
    `result` is `pointer` plus `offset` elements; the offset is sign-extended
    and scaled in 64 bits.

    ```mlir
    %row = fsm.offset %in, %start : !fsm.ptr<f32>, i32
    ```
  }];
  let arguments = (ins FSM_PointerType:$pointer, FSM_OffsetInt:$offset);
  let results = (outs FSM_PointerType:$result);
  let assemblyFormat = "$pointer `,` $offset attr-dict `:` qualified(type($pointer)) `,` type($offset)";
  let hasFolder = 1;
}

def FSM_PtrToIntOp : FSM_Op<"ptr_to_int", [Pure]> {
  let summary = "Gives the address that a pointer holds";
  let description = [{
    The address in bytes, as an i64.

    ```mlir
    %address = fsm.ptr_to_int %p : !fsm.ptr<f32> -> i64
    ```
  }];
  let arguments = (ins FSM_PointerType:$pointer);
  let results = (outs I64:$result);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer)) `->` type($result)";
  let hasFolder = 1;
}

def FSM_IntToPtrOp : FSM_Op<"int_to_ptr", [Pure]> {
  let summary = "Takes an i64 for an address";
  let description = [{
    The pointer that holds this address, in bytes. It must be one of global memory
    and a multiple of the pointee's size; which buffer it is in, nothing knows, so
    no promise of an argument holds for it.

    ```mlir
    %p = fsm.int_to_ptr %address : i64 -> !fsm.ptr<f32>
    ```
  }];
  let arguments = (ins I64:$address);
  let results = (outs FSM_PointerType:$result);
  let assemblyFormat = "$address attr-dict `:` type($address) `->` qualified(type($result))";
  let hasFolder = 1;
}

def FSM_LoadOp : FSM_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reads a scalar or a block from memory";
  let description = [{
    Without offsets the scalar at `pointer` is read; with a block of offsets,
    element `i` of the result comes from `pointer + offsets[i]` (elements,
    sign-extended and scaled in 64 bits). Where `mask` is false nothing is read
    and the element is `other`, or zero when there is none.

    The mask has the shape of the access and `other` is a scalar, unless the
    type list says otherwise with `mask i1` or `other tensor<...>`.

    `cache` and `evict` are hints; `volatile` accesses are neither removed nor
    reordered with one another.

    ```mlir
    %scalar = fsm.load %p : !fsm.ptr<f32> -> f32
    %row = fsm.load %p[%offsets], %mask, %ninf
        : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %all = fsm.load %p[%offsets], %flag cache = cs
        : !fsm.ptr<f32>, tensor<1024xi32>, mask i1 -> tensor<1024xf32>
    ```
  }];
  let arguments = (ins
      FSM_PointerType:$pointer,
      Optional<FSM_OffsetBlock>:$offsets,
      Optional<FSM_MaskValue>:$mask,
      Optional<FSM_MemoryValue>:$other,
      OptionalAttr<FSM_CacheHint>:$cache,
      OptionalAttr<FSM_EvictHint>:$evict,
      UnitAttr:$is_volatile);
  let results = (outs FSM_MemoryValue:$result);
  let assemblyFormat = [{
    $pointer (`[` $offsets^ `]`)? (`,` $mask^ (`,` $other^)?)?
    (`cache` `=` $cache^)? (`evict` `=` $evict^)? (`volatile` $is_volatile^)? attr-dict
    `:` custom<LoadTypes>(type($pointer), ref($offsets), type($offsets), ref($mask), type($mask),
                          ref($other), type($other), type($result))
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_StoreOp : FSM_Op<"store", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Writes a scalar or a block to memory";
  let description = [{
    Without offsets `value` is a scalar written to `pointer`; with a block of
    offsets, element `i` goes to `pointer + offsets[i]`. Where `mask` is false
    nothing is touched. When two active offsets are equal, one of the values is
    stored; which one is unspecified.

    The mask has the shape of the access unless the type list says `mask i1`.

    ```mlir
    fsm.store %y, %out[%offsets], %mask : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
    fsm.store %sum, %out : f32, !fsm.ptr<f32>
    ```
  }];
  let arguments = (ins
      FSM_MemoryValue:$value,
      FSM_PointerType:$pointer,
      Optional<FSM_OffsetBlock>:$offsets,
      Optional<FSM_MaskValue>:$mask,
      OptionalAttr<FSM_CacheHint>:$cache,
      OptionalAttr<FSM_EvictHint>:$evict,
      UnitAttr:$is_volatile);
  let assemblyFormat = [{
    $value `,` $pointer (`[` $offsets^ `]`)? (`,` $mask^)?
    (`cache` `=` $cache^)? (`evict` `=` $evict^)? (`volatile` $is_volatile^)? attr-dict
    `:` custom<StoreTypes>(type($value), type($pointer), ref($offsets), type($offsets),
                           ref($mask), type($mask))
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_BarrierOp : FSM_Op<"barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Orders this program's memory accesses";
  let description = [{
    All memory accesses of the program before it come before all those behind it,
    whichever thread executes them. Other programs are not waited for. A program
    sees its own accesses in order without it: where threads share them,
    `fsm-insert-barriers` inserts what is needed. On devices that execute a program
    one op after the other it does nothing.

    ```mlir
    fsm.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FSM_IR_MEMORYOPS_TD
