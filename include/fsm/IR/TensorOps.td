//===- TensorOps.td - Copies of boxes of tensors ------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TENSOROPS_TD
#define FSM_IR_TENSOROPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "fsm/IR/SharedOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_TensorMapType : FSM_Type<"TensorMap", "tensor_map"> {
  let summary = "what the hardware is told of a tensor in global memory";
  let description = [{
    Where a tensor lies and how large it is, for copies of boxes of it to shared memory,
    where lines of the swizzle's bytes lie one behind the other and exchange their chunks
    of 16 bytes (TensorTiles.h). The box has the tensor's dimensions, of which elements
    along the last lie side by side.

    ```mlir
    %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld]
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    ```
  }];
  let parameters = (ins
      ArrayRefParameter<"int64_t">:$box,
      "::mlir::Type":$elementType,
      "unsigned":$swizzle);
  let assemblyFormat = "`<` custom<SharedBlock>($box, $elementType) `swizzle` $swizzle `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map whose boxes make up a tile of shared memory, side by side along lines, and one behind
    /// the other where a tile has more lines than a box; null where the memory is no such tile.
    static TensorMapType of(::fsm::SharedType tile);
    /// What a box has, and no more than that along a dimension.
    static constexpr int64_t kMostExtent = 256;
    uint64_t getBoxBytes() const;
  }];
}

