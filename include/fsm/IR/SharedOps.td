//===- SharedOps.td - What threads exchange in shared memory *- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_SHAREDOPS_TD
#define FSM_IR_SHAREDOPS_TD

include "fsm/IR/FSMEnums.td"
include "fsm/IR/Interfaces.td"
include "fsm/IR/LayoutOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Passes move accesses to global memory across these ops, and never these across one another.
def FSM_SharedMemory : Resource<"::fsm::SharedMemory">;

def FSM_AccessesShared : NativeOpTrait<"AccessesShared"> {
  let cppNamespace = "::fsm";
}
class FSM_SharedAccessOp<string mnemonic, list<Trait> traits = []>
    : FSM_PlanOp<mnemonic, traits # [FSM_AccessesShared]>;

def FSM_MBarrierType : FSM_Type<"MBarrier", "mbarrier"> {
  let summary = "what copies by the hardware arrive at";
  let description = [{
    An element of `!fsm.shared` alone. It counts the bytes of a copy that have
    arrived, and threads wait for its phases; no other access touches it.

    ```mlir
    %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
    ```
  }];
}

def FSM_SharedType : FSM_Type<"Shared", "shared"> {
  let summary = "a block in shared memory";
  let description = [{
    The elements of a block where all threads of a program reach them. A
    `#fsm.layout` of offsets says which element is where; without one the elements
    lie row by row, one behind the other. An i1 takes a byte.

    A block with as many dimensions is stored at its coordinates. In memory of one
    dimension a block of any shape lies row by row, and may be read in another
    shape that has as many elements. In memory of one element a scalar lies, which
    may be a pointer. Rows that lie further apart than they are long have a `pitch`,
    in elements.

    Memory with `slots` has room for so many such blocks, each of which begins at a
    multiple of 16 bytes, or of up to 1024 where it is a tile that tensor cores read; an access names one of them, counted from 0. Copies that run
    ahead of a loop fill one slot while another is read. Under a layout a block may have less
    than the slot's extents, which then are its own, rounded up to what all threads hold. Where a
    program is on several ctas, the layout of a slot may have the places of one cta alone: each copies
    and reads what it holds itself.

    ```mlir
    #swizzled = #fsm.layout<offset = [[0, 1], [0, 2], [1, 1], [2, 2]]>
    %a = fsm.shared_alloc : !fsm.shared<4x4xf32, #swizzled>
    %b = fsm.shared_alloc : !fsm.shared<60xf32>
    %c = fsm.shared_alloc : !fsm.shared<64x16xf32 pitch 20>
    %d = fsm.shared_alloc : !fsm.shared<8192xf32 slots 3>
    ```
  }];
  let parameters = (ins
      ArrayRefParameter<"int64_t">:$shape,
      "::mlir::Type":$elementType,
      OptionalParameter<"int64_t", "elements from row to row, if these have gaps">:$pitch,
      OptionalParameter<"unsigned", "blocks that it has room for; none where accesses name no slot">:$slots,
      OptionalParameter<"::fsm::LayoutAttr">:$layout);
  let assemblyFormat = [{
    `<` custom<SharedBlock>($shape, $elementType) (`pitch` $pitch^)? (`slots` $slots^)?
    (`,` qualified($layout)^)? `>`
  }];
  let builders = [TypeBuilder<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType, "::fsm::LayoutAttr":$layout),
      "return $_get($_ctxt, shape, elementType, int64_t(0), 0u, layout);">];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr uint64_t kMBarrierBytes = 8;
    /// Whether a block, or a scalar, may lie in it.
    bool holds(::mlir::Type value) const;
    bool isOfMBarriers() const { return ::llvm::isa<::fsm::MBarrierType>(getElementType()); }
    /// From one slot or mbarrier to the next; of memory with neither, all of it.
    uint64_t getSlotBytes() const;
    /// What the memory, and each of its slots, begins at a multiple of, in bytes.
    uint64_t getAlignment() const;
    /// What it takes; of a layout also the places of elements outside the true extents, but for
    /// those at the end of a slot.
    uint64_t getBytes() const;
  }];
}

