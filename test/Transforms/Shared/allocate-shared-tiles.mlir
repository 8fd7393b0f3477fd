// Tiles of a loop lie over those of a loop that has ended, unless the hardware fills what threads filled before: no fence stands
// between their copies.

// RUN: %fsm_opt %s --fsm-allocate-shared | FileCheck %s

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
!tile = !fsm.shared<64x16xf16 slots 2, #x>
!full = !fsm.shared<2x!fsm.mbarrier>
!map = !fsm.tensor_map<64x16xf16 swizzle 32>
!sums = tensor<64x64xf32, #sums>

// CHECK-LABEL: fsm.kernel @threads_then_hardware
// CHECK:         %[[FIRST:.*]] = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<64x16xf16 slots 2
// CHECK:         fsm.copy_async {{.*}} into %[[FIRST]]
// CHECK:         %[[NEXT:.*]] = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<64x16xf16 slots 2
// CHECK:         fsm.copy_async {{.*}} into %[[NEXT]]
// CHECK:         %[[APART:.*]] = fsm.shared_alloc {fsm.shared_offset = 4352 : i32} : !fsm.shared<64x16xf16 slots 2
// CHECK:         fsm.copy_tensor {{.*}} into %[[APART]]
// CHECK:         %[[LAST:.*]] = fsm.shared_alloc {fsm.shared_offset = 4352 : i32} : !fsm.shared<64x16xf16 slots 2
// CHECK:         fsm.copy_tensor {{.*}} into %[[LAST]]
fsm.kernel @threads_then_hardware(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : !sums
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%n] : (!fsm.ptr<f16>, i32, i32, i32) -> !map
  %full = fsm.shared_alloc : !full
  fsm.mbarrier_init %full : !full
  %a = fsm.shared_alloc : !tile
  %one = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (!sums) : i32 {
    fsm.copy_async %p[%o] into %a[%c0] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !tile
    %next = fsm.shared_dot %a[%c0], %a[%c1], %sum inner 16 {right_transposed, fsm.mma = array<i64: 64, 64, 16>} : !tile, !tile -> !sums
    scf.yield %next : !sums
  }
  %b = fsm.shared_alloc : !tile
  %two = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %one) -> (!sums) : i32 {
    fsm.copy_async %p[%o] into %b[%c0] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !tile
    %next = fsm.shared_dot %b[%c0], %b[%c1], %sum inner 16 {right_transposed, fsm.mma = array<i64: 64, 64, 16>} : !tile, !tile -> !sums
    scf.yield %next : !sums
  }
  %c = fsm.shared_alloc : !tile
  %three = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %two) -> (!sums) : i32 {
    fsm.copy_tensor %map[%c0, %i] into %c[%c0] mbarrier %full : !map, !tile mbarrier !full
    %next = fsm.shared_dot %c[%c0], %c[%c1], %sum inner 16 {right_transposed, fsm.mma = array<i64: 64, 64, 16>} : !tile, !tile -> !sums
    scf.yield %next : !sums
  }
  %d = fsm.shared_alloc : !tile
  %four = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %three) -> (!sums) : i32 {
    fsm.copy_tensor %map[%c0, %i] into %d[%c0] mbarrier %full : !map, !tile mbarrier !full
    %next = fsm.shared_dot %d[%c0], %d[%c1], %sum inner 16 {right_transposed, fsm.mma = array<i64: 64, 64, 16>} : !tile, !tile -> !sums
    scf.yield %next : !sums
  }
  fsm.return
}
