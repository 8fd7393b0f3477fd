//===- AtomicOps.td - Atomic accesses ------------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ATOMICOPS_TD
#define FSM_IR_ATOMICOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class FSM_AtomicOp<string mnemonic, list<string> alike> : FSM_Op<mnemonic, [
    AttrSizedOperandSegments, AllTypesMatch<alike>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, FSM_AtomicAccessInterface,
    FSM_HostRootInterface]> {
  let results = (outs
      Res<FSM_Value, "what memory held before; zero where the mask is false">:$result);
  let hasVerifier = 1;
  code sharedDeclaration = [{
    ::mlir::Type getAccessedType() { return getResult().getType(); }
    bool writes() { return true; }
    bool acquires() { return ::fsm::acquires(getSem()); }
    bool releases() { return ::fsm::releases(getSem()); }
    ::mlir::Value walkedBlock() { return getResult(); }
    bool needsLoop() { return getOffsets() != nullptr; }
  }];
  let extraClassDeclaration = sharedDeclaration;
}

def FSM_AtomicRMWOp : FSM_AtomicOp<"atomic_rmw", ["value", "result"]> {
  let summary = "Changes elements in memory, each in one step, and gives what was there";
  let description = [{
    Each element in memory that an offset names is replaced by its combination with
    the element of `value`; the result is what it held before. Each active element is
    performed exactly once; equal offsets are performed one after the other, in an
    order that is unspecified. Where `mask` is false nothing is touched and the
    result is zero.

    `add`, `max`, `min` and `exch` take i32, i64, f32 and f64, `add` also f16 and
    bf16; `umax`, `umin`, `and`, `or` and `xor` take i32 and i64. `max` and `min` of
    floats ignore NaN.

    `sem` (`relaxed`, `acquire`, `release`, `acq_rel`, which it is if not given) and
    `scope` (`cta`, `gpu`, which it is if not given, `sys`) are those of PTX. A
    release covers all earlier accesses of the whole program, an acquire all later
    ones. Programs need not run at the same time: waiting for another one is legal
    only if that one has started.

    ```mlir
    %ticket = fsm.atomic_rmw <add> %one, %counter : i32, !fsm.ptr<i32>
    %old = fsm.atomic_rmw <max> %x, %p[%offsets], %mask sem = relaxed scope = sys
        : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_AtomicKindAttr,
          "what is done: an addition, an extreme, a bitwise operation or an exchange">:$kind,
      Arg<FSM_Value,
          "what memory is combined with: a scalar, or one element for each offset">:$value,
      Arg<FSM_PointerType, "the address of the scalar, or of the element with offset 0">:$pointer,
      Arg<Optional<FSM_OffsetBlock>,
          "per element, its distance in elements from the pointer; equal ones take turns">:$offsets,
      Arg<Optional<FSM_MaskValue>,
          "which elements are changed; where false, memory is not touched">:$mask,
      Arg<DefaultValuedAttr<FSM_MemorySemantics, "::fsm::MemorySemantics::AcqRel">,
          "which accesses are ordered: earlier ones, later ones, both or none">:$sem,
      Arg<DefaultValuedAttr<FSM_MemoryScope, "::fsm::MemoryScope::Gpu">,
          "among which threads the op is one step">:$scope);
  let assemblyFormat = [{
    $kind $value `,` $pointer (`[` $offsets^ `]`)? (`,` $mask^)?
    (`sem` `=` $sem^)? (`scope` `=` $scope^)? attr-dict
    `:` custom<StoreTypes>(type($value), type($pointer), ref($offsets), type($offsets),
                           ref($mask), type($mask))
  }];
  let extraClassDeclaration = sharedDeclaration # [{
    std::optional<::fsm::AtomicKind> updateKind() { return getKind(); }
  }];
}

def FSM_AtomicCASOp : FSM_AtomicOp<"atomic_cas", ["compare", "value", "result"]> {
  let summary = "Replaces elements in memory that are equal to others";
  let description = [{
    Where the element in memory has the bits of that of `compare`, it is replaced by
    that of `value`, in one step; the result is what it held before. Mask, equal
    offsets, `sem` and `scope` are as for `fsm.atomic_rmw`. The elements are i16,
    i32, i64, f16, bf16, f32 or f64.

    ```mlir
    %seen = fsm.atomic_cas %free, %taken, %lock sem = acquire : i32, !fsm.ptr<i32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_Value, "what memory must hold, bit for bit, to be replaced">:$compare,
      Arg<FSM_Value, "what replaces it">:$value,
      Arg<FSM_PointerType, "the address of the scalar, or of the element with offset 0">:$pointer,
      Arg<Optional<FSM_OffsetBlock>,
          "per element, its distance in elements from the pointer; equal ones take turns">:$offsets,
      Arg<Optional<FSM_MaskValue>,
          "which elements are compared; where false, memory is not touched">:$mask,
      Arg<DefaultValuedAttr<FSM_MemorySemantics, "::fsm::MemorySemantics::AcqRel">,
          "which accesses are ordered: earlier ones, later ones, both or none">:$sem,
      Arg<DefaultValuedAttr<FSM_MemoryScope, "::fsm::MemoryScope::Gpu">,
          "among which threads the op is one step">:$scope);
  let assemblyFormat = [{
    $compare `,` $value `,` $pointer (`[` $offsets^ `]`)? (`,` $mask^)?
    (`sem` `=` $sem^)? (`scope` `=` $scope^)? attr-dict
    `:` custom<StoreTypes>(type($value), type($pointer), ref($offsets), type($offsets),
                           ref($mask), type($mask))
  }];
}

#endif // FSM_IR_ATOMICOPS_TD
