// While a launch waits for the one before it, half as many tiles as the ring has slots come to the L2 cache of what is copied
// once. Here a tile is two boxes side by side.

// RUN: %fsm_opt %s --fsm-fetch-early | FileCheck %s
// RUN: %fsm_opt %s --fsm-fetch-early --convert-fsm-to-gpu | FileCheck %s --check-prefix=GPU

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [0, 64]]>

// CHECK-LABEL: fsm.kernel @few_rows
// CHECK-SAME:    %[[N:n]]: i32, %[[K:k]]: i32
// CHECK:         %[[MAP:.*]] = fsm.tensor_map
// CHECK:         %[[COLUMN:.*]] = arith.muli
// CHECK-NOT:     fsm.wait_prerequisites
// CHECK:         fsm.fetch_tensor %[[MAP]][%[[FIRST:.*]], %[[COLUMN]]]
// CHECK:         %[[BESIDE:.*]] = arith.addi %[[COLUMN]], %c64
// CHECK-NEXT:    fsm.fetch_tensor %[[MAP]][%[[FIRST]], %[[BESIDE]]]
// CHECK:         fsm.fetch_tensor %[[MAP]][%[[SECOND:.*]], %[[COLUMN]]]
// CHECK:         fsm.fetch_tensor %[[MAP]][%[[SECOND]],
// CHECK-NOT:     fsm.fetch_tensor
// CHECK:         fsm.wait_prerequisites
// CHECK:         fsm.load_role

// GPU-LABEL: gpu.func @few_rows
// GPU:         createpolicy.fractional.L2::evict_first.b64
// GPU:         nvvm.cp.async.bulk.tensor.prefetch{{.*}} l2_cache_hint
// GPU:         nvvm.griddepcontrol{{ *}}wait
fsm.kernel @few_rows(%b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32, %k: i32, %ld: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32, fsm.shared_bytes = 16464 : i32} {
  %full = fsm.shared_alloc {fsm.shared_offset = 16384 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<4x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 16432 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<4x!fsm.mbarrier>
  %ring = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x128xf16 slots 4, #tile>
  %map = fsm.tensor_map %b sizes [%k, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %width = arith.constant 128 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %width overflow<nsw> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 3 : i32
  %step = arith.constant 16 : i32
  fsm.shared_barrier <program>
  fsm.wait_prerequisites
  fsm.load_role {
    scf.for %i = %zero to %k step %step iter_args(%slot = %zero) -> (i32) : i32 {
      fsm.mbarrier_wait %empty[%slot] phase %one : !fsm.shared<4x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%slot] bytes 4096 : !fsm.shared<4x!fsm.mbarrier>
      fsm.copy_tensor %map[%i, %column] into %ring[%slot] mbarrier %full {fsm.streams} : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x128xf16 slots 4, #tile> mbarrier !fsm.shared<4x!fsm.mbarrier>
      %more = arith.addi %slot, %one : i32
      %next = arith.andi %more, %last : i32
      scf.yield %next : i32
    }
  }
  fsm.return
}

// Nothing is fetched of what the cache is to keep, and nothing where no launch is waited for.
// CHECK-LABEL: fsm.kernel @kept
// CHECK-NOT:     fsm.fetch_tensor
// CHECK-LABEL: fsm.kernel @alone
// CHECK-NOT:     fsm.fetch_tensor
// CHECK:         fsm.return
fsm.kernel @kept(%b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32, %k: i32, %ld: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32, fsm.shared_bytes = 16464 : i32} {
  %full = fsm.shared_alloc {fsm.shared_offset = 16384 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<4x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 16432 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<4x!fsm.mbarrier>
  %ring = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x128xf16 slots 4, #tile>
  %map = fsm.tensor_map %b sizes [%k, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %width = arith.constant 128 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %width overflow<nsw> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 3 : i32
  %step = arith.constant 16 : i32
  fsm.shared_barrier <program>
  fsm.wait_prerequisites
  fsm.load_role {
    scf.for %i = %zero to %k step %step iter_args(%slot = %zero) -> (i32) : i32 {
      fsm.mbarrier_wait %empty[%slot] phase %one : !fsm.shared<4x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%slot] bytes 4096 : !fsm.shared<4x!fsm.mbarrier>
      fsm.copy_tensor %map[%i, %column] into %ring[%slot] mbarrier %full : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x128xf16 slots 4, #tile> mbarrier !fsm.shared<4x!fsm.mbarrier>
      %more = arith.addi %slot, %one : i32
      %next = arith.andi %more, %last : i32
      scf.yield %next : i32
    }
  }
  fsm.return
}

fsm.kernel @alone(%b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32, %k: i32, %ld: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32, fsm.shared_bytes = 16464 : i32} {
  %full = fsm.shared_alloc {fsm.shared_offset = 16384 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<4x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 16432 : i32} : !fsm.shared<4x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<4x!fsm.mbarrier>
  %ring = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x128xf16 slots 4, #tile>
  %map = fsm.tensor_map %b sizes [%k, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %width = arith.constant 128 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %width overflow<nsw> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 3 : i32
  %step = arith.constant 16 : i32
  fsm.shared_barrier <program>
  fsm.load_role {
    scf.for %i = %zero to %k step %step iter_args(%slot = %zero) -> (i32) : i32 {
      fsm.mbarrier_wait %empty[%slot] phase %one : !fsm.shared<4x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%slot] bytes 4096 : !fsm.shared<4x!fsm.mbarrier>
      fsm.copy_tensor %map[%i, %column] into %ring[%slot] mbarrier %full {fsm.streams} : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x128xf16 slots 4, #tile> mbarrier !fsm.shared<4x!fsm.mbarrier>
      %more = arith.addi %slot, %one : i32
      %next = arith.andi %more, %last : i32
      scf.yield %next : i32
    }
  }
  fsm.return
}
