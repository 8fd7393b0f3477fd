// What is short for other ops is written as these.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks{count-in-memory=1}))' | FileCheck %s --check-prefix=MEMORY

// CHECK-LABEL: @broadcast
// CHECK:         %[[V:.*]] = fsm.range 0, 8
// CHECK-NEXT:    %[[E:.*]] = fsm.expand_dims %[[V]] axis 0 : tensor<8xi32> -> tensor<1x8xi32>
// CHECK-NEXT:    %[[F:.*]] = fsm.expand_dims %[[E]] axis 2 : tensor<1x8xi32> -> tensor<1x8x1xi32>
// CHECK-NEXT:    fsm.broadcast %[[F]] : tensor<1x8x1xi32> -> tensor<2x8x3xi32>
fsm.kernel @broadcast(%p: !fsm.ptr<i32>) {
  %v = fsm.range 0, 8 : tensor<8xi32>
  %b = fsm.broadcast %v dims [1] : tensor<8xi32> -> tensor<2x8x3xi32>
  %e = fsm.extract %b[0, 0, 0] : tensor<2x8x3xi32>
  fsm.store %e, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// A stride of 1 and an origin of 0 are not computed with; the origin is taken off the bound.
// CHECK-LABEL: @places
// CHECK:         %[[R:.*]] = fsm.range 0, 16
// CHECK-NEXT:    %[[R1:.*]] = fsm.expand_dims %[[R]] axis 1
// CHECK-NEXT:    %[[I:.*]] = fsm.broadcast %[[R1]] : tensor<16x1xi32> -> tensor<16x8xi32>
// CHECK-NEXT:    %[[LD:.*]] = fsm.splat %ld
// CHECK-NEXT:    %[[DOWN:.*]] = arith.muli %[[I]], %[[LD]] overflow<nsw>
// CHECK-NEXT:    %[[BEGIN:.*]] = arith.muli %r, %ld overflow<nsw> : i32
// CHECK-NEXT:    %[[LEFT:.*]] = arith.subi %m, %r overflow<nsw> : i32
// CHECK-NEXT:    %[[ROWS:.*]] = fsm.splat %[[LEFT]]
// CHECK-NEXT:    %[[IN0:.*]] = arith.cmpi slt, %[[I]], %[[ROWS]]
// CHECK-NEXT:    %[[C:.*]] = fsm.range 0, 8
// CHECK-NEXT:    %[[C1:.*]] = fsm.expand_dims %[[C]] axis 0
// CHECK-NEXT:    %[[J:.*]] = fsm.broadcast %[[C1]] : tensor<1x8xi32> -> tensor<16x8xi32>
// CHECK-NEXT:    %[[TILE:.*]] = arith.addi %[[DOWN]], %[[J]] overflow<nsw>
// CHECK-NEXT:    %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %[[COLUMNS:.*]] = fsm.splat %[[SEVEN]]
// CHECK-NEXT:    %[[IN1:.*]] = arith.cmpi slt, %[[J]], %[[COLUMNS]]
// CHECK-NEXT:    %[[IN:.*]] = arith.andi %[[IN0]], %[[IN1]]
// CHECK-NEXT:    %[[BEGINS:.*]] = fsm.splat %[[BEGIN]]
// CHECK-NEXT:    %[[AT:.*]] = arith.addi %[[BEGINS]], %[[TILE]] overflow<nsw>
// CHECK-NEXT:    fsm.load %p[%[[AT]]], %[[IN]]
fsm.kernel @places(%p: !fsm.ptr<f32>, %r: i32, %ld: i32, %m: i32) {
  %at, %in = fsm.places origin [%r, 0] strides [%ld, 1] bounds [%m, 7] : tensor<16x8xi32>
  %x = fsm.load %p[%at], %in : !fsm.ptr<f32>, tensor<16x8xi32> -> tensor<16x8xf32>
  fsm.return
}

// Along one dimension, and along two by the row-major number.
// CHECK-LABEL: @slices
// CHECK:         %[[S:.*]] = fsm.range 32, 64
// CHECK:         fsm.gather %[[X:.*]][%{{.*}}] axis 1 : tensor<8x64xf32>, tensor<8x32xi32> -> tensor<8x32xf32>
// CHECK:         %[[LINE:.*]] = fsm.reshape %[[X]] : tensor<8x64xf32> -> tensor<512xf32>
// CHECK:         fsm.gather %[[LINE]][%{{.*}}] axis 0 : tensor<512xf32>, tensor<64xi32> -> tensor<64xf32>
// CHECK-NEXT:    fsm.reshape %{{.*}} : tensor<64xf32> -> tensor<2x32xf32>
fsm.kernel @slices(%p: !fsm.ptr<f32>, %i: i32) {
  %x = ub.poison : tensor<8x64xf32>
  %a = fsm.slice %x[0, 32] : tensor<8x64xf32> -> tensor<8x32xf32>
  %b = fsm.slice %x[%i, 32] : tensor<8x64xf32> -> tensor<2x32xf32>
  fsm.return
}

// CHECK-LABEL: @equal
// CHECK:         %[[J:.*]] = fsm.join %[[X:.*]], %[[X]] : tensor<8x4xf32> -> tensor<8x4x2xf32>
// CHECK-NEXT:    %[[T:.*]] = fsm.transpose %[[J]] order [2, 0, 1]
// CHECK-NEXT:    fsm.reshape %[[T]] : tensor<2x8x4xf32> -> tensor<16x4xf32>
fsm.kernel @equal() {
  %x = ub.poison : tensor<8x4xf32>
  %a = fsm.cat %x, %x axis 0 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<16x4xf32>
  fsm.return
}

// Nothing is left of these.
// CHECK-LABEL: @orders
// CHECK-NOT:     fsm.sort
// CHECK-NOT:     fsm.topk
// CHECK-NOT:     fsm.histogram
// CHECK:         fsm.return
fsm.kernel @orders() {
  %x = ub.poison : tensor<16x64xf32>
  %a = fsm.sort %x axis 1 : tensor<16x64xf32>
  %v, %i = fsm.topk %a axis 0 : tensor<16x64xf32> -> tensor<3x64xf32>
  %h = fsm.histogram %i : tensor<3x64xi32> -> tensor<16xi32>
  fsm.return
}

// A histogram stays where one cta's threads count in its memory.
// MEMORY-LABEL: @orders
// MEMORY-NOT:     fsm.topk
// MEMORY:         fsm.histogram
// MEMORY-LABEL: @on_two_ctas
// MEMORY-NOT:     fsm.histogram
fsm.kernel @on_two_ctas() attributes {num_ctas = 2 : i32} {
  %i = ub.poison : tensor<64xi32>
  %h = fsm.histogram %i : tensor<64xi32> -> tensor<16xi32>
  fsm.return
}

// MEMORY-LABEL: @many_counts
// MEMORY:         fsm.histogram %{{.*}} -> tensor<8192xi32>
// MEMORY-NOT:     fsm.histogram
fsm.kernel @many_counts() {
  %i = ub.poison : tensor<16384xi32>
  %h = fsm.histogram %i : tensor<16384xi32> -> tensor<8192xi32>
  %g = fsm.histogram %i : tensor<16384xi32> -> tensor<8193xi32>
  fsm.return
}

// MEMORY-LABEL: @beside_a_long_block
// MEMORY-NOT:     fsm.histogram
fsm.kernel @beside_a_long_block() {
  %i = ub.poison : tensor<64xi32>
  %h = fsm.histogram %i : tensor<64xi32> -> tensor<16xi32>
  %x = ub.poison : tensor<16385xi8>
  fsm.return
}
