// Layouts and shared memory of products of matrices.
//
// RUN: %fsm_opt %s --split-input-file --fsm-assign-layouts --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

// The sum that a loop carries has one layout, that of the product: squares of 4 rows and 4 columns, lanes 4 x 8, of
// which neighbours are in two rows of these, warps 4 x 1, so that a thread's tile is 4 rows of 8 columns. It is what the loop begins with and what is stored; the operands
// are taken as they are loaded, and nothing is converted. Both are in shared memory: 64 rows of 9 vectors of 16
// bytes, and 32 of 17. A barrier lets the reads of the iteration before end first.
// CHECK:       #[[SUM:layout[0-9]*]] = #fsm.layout<register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [0, 32]], lane = {{\[\[}}4, 0], [0, 4], [0, 8], [0, 16], [8, 0]], warp = {{\[\[}}16, 0], [32, 0]], cta = []>
// CHECK-LABEL: fsm.kernel @loop
// CHECK-SAME:    fsm.shared_bytes = 17920 : i32
// CHECK-NOT:     fsm.convert_layout
// CHECK:         scf.for {{.*}} -> (tensor<64x64xf32, #[[SUM]]>)
// CHECK:           %[[X:.*]] = fsm.load {{.*}} -> tensor<64x32xf32, #[[LEFT:layout[0-9]*]]>
// CHECK:           %[[Y:.*]] = fsm.load {{.*}} -> tensor<32x64xf32, #[[RIGHT:layout[0-9]*]]>
// CHECK-NEXT:      %[[A:.*]] = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x32xf32 pitch 36>
// CHECK-NEXT:      %[[B:.*]] = fsm.shared_alloc {fsm.shared_offset = 9216 : i32} : !fsm.shared<32x64xf32 pitch 68>
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.shared_store %[[X]], %[[A]] : tensor<64x32xf32, #[[LEFT]]>
// CHECK-NEXT:      fsm.shared_store %[[Y]], %[[B]] : tensor<32x64xf32, #[[RIGHT]]>
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      fsm.shared_dot %[[A]], %[[B]], %{{.*}} inner 32 : {{.*}} -> tensor<64x64xf32, #[[SUM]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store
fsm.kernel @loop(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %an = fsm.range 0, 2048 : tensor<2048xi32>
  %ao = fsm.reshape %an : tensor<2048xi32> -> tensor<64x32xi32>
  %bo = fsm.reshape %an : tensor<2048xi32> -> tensor<32x64xi32>
  %cn = fsm.range 0, 4096 : tensor<4096xi32>
  %co = fsm.reshape %cn : tensor<4096xi32> -> tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %first = arith.constant 0 : i32
  %step = arith.constant 2048 : i32
  %sum = scf.for %i = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pa = fsm.offset %a, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %pa[%ao] : !fsm.ptr<f32>, tensor<64x32xi32> -> tensor<64x32xf32>
    %pb = fsm.offset %b, %i : !fsm.ptr<f32>, i32
    %y = fsm.load %pb[%bo] : !fsm.ptr<f32>, tensor<32x64xi32> -> tensor<32x64xf32>
    %next = fsm.dot %x, %y, %acc precision = ieee : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  fsm.store %sum, %c[%co] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// -----

// One row: all lanes along it. The warps that have none of it hold replicas.
// CHECK:       #fsm.layout<register = [], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}0, 0]], cta = []>
// CHECK-LABEL: fsm.kernel @row
fsm.kernel @row(%c: !fsm.ptr<f32>) attributes {num_warps = 2 : i32} {
  %x = ub.poison : tensor<1x8xf16>
  %y = ub.poison : tensor<8x32xf16>
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %d = fsm.dot %x, %y, %zero : tensor<1x8xf16>, tensor<8x32xf16> -> tensor<1x32xf32>
  %n = fsm.range 0, 32 : tensor<32xi32>
  %o = fsm.expand_dims %n axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  fsm.store %d, %c[%o] : tensor<1x32xf32>, !fsm.ptr<f32>, tensor<1x32xi32>
  fsm.return
}

// -----

// Batches over the warps. Odd rows have no vectors, and 8 lanes go along 9 columns.
// CHECK:       #fsm.layout<register = {{\[\[}}0, 0, 8], [0, 4, 0]], lane = {{\[\[}}0, 1, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 2, 0]], warp = {{\[\[}}1, 0, 0], [2, 0, 0]], cta = []>
// CHECK-LABEL: fsm.kernel @batches
fsm.kernel @batches(%c: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %x = ub.poison : tensor<3x8x8xf16>
  %y = ub.poison : tensor<3x8x9xf16>
  %zero = arith.constant dense<0.0> : tensor<3x8x9xf32>
  %d = fsm.dot %x, %y, %zero : tensor<3x8x8xf16>, tensor<3x8x9xf16> -> tensor<3x8x9xf32>
  %n = fsm.range 0, 216 : tensor<216xi32>
  %o = fsm.reshape %n : tensor<216xi32> -> tensor<3x8x9xi32>
  fsm.store %d, %c[%o] : tensor<3x8x9xf32>, !fsm.ptr<f32>, tensor<3x8x9xi32>
  fsm.return
}

// -----

// Two operands of 108 KiB come in slabs of 256 of the 520 steps: 64 rows of 33 vectors of 16 bytes, and 256 of 5.
// CHECK-LABEL: fsm.kernel @slabs
// CHECK-SAME:    fsm.shared_bytes = 54272 : i32
fsm.kernel @slabs(%c: !fsm.ptr<f32>) attributes {num_warps = 16 : i32} {
  %x = ub.poison : tensor<64x520xf16>
  %y = ub.poison : tensor<520x32xf16>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = fsm.dot %x, %y, %zero : tensor<64x520xf16>, tensor<520x32xf16> -> tensor<64x32xf32>
  %n = fsm.range 0, 2048 : tensor<2048xi32>
  %o = fsm.reshape %n : tensor<2048xi32> -> tensor<64x32xi32>
  fsm.store %d, %c[%o] : tensor<64x32xf32>, !fsm.ptr<f32>, tensor<64x32xi32>
  fsm.return
}

// -----

// A thread meets 16 numbers of a row beside the product, as seven other lanes of its warp do, and each load has a comparison of
// its own: a lane loads two of them and hands them to the others.
// CHECK-DAG:   #[[DEALT:.*]] = #fsm.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [32], [16], [8]], warp = {{\[\[}}0], [0]], cta = []>
// CHECK-DAG:   #[[MET:.*]] = #fsm.layout<register = {{\[\[}}1], [8], [16], [32]], lane = {{\[\[}}2], [4], [0], [0], [0]], warp = {{\[\[}}0], [0]], cta = []>
// CHECK-LABEL: fsm.kernel @dealt
// CHECK:         fsm.load %mean{{.*}} -> tensor<64xf32, #[[DEALT]]>
// CHECK-NEXT:    fsm.convert_layout {{.*}} : tensor<64xf32, #[[DEALT]]> -> tensor<64xf32, #[[MET]]>
fsm.kernel @dealt(%c: !fsm.ptr<f32>, %mean: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %x = ub.poison : tensor<64x16xf16>
  %y = ub.poison : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = fsm.dot %x, %y, %zero {fsm.mma = array<i64: 64, 64, 16>} : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
  %at = fsm.range 0, 64 : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.muli %at, %two overflow<nsw> : tensor<64xi32>
  %bound = fsm.splat %n : tensor<64xi32>
  %inside = arith.cmpi slt, %at, %bound : tensor<64xi32>
  %means = fsm.load %mean[%apart], %inside : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %row = fsm.expand_dims %means axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %rows = fsm.broadcast %row : tensor<1x64xf32> -> tensor<64x64xf32>
  %less = arith.subf %d, %rows : tensor<64x64xf32>
  %cn = fsm.range 0, 4096 : tensor<4096xi32>
  %co = fsm.reshape %cn : tensor<4096xi32> -> tensor<64x64xi32>
  %sums = fsm.reduce <sum> %less axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  fsm.store %sums, %mean[%at] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.store %less, %c[%co] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}
