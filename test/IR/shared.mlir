// Shared memory and the accesses to it round-trip through text, and no pass merges or moves accesses that a barrier
// stands between.

// RUN: %fsm_opt %s | FileCheck %s
// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --cse --loop-invariant-code-motion | FileCheck %s --check-prefix=KEPT

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>
#r = #fsm.layout<register = [], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 0]], warp = [[0, 0]], cta = []>
#flat = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]], cta = []>
#swizzled = #fsm.layout<offset = [[0, 1], [0, 2], [1, 1], [2, 2]]>

// CHECK-DAG: #[[SWIZZLED:layout[0-9]*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[1, 1], \[2, 2]]}}>
// CHECK-LABEL: fsm.kernel @all
fsm.kernel @all(%x: f32) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  // CHECK: %[[A:.*]] = fsm.shared_alloc : !fsm.shared<4x4xf32, #[[SWIZZLED]]>
  %a = fsm.shared_alloc : !fsm.shared<4x4xf32, #swizzled>
  // CHECK: fsm.shared_store %{{.*}}, %[[A]] : tensor<4x4xf32, #{{.*}}>, !fsm.shared<4x4xf32, #[[SWIZZLED]]>
  fsm.shared_store %v, %a : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32, #swizzled>
  // CHECK: fsm.shared_barrier <warp>
  fsm.shared_barrier <warp>
  // CHECK: fsm.shared_load %[[A]] : !fsm.shared<4x4xf32, #[[SWIZZLED]]> -> tensor<4x4xf32, #{{.*}}>
  %y = fsm.shared_load %a : !fsm.shared<4x4xf32, #swizzled> -> tensor<4x4xf32, #r>
  // CHECK: %[[B:.*]] = fsm.shared_alloc {fsm.shared_offset = 64 : i32} : !fsm.shared<15xi1>
  %b = fsm.shared_alloc {fsm.shared_offset = 64 : i32} : !fsm.shared<15xi1>
  %mask = arith.constant dense<true> : tensor<3x5xi1, #fsm.layout<register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>>
  fsm.shared_store %mask, %b : tensor<3x5xi1, #fsm.layout<register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>>, !fsm.shared<15xi1>
  // CHECK: fsm.shared_barrier <program>
  fsm.shared_barrier <program>
  // CHECK: fsm.shared_load %[[B]] : !fsm.shared<15xi1> -> tensor<15xi1, #{{.*}}>
  %z = fsm.shared_load %b : !fsm.shared<15xi1> -> tensor<15xi1, #flat>
  fsm.return
}

// A scalar lies in memory of one element.
// CHECK-LABEL: fsm.kernel @scalars
fsm.kernel @scalars(%p: !fsm.ptr<f32>) attributes {num_warps = 2 : i32} {
  // CHECK: %[[A:.*]] = fsm.shared_alloc : !fsm.shared<1x!fsm.ptr<f32>>
  %a = fsm.shared_alloc : !fsm.shared<1x!fsm.ptr<f32>>
  // CHECK: fsm.shared_store %{{.*}}, %[[A]] : !fsm.ptr<f32>, !fsm.shared<1x!fsm.ptr<f32>>
  fsm.shared_store %p, %a : !fsm.ptr<f32>, !fsm.shared<1x!fsm.ptr<f32>>
  fsm.shared_barrier <program>
  // CHECK: fsm.shared_load %[[A]] : !fsm.shared<1x!fsm.ptr<f32>> -> !fsm.ptr<f32>
  %q = fsm.shared_load %a : !fsm.shared<1x!fsm.ptr<f32>> -> !fsm.ptr<f32>
  fsm.return
}

// Rows may lie further apart than they are long; memory with fewer columns takes a part of a block.
// CHECK-LABEL: fsm.kernel @products
// CHECK:         %[[A:.*]] = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
// CHECK:         %[[B:.*]] = fsm.shared_alloc : !fsm.shared<4x4xf32 pitch 8>
// CHECK:         fsm.shared_store %{{.*}} at [0, 2], %[[A]] : tensor<4x4xf32, #{{.*}}>, !fsm.shared<4x2xf32 pitch 4>
// CHECK:         fsm.shared_store %{{.*}}, %[[B]] : tensor<4x4xf32, #{{.*}}>, !fsm.shared<4x4xf32 pitch 8>
// CHECK:         fsm.shared_dot %[[A]], %[[B]], %{{.*}} inner 2 : !fsm.shared<4x2xf32 pitch 4>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #
// CHECK:         fsm.shared_dot %[[A]], %{{.*}}, %{{.*}} inner 2 {fsm.mma = array<i64: 16, 8, 4>, right_transposed} : !fsm.shared<4x2xf32 pitch 4>, !fsm.shared<4x2xf32 pitch 4> -> tensor<4x4xf32, #
// CHECK:         fsm.shared_dot %{{.*}}, %[[B]], %{{.*}} inner 2 {left_transposed} : !fsm.shared<2x4xf32 pitch 4>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #
fsm.kernel @products(%x: f32) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_store %v at [0, 2], %a : tensor<4x4xf32, #w>, !fsm.shared<4x2xf32 pitch 4>
  fsm.shared_store %v, %b : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_barrier <program>
  %d = fsm.shared_dot %a, %b, %v inner 2 : !fsm.shared<4x2xf32 pitch 4>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  %t = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
  %e = fsm.shared_dot %a, %t, %d inner 2 {fsm.mma = array<i64: 16, 8, 4>, right_transposed} : !fsm.shared<4x2xf32 pitch 4>, !fsm.shared<4x2xf32 pitch 4> -> tensor<4x4xf32, #w>
  %u = fsm.shared_alloc : !fsm.shared<2x4xf32 pitch 4>
  %f = fsm.shared_dot %u, %b, %e inner 2 {left_transposed} : !fsm.shared<2x4xf32 pitch 4>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  fsm.return
}

// Two equal loads are one until something is written, and stay in their loop; memory nobody uses is not reserved.
// KEPT-LABEL: fsm.kernel @kept
// KEPT-COUNT-1: fsm.shared_alloc
// KEPT:         scf.for
// KEPT-NEXT:      fsm.shared_store
// KEPT-NEXT:      fsm.shared_barrier
// KEPT-NEXT:      fsm.shared_load
// KEPT-NEXT:      fsm.shared_barrier
// KEPT-NEXT:      fsm.shared_load
// KEPT-NEXT:      fsm.print
fsm.kernel @kept(%x: f32, %n: i32) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %unused = fsm.shared_alloc : !fsm.shared<4x4xf32>
  %a = fsm.shared_alloc : !fsm.shared<4x4xf32>
  scf.for %i = %n to %n step %n : i32 {
    fsm.shared_store %v, %a : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32>
    fsm.shared_barrier <program>
    %y = fsm.shared_load %a : !fsm.shared<4x4xf32> -> tensor<4x4xf32, #w>
    %again = fsm.shared_load %a : !fsm.shared<4x4xf32> -> tensor<4x4xf32, #w>
    fsm.shared_barrier <program>
    %z = fsm.shared_load %a : !fsm.shared<4x4xf32> -> tensor<4x4xf32, #w>
    fsm.print "loaded" %y, %again, %z : tensor<4x4xf32, #w>, tensor<4x4xf32, #w>, tensor<4x4xf32, #w>
  }
  fsm.return
}
