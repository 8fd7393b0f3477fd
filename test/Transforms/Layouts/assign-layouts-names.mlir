// What is reduced by another name of its elements stays where it is, however often it was renamed; what a reshape moves does not.

// RUN: %fsm_opt %s '--pass-pipeline=builtin.module(fsm.kernel(fsm-expand-blocks,fsm-assign-layouts))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @all
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.reduce <sum> %{{.*}} axis 0 : tensor<4096xf32
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @all(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %at = fsm.places strides [128, 1] : tensor<32x128xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<32x128xi32> -> tensor<32x128xf32>
  %y = arith.mulf %x, %x : tensor<32x128xf32>
  %half = fsm.reshape %y : tensor<32x128xf32> -> tensor<64x64xf32>
  %flat = fsm.reshape %half : tensor<64x64xf32> -> tensor<4096xf32>
  %sum = fsm.reduce <sum> %flat axis 0 : tensor<4096xf32> -> f32
  fsm.store %sum, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @moved
// CHECK:         fsm.reshape %{{.*}} : tensor<32x96xf32
// CHECK:         fsm.reduce <sum> %{{.*}} axis 0 : tensor<3072xf32
fsm.kernel @moved(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %at = fsm.places strides [96, 1] : tensor<32x96xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<32x96xi32> -> tensor<32x96xf32>
  %flat = fsm.reshape %x : tensor<32x96xf32> -> tensor<3072xf32>
  %sum = fsm.reduce <sum> %flat axis 0 : tensor<3072xf32> -> f32
  fsm.store %sum, %out : f32, !fsm.ptr<f32>
  fsm.return
}
