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

// What is computed of another name of a loaded block is where the block is, in one layout, not computed in each in which it is wanted:
// integers are cheap to compute again where all that they are made of is.
// CHECK-LABEL: fsm.kernel @swapped
// CHECK-NOT:     fsm.convert_layout
// CHECK:         arith.xori
// CHECK-NOT:     arith.xori
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @swapped(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  %y = fsm.reshape %x : tensor<256xi32> -> tensor<128x2xi32>
  %sum = fsm.reduce <xor> %y axis 1 : tensor<128x2xi32> -> tensor<128xi32>
  %s1 = fsm.expand_dims %sum axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %s2 = fsm.broadcast %s1 : tensor<128x1xi32> -> tensor<128x2xi32>
  %z = arith.xori %y, %s2 : tensor<128x2xi32>
  %flat = fsm.reshape %z : tensor<128x2xi32> -> tensor<256xi32>
  fsm.store %flat, %out[%o] : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  fsm.return
}

// Wanted in two layouts, it is moved, and not computed twice.
// CHECK-LABEL: fsm.kernel @twice
// CHECK:         arith.xori
// CHECK-NOT:     arith.xori
// CHECK:         fsm.convert_layout
// CHECK-NOT:     arith.xori
// CHECK:         fsm.return
fsm.kernel @twice(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %to: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}, %k: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  %y = fsm.reshape %x : tensor<1024xi32> -> tensor<32x32xi32>
  %ks = fsm.splat %k : tensor<32x32xi32>
  %z = arith.xori %y, %ks : tensor<32x32xi32>
  %along = fsm.places strides [32, 1] : tensor<32x32xi32>
  %across = fsm.places strides [1, 32] : tensor<32x32xi32>
  fsm.store %z, %out[%along] : tensor<32x32xi32>, !fsm.ptr<i32>, tensor<32x32xi32>
  fsm.store %z, %to[%across] : tensor<32x32xi32>, !fsm.ptr<i32>, tensor<32x32xi32>
  fsm.return
}