def FSM_SharedAllocOp : FSM_PlanOp<"shared_alloc"> {
  let summary = "Reserves shared memory for a block";
  let description = [{
    Nothing is in it at first. It is in use up to its last access, and around each
    loop that it is accessed in and stands outside of; `fsm-allocate-shared` gives it
    a place, `fsm.shared_offset`, where nothing else that is then in use lies.

    ```mlir
    %shared = fsm.shared_alloc : !fsm.shared<4x16xf32>
    ```
  }];
  let results = (outs Res<FSM_SharedType, "the memory", [MemAlloc<FSM_SharedMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def FSM_SharedStoreOp : FSM_SharedAccessOp<"shared_store"> {
  let summary = "Writes a block to shared memory";
  let description = [{
    Each element is written once, by the first of the threads that hold it, and a
    scalar by the first thread of the program. Others see it behind a barrier.
    Memory with a pitch takes the part of the block that begins `at` some place, as
    far as both reach; a block that is smaller goes to where it begins. Memory under a layout takes a part that each
    thread has some registers of.

    With an `arriving` mbarrier, in a program on several ctas, elements of 4 or 8 bytes arrive there, in each cta at
    its own, and are seen behind an `fsm.mbarrier_wait` for it, without a barrier.
    Where ctas share a loop it goes `to_first`: that of each cta but the first one arrives in the first one, in the
    slot of the cta's number minus one.

    ```mlir
    #w = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [0, 0]],
                     warp = [], cta = []>
    #places = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]>
    fsm.shared_store %x, %shared : tensor<4x16xf32, #w>, !fsm.shared<4x16xf32>
    fsm.shared_store %x at [0, 8], %half : tensor<4x16xf32, #w>, !fsm.shared<4x8xf32 pitch 12>
    fsm.shared_store %x, %all arriving %come : tensor<4x16xf32, #w>, !fsm.shared<4x16xf32>
      at !fsm.shared<1x!fsm.mbarrier>
    fsm.shared_store %x, %parts to_first arriving %come
      : tensor<4x16xf32, #w>, !fsm.shared<4x16xf32 slots 3, #places> at !fsm.shared<1x!fsm.mbarrier>
    ```
  }];
  let arguments = (ins
      Arg<FSM_MemoryValue, "the elements, spread over threads, or a scalar">:$value,
      Arg<OptionalAttr<DenseI64ArrayAttr>, "the element that goes first, by its coordinates">:$at,
      Arg<FSM_SharedType, "where they go", [MemWrite<FSM_SharedMemory>]>:$shared,
      Arg<UnitAttr, "each cta but the first stores to its slot of the first one's memory">:$to_first,
      Arg<Optional<FSM_SharedType>, "the mbarrier at which they arrive; absent where a barrier follows",
          [MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>:$mbarrier);
  let assemblyFormat = [{
    $value (`at` $at^)? `,` $shared (`to_first` $to_first^)? (`arriving` $mbarrier^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($shared)) (`at` qualified(type($mbarrier))^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::DenseI64ArrayAttr":$at,
                                 "::mlir::Value":$shared), [{
    build($_builder, $_state, value, at, shared, /*to_first=*/false, /*mbarrier=*/{});
  }]>];
  let hasVerifier = 1;
}

def FSM_SharedLoadOp : FSM_SharedAccessOp<"shared_load", [AttrSizedOperandSegments]> {
  let summary = "Reads a block from shared memory";
  let description = [{
    Each thread reads the elements that the result's layout gives it, or the scalar.
    Of a slot whose elements lie row by row it does so by accesses of `fsm.access_width`
    elements along `fsm.access_dim`, of another by the vectors of its layout. Where the mask
    of the first element of an access is false, they are `other`. Where groups of warps share a loop,
    the first one reads behind it `from_part` what another has stored in its own memory.

    ```mlir
    #r = #fsm.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]],
                     warp = [], cta = []>
    #row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]],
                       warp = [], cta = []>
    %y = fsm.shared_load %shared : !fsm.shared<4x16xf32> -> tensor<4x16xf32, #r>
    %z = fsm.shared_load %ring[%slot], %mask, %ninf
        {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32}
        : !fsm.shared<128xf32 slots 3>, mask tensor<128xi1, #row>, other f32
        -> tensor<128xf32, #row>
    %s = fsm.shared_load %sums from_part 1 : !fsm.shared<128xf32> -> tensor<128xf32, #row>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "where the elements are", [MemRead<FSM_SharedMemory>]>:$shared,
      Arg<Optional<I32>, "which slot, counted from 0, of memory that has any">:$slot,
      Arg<OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>,
          "the group of warps in whose memory they are; without it, the thread's own">:$from_part,
      Arg<Optional<FSM_MaskValue>, "which elements are there; where false, they are `other`">:$mask,
      Arg<Optional<FSM_MemoryValue>, "what stands for elements that are not there">:$other);
  let results = (outs Res<FSM_MemoryValue, "the elements, spread over threads, or a scalar">:$result);
  let assemblyFormat = [{
    $shared (`[` $slot^ `]`)? (`from_part` $from_part^)? (`,` $mask^ `,` $other)? attr-dict `:` qualified(type($shared))
    (`,` `mask` type($mask)^ `,` `other` type($other))? `->` qualified(type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$shared), [{
    build($_builder, $_state, result, shared, /*slot=*/{}, /*from_part=*/{}, /*mask=*/{}, /*other=*/{});
  }]>];
  let hasVerifier = 1;
}

def FSM_SharedGatherOp : FSM_SharedAccessOp<"shared_gather"> {
  let summary = "Reads the elements of shared memory that indices name";
  let description = [{
    What `fsm.gather` does, of a block that lies row by row.

    ```mlir
    #l = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], cta = []>
    %y = fsm.shared_gather %shared[%i] axis 0
        : !fsm.shared<16x8xf32>, tensor<4x8xi32, #l> -> tensor<4x8xf32, #l>
    ```
  }];
  let arguments = (ins
      Arg<FSM_SharedType, "where the elements are", [MemRead<FSM_SharedMemory>]>:$shared,
      Arg<FSM_OffsetBlock, "which element each one of the result is, along `axis`">:$indices,
      Arg<I32Attr, "the dimension that is counted along, from 0">:$axis);
  let results = (outs Res<FSM_Block, "the elements, in the layout of the indices">:$result);
  let assemblyFormat = [{
    $shared `[` $indices `]` `axis` $axis attr-dict
    `:` qualified(type($shared)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def FSM_SharedCountOp : FSM_SharedAccessOp<"shared_count"> {
  let summary = "Adds one to the elements of shared memory that numbers name";
  let description = [{
    For each element of the block, one time for all threads that hold it, one is added to the element of memory that it is
    the number of, as an unsigned number. Numbers that are not less than the memory's extent are passed over. Any number of
    threads may add to one element at a time; what the sum is they see behind a barrier.

    ```mlir
    #l = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
    fsm.shared_count %i, %counts : tensor<128xi32, #l>, !fsm.shared<32xi32>
    ```
  }];
  let arguments = (ins
      Arg<FSM_BlockOf<FSM_Int, "integers">, "the numbers, spread over threads">:$numbers,
      Arg<FSM_SharedType, "where is counted", [MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>:$shared);
  let assemblyFormat = "$numbers `,` $shared attr-dict `:` type($numbers) `,` qualified(type($shared))";
  let hasVerifier = 1;
}

def FSM_SharedBarrierOp : FSM_PlanOp<"shared_barrier", [
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>,
    FSM_ThreadBarrierInterface]> {
  let summary = "Lets threads meet between their accesses to shared memory";
  let description = [{
    The accesses of the threads of `scope` in front of it come before those behind
    it: of a warp's threads, of the program's, or of all parts of a cta that share a loop of it. Unlike `fsm.barrier` it lets
    accesses to global memory pass, so that loads may run ahead of it. `wgmma` reads
    shared memory by another way than threads write it: what these have stored, or
    copied and waited for, it finds behind a barrier with a `fence`. What they have
    stored to global memory the hardware's own stores behind a `global_fence` come
    behind.

    ```mlir
    fsm.shared_barrier <program>
    fsm.shared_barrier <program> fence
    fsm.shared_barrier <program> fence global_fence
    ```
  }];
  let arguments = (ins
      Arg<FSM_ThreadScopeAttr, "whose threads meet">:$scope,
      Arg<UnitAttr, "the hardware's own reads behind it find what threads wrote in front of it">:$fence,
      Arg<UnitAttr, "the hardware's own stores behind it come behind threads' stores to global memory">:$global_fence);
  let assemblyFormat = "$scope (`fence` $fence^)? (`global_fence` $global_fence^)? attr-dict";
  let builders = [OpBuilder<(ins "::fsm::ThreadScope":$scope, CArg<"bool", "false">:$fence), [{
    build($_builder, $_state, scope, fence, /*global_fence=*/false);
  }]>];
}

def FSM_SharedDotOp : FSM_SharedAccessOp<"shared_dot", [
    AllTypesMatch<["acc", "result"]>, AttrSizedOperandSegments]> {
  let summary = "Adds the product of two matrices in shared memory to a third";
  let description = [{
    What `fsm.dot` does, of factors that lie row by row with a pitch: of the first
    `inner` columns of the left and as many rows of the right one. A factor that is
    transposed lies column by column; with a pitch tensor cores alone read it so. A slot
    has a layout, a tile of chunks of 16 bytes (TensorTiles.h), as other memory may for
    tensor cores; `wgmma`, an instruction of four warps with 64 rows, reads nothing else.
    Their left factor may be a block instead, which threads hold as the instruction wants it.

    ```mlir
    %d = fsm.shared_dot %a, %b, %c inner 64
        : !fsm.shared<16x64xf16 pitch 72>, !fsm.shared<64x32xf16 pitch 40> -> tensor<16x32xf32, #acc>
    %e = fsm.shared_dot %a, %t, %c inner 64 {fsm.mma = array<i64: 16, 8, 16>, right_transposed}
        : !fsm.shared<16x64xf16 pitch 72>, !fsm.shared<32x64xf16 pitch 72> -> tensor<16x32xf32, #acc>
    %f = fsm.shared_dot %ring[%slot], %b, %c inner 64 {fsm.mma = array<i64: 16, 8, 16>}
        : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.shared<64x32xf16 pitch 40>
        -> tensor<16x32xf32, #acc>
    %g = fsm.shared_dot %x, %y, %s inner 64 {fsm.mma = array<i64: 64, 32, 16>}
        : !fsm.shared<64x64xf16, #x>, !fsm.shared<64x32xf16, #y> -> tensor<64x32xf32, #sums>
    %h = fsm.shared_dot %held, %y, %s inner 64 {fsm.mma = array<i64: 64, 32, 16>}
        : tensor<64x64xf16, #left>, !fsm.shared<64x32xf16, #y> -> tensor<64x32xf32, #sums>
    ```
  }];
  let arguments = (ins
      Arg<AnyTypeOf<[FSM_SharedType, FSM_Block]>, "the first factor, or a batch of them",
          [MemRead<FSM_SharedMemory>]>:$left,
      Arg<FSM_SharedType, "the second factor, or a batch of them", [MemRead<FSM_SharedMemory>]>:$right,
      Arg<FSM_Block, "what the product is added to">:$acc,
      Arg<Optional<I32>, "which slot of the first factor's memory, if it has any">:$leftSlot,
      Arg<Optional<I32>, "which slot of the second factor's memory, if it has any">:$rightSlot,
      Arg<I64Attr, "how many products are added to each element">:$inner,
      Arg<UnitAttr, "the left factor's memory is K x M">:$left_transposed,
      Arg<UnitAttr, "the right factor's memory is N x K">:$right_transposed,
      Arg<OptionalAttr<I64Attr>, "how many products of f8 may be added up less exactly">:$accumulate,
      Arg<UnitAttr, "sums of integers stay in the range of i32">:$saturate);
  let results = (outs Res<FSM_Block, "the sum, of the shape of `acc`">:$result);
  let assemblyFormat = [{
    $left (`[` $leftSlot^ `]`)? `,` $right (`[` $rightSlot^ `]`)? `,` $acc `inner` $inner attr-dict
    `:` qualified(type($left)) `,` qualified(type($right)) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The memory of the left factor; null where threads hold it.
    ::fsm::SharedType leftMemory() { return ::llvm::dyn_cast<::fsm::SharedType>(getLeft().getType()); }
  }];
  let hasVerifier = 1;
}

def FSM_ProductWaitOp : FSM_PlanOp<"product_wait", [
    AllTypesMatch<["sums", "result"]>,
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>]> {
  let summary = "Waits for a product in flight";
  let description = [{
    An `fsm.shared_dot` with `fsm.in_flight` ends while the hardware still reads its
    factors and adds to its sums. Behind this op the thread's products have ended, and
    the result is what the sums then are.

    ```mlir
    %done = fsm.product_wait %sums : tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Arg<FSM_Block, "the sums of the last product">:$sums);
  let results = (outs Res<FSM_Block, "the sums when it has ended">:$result);
  let assemblyFormat = "$sums attr-dict `:` type($sums)";
}

def FSM_ProductLimitOp : FSM_PlanOp<"product_limit", [
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>]> {
  let summary = "Waits until few products are in flight";
  let description = [{
    Behind this op the thread's products in flight have ended, but for so many that
    began last.

    ```mlir
    fsm.product_limit 1
    ```
  }];
  let arguments = (ins Arg<ConfinedAttr<I32Attr, [IntMinValue<0>]>, "how many may go on">:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def FSM_RenewOp : FSM_PlanOp<"renew", [
    AllTypesMatch<["source", "result"]>,
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>]> {
  let summary = "Gives a block as if nothing had been computed from it";
  let description = [{
    The result has the elements of `source`. What is computed from it is computed: nobody keeps
    what was computed from the source before. So a thread waits with numbers of 16 bits, two of which have a
    register, where it would with numbers of 32.

    A `hidden` block is so for NVIDIA's assembler as well, which sees through moves: it takes an
    instruction for each register.

    ```mlir
    %same = fsm.renew %raw : tensor<64xbf16>
    %other = fsm.renew %raw hidden : tensor<64xbf16>
    ```
  }];
  let arguments = (ins Arg<FSM_Block, "the elements, of 16 bits">:$source,
                       Arg<UnitAttr, "the assembler does not know them either">:$hidden);
  let results = (outs Res<FSM_Block, "the same elements, in the same threads">:$result);
  let assemblyFormat = "$source (`hidden` $hidden^)? attr-dict `:` type($source)";
  let hasVerifier = 1;
}

#endif // FSM_IR_SHAREDOPS_TD
