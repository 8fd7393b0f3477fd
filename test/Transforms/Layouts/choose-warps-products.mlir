// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --fsm-choose-warps=target=sm_80 | FileCheck %s

// Of 128 x 128 sums a thread has 128 where the factors are copied by vectors. Where rows begin anywhere these wait in
// registers, and it has 64.
// CHECK-LABEL: @rows_of_vectors
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @rows_of_vectors(%p: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %x_at = fsm.places strides [%stride, 1] : tensor<128x32xi32>
  %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<128x32xi32> -> tensor<128x32xf16>
  %y_at = fsm.places strides [%stride, 1] : tensor<32x128xi32>
  %y = fsm.load %a[%y_at] : !fsm.ptr<f16>, tensor<32x128xi32> -> tensor<32x128xf16>
  %d = fsm.dot %x, %y, %c : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}
// CHECK-LABEL: @one_by_one
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @one_by_one(%p: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32, %other: i32 {fsm.divisible = 8 : i32}) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %x_at = fsm.places strides [%other, 1] : tensor<128x32xi32>
  %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<128x32xi32> -> tensor<128x32xf16>
  %y_at = fsm.places strides [%stride, 1] : tensor<32x128xi32>
  %y = fsm.load %a[%y_at] : !fsm.ptr<f16>, tensor<32x128xi32> -> tensor<32x128xf16>
  %d = fsm.dot %x, %y, %c : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}

// Two warps are not one.
// CHECK-LABEL: @few_sums
// CHECK-SAME:    num_warps = 2 : i32
fsm.kernel @few_sums(%p: !fsm.ptr<f32>, %x: f16) {
  %o = arith.constant dense<0> : tensor<64x64xi32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = fsm.splat %x : tensor<64x32xf16>
  %b = fsm.splat %x : tensor<32x64xf16>
  %d = fsm.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  fsm.store %d, %p[%o] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// Of a factor that is larger than the sums a thread has 64 words, and 32 where it computes them of what each iteration loads.
// CHECK-LABEL: @loads_weights
// CHECK-SAME:    num_warps = 2 : i32
fsm.kernel @loads_weights(%p: !fsm.ptr<f32>, %x: f16, %w: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}, %n: i32) {
  %o = arith.constant dense<0> : tensor<16x64xi32>
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %a = fsm.splat %x : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<16x64xf32>
  %d = scf.for %i = %none to %n step %step iter_args(%sum = %c) -> (tensor<16x64xf32>) : i32 {
    %at = fsm.places origin [%i, 0] strides [%stride, 1] : tensor<128x64xi32>
    %y = fsm.load %w[%at] : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
    %next = fsm.dot %a, %y, %sum : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  fsm.store %d, %p[%o] : tensor<16x64xf32>, !fsm.ptr<f32>, tensor<16x64xi32>
  fsm.return
}
// CHECK-LABEL: @widens_weights
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @widens_weights(%p: !fsm.ptr<f32>, %x: f16, %w: !fsm.ptr<i8> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}, %n: i32) {
  %o = arith.constant dense<0> : tensor<16x64xi32>
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %a = fsm.splat %x : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<16x64xf32>
  %d = scf.for %i = %none to %n step %step iter_args(%sum = %c) -> (tensor<16x64xf32>) : i32 {
    %at = fsm.places origin [%i, 0] strides [%stride, 1] : tensor<128x64xi32>
    %bytes = fsm.load %w[%at] : !fsm.ptr<i8>, tensor<128x64xi32> -> tensor<128x64xi8>
    %y = arith.sitofp %bytes : tensor<128x64xi8> to tensor<128x64xf16>
    %next = fsm.dot %a, %y, %sum : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  fsm.store %d, %p[%o] : tensor<16x64xf32>, !fsm.ptr<f32>, tensor<16x64xi32>
  fsm.return
}