def FSM_TensorMapOp : FSM_PlanOp<"tensor_map", [Pure, AttrSizedOperandSegments]> {
  let summary = "Describes a tensor in global memory for copies";
  let description = [{
    The element at the coordinates (i, ..., j) is at `pointer` + i * stride + ... + j; where
    one of these is below 0, or not below the size of its dimension, copies have a zero. The
    host makes the map before the launch: the pointer is an argument of the kernel, and sizes
    and strides are arguments, numbers, and sums, differences and products of these that do
    not wrap. The launch uses other code, made without maps, where the address and the strides
    are no multiples of 16 bytes, or a size or a stride is not positive.

    With `box_ends` the box of a launch is no longer along its first dimension than the tensor: copies by it bring
    no zeros for what is behind, and nothing writes there (`fsm.clear_lines`). Their coordinates along it are 0 or more.

    ```mlir
    %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld]
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    ```
  }];
  let arguments = (ins
      Arg<FSM_PointerType, "the address of the element whose coordinates are 0">:$pointer,
      Arg<Variadic<FSM_OffsetInt>, "how many elements there are along each dimension">:$sizes,
      Arg<Variadic<FSM_OffsetInt>,
          "elements from one to the next along each dimension but the last, where it is 1">:$strides,
      Arg<UnitAttr, "whether the box ends where the tensor does">:$box_ends);
  let results = (outs Res<FSM_TensorMapType, "the map">:$result);
  let assemblyFormat = [{
    $pointer `sizes` `[` $sizes `]` `strides` `[` $strides `]` (`box_ends` $box_ends^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def FSM_OwnTensorMapOp : FSM_PlanOp<"own_tensor_map", [NoMemoryEffect, AttrSizedOperandSegments]> {
  let summary = "Describes a tensor of which no launch knows where it lies";
  let description = [{
    As `fsm.tensor_map`, of a pointer, sizes and strides that the program has read from memory: where
    `condition` is true, the program's first thread makes the map; where it is false, the map is the one that
    this op made last. Pointer and strides are multiples of 16 bytes, strides are positive. Copies have zeros
    where a size is not positive only if they begin at 2^31 - 512 along the first dimension.

    A map may be read by copies on their way while the program makes the next one. So it has `slots` places
    in memory, which the maps take in turns, and it was made for at least one copy: where there
    are more places than slots in shared memory, the last copy that reads a map has arrived before
    its place is taken again.

    ```mlir
    %map = fsm.own_tensor_map %a sizes [%m, %k] strides [%k] if %new {slots = 5 : i32}
        : (!fsm.ptr<f16>, i64, i64, i64, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    ```
  }];
  let arguments = (ins
      Arg<FSM_PointerType, "the address of the element whose coordinates are 0">:$pointer,
      Arg<Variadic<FSM_OffsetInt>, "how many elements there are along each dimension">:$sizes,
      Arg<Variadic<FSM_OffsetInt>,
          "elements from one to the next along each dimension but the last, where it is 1">:$strides,
      Arg<Optional<I1>, "if false, the map is the last one; true if absent">:$condition,
      Arg<ConfinedAttr<I32Attr, [IntMinValue<2>, IntMaxValue<64>]>, "how many places maps take in turns">:$slots);
  let results = (outs Res<FSM_TensorMapType, "the map">:$result);
  let assemblyFormat = [{
    $pointer `sizes` `[` $sizes `]` `strides` `[` $strides `]` (`if` $condition^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Where a copy begins whose map has a size that is not positive; no larger size is told.
    static constexpr int64_t kBeyond = (int64_t(1) << 31) - 512;
    static constexpr int64_t kMapBytes = 128;
    /// The maps that the program makes behind this one and in front of it in the block; null for none.
    ::fsm::OwnTensorMapOp nextMap();
    ::fsm::OwnTensorMapOp previousMap();
  }];
  let hasVerifier = 1;
}

def FSM_CopyTensorOp : FSM_SharedAccessOp<"copy_tensor", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>, FSM_SlotCopyInterface]> {
  let summary = "Begins to copy a part of a tensor into a slot of shared memory";
  let description = [{
    The program's first thread does: boxes from `coordinates` on are on their way into the slot,
    a tile that they fill, until an `fsm.mbarrier_wait` for the slot's number says that they have
    arrived. An `fsm.mbarrier_expect` stands in front, which counts their bytes. Nothing
    happens when `condition` is false. What is outside of the tensor is zero.

    The hardware writes to the slot, and orders that against no store of threads: in front of the
    copy all threads meet behind their last reads of it.

    Where `together` is true, all programs of a cluster copy the same part to the same slot at the same time:
    each of them copies some boxes of it, to all. It is the same in all of them.

    ```mlir
    %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld]
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.mbarrier_expect %full[%slot] bytes 2048 if %more : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%row, %column] into %ring[%slot] mbarrier %full if %more
        : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile>
          mbarrier !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_TensorMapType, "the tensor">:$map,
      Arg<Variadic<I32>, "where the part begins, by the tensor's dimensions">:$coordinates,
      Arg<FSM_SharedType, "the memory that gets the part, tiles">:$shared,
      Arg<I32, "which slot, counted from 0">:$slot,
      Arg<FSM_SharedType, "the mbarriers of the slots">:$mbarriers,
      Arg<Optional<I1>, "if false, nothing is copied; true if absent">:$condition,
      Arg<Optional<I1>, "if true, the programs of a cluster copy it for one another; false if absent">:$together);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `into` $shared `[` $slot `]` `mbarrier` $mbarriers (`if` $condition^)?
    (`together` $together^)? attr-dict `:` qualified(type($map)) `,` qualified(type($shared))
    `mbarrier` qualified(type($mbarriers))
  }];
  let extraClassDeclaration = "::mlir::LogicalResult verifyTogether();";
  let hasVerifier = 1;
}

def FSM_FetchTensorOp : FSM_PlanOp<"fetch_tensor", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Lets a box of a tensor come to the L2 cache";
  let description = [{
    The program's first thread asks for it, and does not wait: nothing is read. The box leaves the cache first, for it is
    copied once. What is outside of the tensor is not asked for. It may stand in front of an
    `fsm.wait_prerequisites`: who writes to the tensor meanwhile writes to that cache.

    ```mlir
    %map = fsm.tensor_map %b sizes [%k, %n] strides [%ld]
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.fetch_tensor %map[%row, %column] : !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.wait_prerequisites
    ```
  }];
  let arguments = (ins
      Arg<FSM_TensorMapType, "the tensor, and how large a box is">:$map,
      Arg<Variadic<I32>, "where the box begins, by the tensor's dimensions">:$coordinates);
  let assemblyFormat = "$map `[` $coordinates `]` attr-dict `:` qualified(type($map))";
  let hasVerifier = 1;
}

def FSM_ClearLinesOp : FSM_SharedAccessOp<"clear_lines", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Stores zeros where copies by a box that ends with its tensor bring nothing";
  let description = [{
    In each slot, along the tensor's first dimension, from the end of the box of a launch to that of the box's type: there
    an `fsm.copy_tensor` by a map with `box_ends` writes nothing, so that once is enough for a slot. All threads
    of the program do it, in front of a barrier with a fence and of the loop that copies.

    ```mlir
    %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld] box_ends
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.clear_lines %ring by %map : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.shared_barrier <program> fence
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the memory that has the slots, tiles">:$shared,
      Arg<FSM_TensorMapType, "the map by which they are filled, with `box_ends`">:$map);
  let assemblyFormat = [{
    $shared `by` $map attr-dict `:` qualified(type($shared)) `,` qualified(type($map))
  }];
  let hasVerifier = 1;
}

def FSM_StoreTensorOp : FSM_SharedAccessOp<"store_tensor", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Begins to store shared memory as a part of a tensor";
  let description = [{
    The program's first thread does: boxes from `coordinates` on are on their way from a tile of shared
    memory to global memory, until an `fsm.store_wait` for that memory says that they are there. What
    is outside of the tensor is not stored.

    The hardware reads the tile by itself: in front of the store all threads meet behind what they
    wrote to it, with a fence. Whoever writes to its bytes next waits first, and so does the end of the
    kernel.

    ```mlir
    %map = fsm.tensor_map %c sizes [%m, %n] strides [%ld]
        : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.shared_store %block, %tile : tensor<16x64xf16, #block>, !fsm.shared<16x64xf16, #tile>
    fsm.shared_barrier <program> fence
    fsm.store_tensor %tile into %map[%row, %column]
        : !fsm.shared<16x64xf16, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
    fsm.store_wait %tile : !fsm.shared<16x64xf16, #tile>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the memory that is stored, tiles">:$shared,
      Arg<FSM_TensorMapType, "the tensor">:$map,
      Arg<Variadic<I32>, "where the part begins, by the tensor's dimensions">:$coordinates);
  let assemblyFormat = [{
    $shared `into` $map `[` $coordinates `]` attr-dict
    `:` qualified(type($shared)) `,` qualified(type($map))
  }];
  let hasVerifier = 1;
}

def FSM_StoreWaitOp : FSM_SharedAccessOp<"store_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until shared memory has been stored";
  let description = [{
    The program's first thread goes on when all that it stored by `fsm.store_tensor` is in global memory,
    and the hardware reads the tile no more; the others do not wait, and meet it behind that before
    they write to the tile. What is stored next comes behind what was stored before.

    With `read` it goes on when the hardware has read the tile, which may be written then; of what is stored next nothing is said.

    ```mlir
    fsm.store_wait %tile : !fsm.shared<16x64xf16, #tile>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the memory that is stored">:$shared,
      Arg<UnitAttr, "whether only until it has been read">:$read);
  let assemblyFormat = "(`read` $read^)? $shared attr-dict `:` qualified(type($shared))";
}

def FSM_MBarrierExpectOp : FSM_SharedAccessOp<"mbarrier_expect", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Says how many bytes copies bring to a slot";
  let description = [{
    The program's first thread arrives at the mbarrier with the slot's number, whose phase
    ends when copies have brought so many bytes as well: those of the `fsm.copy_tensor` behind
    it with the same mbarriers, slot and condition, less what of these is behind the end of boxes that end with their
    tensors. Nothing happens when `condition` is false. Of an mbarrier at
    which stores arrive in each round of a loop the first thread of each cta does, in front of them.

    ```mlir
    fsm.mbarrier_expect %full[%slot] bytes 24576 if %more : !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "the mbarriers of the slots">:$mbarriers,
      Arg<I32, "which of them, counted from 0">:$slot,
      Arg<Optional<I1>, "if false, nothing is expected; true if absent">:$condition,
      Arg<ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<1048575>]>,
          "how many bytes all copies of the slot bring">:$bytes);
  let assemblyFormat = [{
    $mbarriers `[` $slot `]` `bytes` $bytes (`if` $condition^)? attr-dict
    `:` qualified(type($mbarriers))
  }];
  let extraClassDeclaration = [{
    /// The copies that bring its bytes.
    ::llvm::SmallVector<::fsm::CopyTensorOp, 2> getCopies();
  }];
  let hasVerifier = 1;
}

#endif // FSM_IR_TENSOROPS_TD
