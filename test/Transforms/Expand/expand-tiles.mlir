// Tiles of tensors are loads and stores under a mask, from a pointer on that has moved.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks))' | FileCheck %s

// A coordinate that may be below 0 has a bound there as well; one that is a program's number has none.
// CHECK-LABEL: @tile
// CHECK-NOT:     fsm.descriptor
// CHECK:         %[[ROW:.*]] = arith.extsi %r : i32 to i64
// CHECK-NEXT:    %[[STRIDE:.*]] = arith.extsi %ld : i32 to i64
// CHECK-NEXT:    %[[DOWN:.*]] = arith.muli %[[ROW]], %[[STRIDE]] overflow<nsw> : i64
// CHECK-NEXT:    %[[COLUMN:.*]] = arith.extsi %[[C:.*]] : i32 to i64
// CHECK-NEXT:    %[[MOVED:.*]] = arith.addi %[[DOWN]], %[[COLUMN]] overflow<nsw> : i64
// CHECK-NEXT:    %[[P:.*]] = fsm.offset %p, %[[MOVED]] : !fsm.ptr<f32>, i64
// CHECK:         %[[LEFT:.*]] = arith.subi %m, %r overflow<nsw> : i32
// CHECK-NEXT:    %[[LEFTS:.*]] = fsm.splat %[[LEFT]]
// CHECK-NEXT:    %[[BELOW:.*]] = arith.cmpi slt, %[[I:.*]], %[[LEFTS]]
// CHECK:         %[[MISSING:.*]] = arith.subi %{{.*}}, %r overflow<nsw> : i32
// CHECK-NEXT:    %[[MISSINGS:.*]] = fsm.splat %[[MISSING]]
// CHECK-NEXT:    %[[FROM:.*]] = arith.cmpi sge, %[[I]], %[[MISSINGS]]
// CHECK-NEXT:    %[[ROWS:.*]] = arith.andi %[[BELOW]], %[[FROM]]
// CHECK:         %[[COLUMNS:.*]] = arith.cmpi slt
// CHECK-NEXT:    %[[IN:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK-NEXT:    %[[X:.*]] = fsm.load %[[P]][%{{.*}}], %[[IN]] {fsm.of_tile} : !fsm.ptr<f32>, tensor<16x8xi32> -> tensor<16x8xf32>
// CHECK-NOT:     sge
// CHECK:         fsm.store %[[X]], %p[%{{.*}}], %{{.*}}
fsm.kernel @tile(%p: !fsm.ptr<f32>, %r: i32, %ld: i32, %m: i32) {
  %c = fsm.program_id x : i32
  %d = fsm.descriptor %p sizes [%m, 7] strides [%ld, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  %x = fsm.load_tile %d[%r, %c] : !fsm.descriptor<2 x f32> -> tensor<16x8xf32>
  fsm.store_tile %x, %d[0, 0] : tensor<16x8xf32>, !fsm.descriptor<2 x f32>
  fsm.return
}

// What is selected is there or is not, for all elements.
// CHECK-LABEL: @selected
// CHECK:         %[[H:.*]] = arith.cmpi slt, %h, %n : i32
// CHECK:         %[[H0:.*]] = arith.cmpi sge, %h, %{{.*}} : i32
// CHECK-NEXT:    %[[THERE:.*]] = arith.andi %[[H]], %[[H0]] : i1
// CHECK-NEXT:    fsm.splat %[[THERE]] : tensor<8xi1>
// CHECK:         %[[NAN:.*]] = arith.constant 0x7E00 : f16
// CHECK-NEXT:    fsm.load %{{.*}}, %[[NAN]]
fsm.kernel @selected(%p: !fsm.ptr<f16>, %h: i32, %n: i32) {
  %d = fsm.descriptor %p sizes [%n, 7, 9] strides [63, 9, 1] : !fsm.ptr<f16> -> !fsm.descriptor<3 x f16>
  %x = fsm.load_tile %d[%h, 6, 0] pad = nan : !fsm.descriptor<3 x f16> -> tensor<8xf16>
  fsm.return
}

// The stride of a dimension with one element, which may leave 32 bits, moves nothing but the pointer.
// CHECK-LABEL: @rows
// CHECK:         %[[FAR:.*]] = arith.muli %{{.*}}, %ld overflow<nsw> : i64
// CHECK-NEXT:    fsm.offset %p, %[[FAR]] : !fsm.ptr<f32>, i64
// CHECK-NOT:     arith.trunci %ld
// CHECK-NOT:     arith.muli
// CHECK:         fsm.load %{{.*}} {fsm.of_tile} : !fsm.ptr<f32>, tensor<1x8xi32> -> tensor<1x8xf32>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant dense<0> : tensor<1x1xi32>
// CHECK-NOT:     arith.trunci %ld
// CHECK-NOT:     arith.muli
// CHECK:         fsm.load %p[%[[ZERO]]], %{{.*}} {fsm.of_tile} : !fsm.ptr<f32>, tensor<1x1xi32> -> tensor<1x1xf32>
// CHECK-NOT:     arith.muli
// CHECK:         fsm.return
fsm.kernel @rows(%p: !fsm.ptr<f32>, %r: i32, %ld: i64, %m: i64) {
  %d = fsm.descriptor %p sizes [%m, 7] strides [%ld, 1] : !fsm.ptr<f32>, i64 -> !fsm.descriptor<2 x f32>
  %x = fsm.load_tile %d[%r, 0] : !fsm.descriptor<2 x f32> -> tensor<1x8xf32>
  %y = fsm.load_tile %d[0, 0] : !fsm.descriptor<2 x f32> -> tensor<1x1xf32>
  fsm.store_tile %x, %d[0, 0] : tensor<1x8xf32>, !fsm.descriptor<2 x f32>
  fsm.store_tile %y, %d[0, 0] : tensor<1x1xf32>, !fsm.descriptor<2 x f32>
  fsm.return
}

// -----

func.func private @made(%p: !fsm.ptr<f16>) -> !fsm.descriptor<1 x f16> {
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  func.return %d : !fsm.descriptor<1 x f16>
}
fsm.kernel @called(%p: !fsm.ptr<f16>) {
  %d = func.call @made(%p) : (!fsm.ptr<f16>) -> !fsm.descriptor<1 x f16>
  // expected-error @below {{expected a descriptor that an 'fsm.descriptor' makes; 'inline' takes calls away}}
  %x = fsm.load_tile %d[0] : !fsm.descriptor<1 x f16> -> tensor<4xf16>
  fsm.return
}
