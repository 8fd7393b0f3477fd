// The layouts of scans, and of reductions of tuples. Those in the comments are worked out by hand.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts),cse)' --mlir-print-local-scope | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts,fsm-stage-exchanges,fsm-allocate-shared))' \
// RUN:   | FileCheck %s --check-prefix=SHARED

// Eight neighbours in each thread, then lanes, then warps. The load is as well made there as elsewhere, for two accesses of
// 16 bytes in a row are whole lines as well.
// CHECK-LABEL: fsm.kernel @row(
// CHECK:         fsm.load {{.*}}fsm.access_width = 4 : i32
// CHECK-NOT:     fsm.convert_layout
// CHECK{LITERAL}: fsm.scan <sum> %1 axis 0 : tensor<1024xf32, #fsm.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]], cta = []>>
// One slot of four bytes for each warp.
// SHARED-LABEL: fsm.kernel @row(
// SHARED-SAME:   fsm.shared_bytes = 16 : i32
// SHARED:         fsm.scan {{.*}} exchange {
// SHARED:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
fsm.kernel @row(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %s = fsm.scan <sum> %x axis 0 : tensor<1024xf32>
  fsm.store %s, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// Eight rows over 32 lanes that have a column each: the registers follow the axis as it is, and no thread asks another.
// CHECK-LABEL: fsm.kernel @columns(
// CHECK-NOT:     fsm.convert_layout
// CHECK{LITERAL}: fsm.scan <max> %2 axis 0 reverse : tensor<8x32xi32, #fsm.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>>
// CHECK-NOT:     fsm.convert_layout
// SHARED-LABEL: fsm.kernel @columns(
// SHARED-NOT:     fsm.shared_offset
fsm.kernel @columns(%p: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %f = fsm.range 0, 256 : tensor<256xi32>
  %o = fsm.reshape %f : tensor<256xi32> -> tensor<8x32xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<8x32xi32> -> tensor<8x32xi32>
  %s = fsm.scan <max> %x axis 0 reverse : tensor<8x32xi32>
  fsm.store %s, %p[%o] : tensor<8x32xi32>, !fsm.ptr<i32>, tensor<8x32xi32>
  fsm.return
}

// A reduction takes its operands where the first of them is, and gives all results without the axis.
// CHECK-LABEL: fsm.kernel @tuples(
// CHECK-NOT:     fsm.convert_layout
// CHECK{LITERAL}: fsm.reduce_with %1, %0 axis 0 : tensor<256xf32, #fsm.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>, tensor<256xi32, #fsm.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>> -> f32, i32
fsm.kernel @tuples(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %v, %i = fsm.reduce_with %x, %o axis 0 : tensor<256xf32>, tensor<256xi32> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %more = arith.cmpf ogt, %v0, %v1 : f32
    %most = arith.select %more, %v0, %v1 : f32
    %at = arith.select %more, %i0, %i1 : i32
    fsm.yield %most, %at : f32, i32
  }
  fsm.store %v, %p : f32, !fsm.ptr<f32>
  fsm.return
}
