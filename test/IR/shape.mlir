// Making and reshaping blocks, as they are printed and parsed again.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic --mlir-print-debuginfo | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @ranges
// CHECK:         fsm.range 0, 1 : tensor<1xi32>
// CHECK:         fsm.range -3, 8 : tensor<11xi32>
// CHECK:         fsm.range 2147483640, 2147483647 : tensor<7xi32>
// CHECK:         fsm.range -2147483648, -2147483640 : tensor<8xi32>
fsm.kernel @ranges() {
  %a = fsm.range 0, 1 : tensor<1xi32>
  %b = fsm.range -3, 8 : tensor<11xi32>
  %c = fsm.range 2147483640, 2147483647 : tensor<7xi32>
  %d = fsm.range -2147483648, -2147483640 : tensor<8xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @splats
// CHECK:         fsm.splat %{{.*}} : tensor<781xf32>
// CHECK:         fsm.splat %{{.*}} : tensor<1x2x3x4x5xi1>
// CHECK:         fsm.splat %{{.*}} : tensor<1048576xf8E5M2>
fsm.kernel @splats(%x: f32, %c: i1, %y: f8E5M2) {
  %a = fsm.splat %x : tensor<781xf32>
  %b = fsm.splat %c : tensor<1x2x3x4x5xi1>
  %d = fsm.splat %y : tensor<1048576xf8E5M2>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @expand
// CHECK:         fsm.expand_dims %{{.*}} axis 0 : tensor<16x4xi32> -> tensor<1x16x4xi32>
// CHECK:         fsm.expand_dims %{{.*}} axis 1 : tensor<16x4xi32> -> tensor<16x1x4xi32>
// CHECK:         fsm.expand_dims %{{.*}} axis 2 : tensor<16x4xi32> -> tensor<16x4x1xi32>
fsm.kernel @expand(%n: i32) {
  %a = fsm.splat %n : tensor<16x4xi32>
  %b = fsm.expand_dims %a axis 0 : tensor<16x4xi32> -> tensor<1x16x4xi32>
  %c = fsm.expand_dims %a axis 1 : tensor<16x4xi32> -> tensor<16x1x4xi32>
  %d = fsm.expand_dims %a axis 2 : tensor<16x4xi32> -> tensor<16x4x1xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @broadcast
// CHECK:         fsm.broadcast %{{.*}} : tensor<16x1xf16> -> tensor<16x64xf16>
// CHECK:         fsm.broadcast %{{.*}} : tensor<16x1xf16> -> tensor<16x1xf16>
fsm.kernel @broadcast(%x: f16) {
  %a = fsm.splat %x : tensor<16x1xf16>
  %b = fsm.broadcast %a : tensor<16x1xf16> -> tensor<16x64xf16>
  %c = fsm.broadcast %a : tensor<16x1xf16> -> tensor<16x1xf16>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @reshape
// CHECK:         fsm.reshape %{{.*}} : tensor<6x4xf64> -> tensor<24xf64>
// CHECK:         fsm.reshape %{{.*}} : tensor<24xf64> -> tensor<2x3x1x4xf64>
fsm.kernel @reshape(%x: f64) {
  %a = fsm.splat %x : tensor<6x4xf64>
  %b = fsm.reshape %a : tensor<6x4xf64> -> tensor<24xf64>
  %c = fsm.reshape %b : tensor<24xf64> -> tensor<2x3x1x4xf64>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @transpose
// CHECK:         fsm.transpose %{{.*}} order [1, 0] : tensor<6x4xf64> -> tensor<4x6xf64>
// CHECK:         fsm.transpose %{{.*}} order [0] : tensor<7xi1> -> tensor<7xi1>
// CHECK:         fsm.transpose %{{.*}} order [4, 0, 3, 1, 2] : tensor<1x2x3x4x5xf8E4M3FN> -> tensor<5x1x4x2x3xf8E4M3FN>
fsm.kernel @transpose(%x: f64, %c: i1, %y: f8E4M3FN) {
  %a = fsm.splat %x : tensor<6x4xf64>
  %b = fsm.transpose %a order [1, 0] : tensor<6x4xf64> -> tensor<4x6xf64>
  %d = fsm.splat %c : tensor<7xi1>
  %e = fsm.transpose %d order [0] : tensor<7xi1> -> tensor<7xi1>
  %f = fsm.splat %y : tensor<1x2x3x4x5xf8E4M3FN>
  %g = fsm.transpose %f order [4, 0, 3, 1, 2] : tensor<1x2x3x4x5xf8E4M3FN> -> tensor<5x1x4x2x3xf8E4M3FN>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @pairs
// CHECK:         fsm.join %{{.*}}, %{{.*}} : tensor<5xf32> -> tensor<5x2xf32>
// CHECK:         %{{.*}}, %{{.*}} = fsm.split %{{.*}} : tensor<5x2xf32> -> tensor<5xf32>
// CHECK:         fsm.join %{{.*}}, %{{.*}} : tensor<1x2x3x4xi1> -> tensor<1x2x3x4x2xi1>
// CHECK:         %{{.*}}, %{{.*}} = fsm.split %{{.*}} : tensor<1x2x3x4x2xi1> -> tensor<1x2x3x4xi1>
fsm.kernel @pairs(%x: f32, %y: f32, %c: i1) {
  %a = fsm.splat %x : tensor<5xf32>
  %b = fsm.splat %y : tensor<5xf32>
  %d = fsm.join %a, %b : tensor<5xf32> -> tensor<5x2xf32>
  %e, %f = fsm.split %d : tensor<5x2xf32> -> tensor<5xf32>
  %g = fsm.splat %c : tensor<1x2x3x4xi1>
  %h = fsm.join %g, %g : tensor<1x2x3x4xi1> -> tensor<1x2x3x4x2xi1>
  %i, %j = fsm.split %h : tensor<1x2x3x4x2xi1> -> tensor<1x2x3x4xi1>
  fsm.return
}
