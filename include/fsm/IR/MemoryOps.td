//===- MemoryOps.td - Addresses, loads and stores ----------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_MEMORYOPS_TD
#define FSM_IR_MEMORYOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
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
  let arguments = (ins
      Arg<FSM_PointerType, "where to count from">:$pointer,
      Arg<FSM_OffsetInt, "how far to move, in elements; may be negative">:$offset);
  let results = (outs Res<FSM_PointerType, "the address so many elements on">:$result);
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
  let arguments = (ins Arg<FSM_PointerType, "the pointer whose address is asked for">:$pointer);
  let results = (outs Res<I64, "the address, in bytes">:$result);
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
  let arguments = (ins
      Arg<I64,
          "an address in global memory, in bytes, and a multiple of the pointee's size">:$address);
  let results = (outs Res<FSM_PointerType, "the pointer to what lies there">:$result);
  let assemblyFormat = "$address attr-dict `:` type($address) `->` qualified(type($result))";
  let hasFolder = 1;
}

def FSM_LoadOp : FSM_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, FSM_GlobalAccessInterface]> {
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
      Arg<FSM_PointerType, "the address of the scalar, or of the element with offset 0">:$pointer,
      Arg<Optional<FSM_OffsetBlock>,
          "per element, its distance in elements from the pointer">:$offsets,
      Arg<Optional<FSM_MaskValue>,
          "which elements are read; where false, they are `other`">:$mask,
      Arg<Optional<FSM_MemoryValue>,
          "what stands for elements that are not read; zero if absent">:$other,
      Arg<OptionalAttr<FSM_CacheHint>, "at which levels the data is cached; a hint">:$cache,
      Arg<OptionalAttr<FSM_EvictHint>,
          "whether the cache line is to go first or last, or is not kept; a hint">:$evict,
      Arg<UnitAttr,
          "if given, the access is neither removed nor moved across its like">:$is_volatile);
  let results = (outs
      Res<FSM_MemoryValue, "what was read: the scalar, or one element for each offset">:$result);
  let assemblyFormat = [{
    $pointer (`[` $offsets^ `]`)? (`,` $mask^ (`,` $other^)?)?
    (`cache` `=` $cache^)? (`evict` `=` $evict^)? (`volatile` $is_volatile^)? attr-dict
    `:` custom<LoadTypes>(type($pointer), ref($offsets), type($offsets), ref($mask), type($mask),
                          ref($other), type($other), type($result))
  }];
  let extraClassDeclaration = "::mlir::Type getAccessedType() { return getResult().getType(); }";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_StoreOp : FSM_Op<"store", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, FSM_GlobalAccessInterface,
    FSM_HostRootInterface]> {
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
      Arg<FSM_MemoryValue, "what is written: a scalar, or one element for each offset">:$value,
      Arg<FSM_PointerType, "the address of the scalar, or of the element with offset 0">:$pointer,
      Arg<Optional<FSM_OffsetBlock>,
          "per element, its distance in elements from the pointer">:$offsets,
      Arg<Optional<FSM_MaskValue>,
          "which elements are written; where false, memory is not touched">:$mask,
      Arg<OptionalAttr<FSM_CacheHint>, "at which levels the data is cached; a hint">:$cache,
      Arg<OptionalAttr<FSM_EvictHint>,
          "whether the cache line is to go first or last, or is not kept; a hint">:$evict,
      Arg<UnitAttr,
          "if given, the access is neither removed nor moved across its like">:$is_volatile);
  let assemblyFormat = [{
    $value `,` $pointer (`[` $offsets^ `]`)? (`,` $mask^)?
    (`cache` `=` $cache^)? (`evict` `=` $evict^)? (`volatile` $is_volatile^)? attr-dict
    `:` custom<StoreTypes>(type($value), type($pointer), ref($offsets), type($offsets),
                           ref($mask), type($mask))
  }];
  let extraClassDeclaration = [{
    ::mlir::Type getAccessedType() { return getValue().getType(); }
    bool reads() { return false; }
    bool writes() { return true; }
    bool needsLoop() { return getOffsets() != nullptr; }
    bool sharesLoop() { return true; }
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def FSM_BarrierOp : FSM_Op<"barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    FSM_ThreadBarrierInterface]> {
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
  let extraClassDeclaration = "bool ordersGlobalMemory() { return true; }";
}

#endif // FSM_IR_MEMORYOPS_TD
