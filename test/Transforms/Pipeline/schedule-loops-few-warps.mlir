// CTAs of few warps hide one another's waits: a product that stays in flight has a slot more, but not where it is a CTA of few; and of two
// warps, whose products end one after the other, a loop has a stage less where that is a CTA more. No loop has more stages than iterations.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='target=sm_90a stage=fsm tensor-maps=false' | FileCheck %s

// Of two products four slots are 64 KiB, for three CTAs, and three 48, for four.
// CHECK-LABEL: fsm.kernel @ended
// CHECK-COUNT-3: fsm.shared_alloc {{.*}}xf16 slots 3,
// CHECK-NOT:     fsm.in_flight
// CHECK:         fsm.return
fsm.kernel @ended(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %d: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %wide = arith.constant dense<0.0> : tensor<64x128xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %both:2 = scf.for %i = %none to %k step %step iter_args(%one = %wide, %two = %zeros) -> (tensor<64x128xf32>, tensor<64x64xf32>) : i32 {
    %x_at = fsm.places origin [%none, %i] strides [%k, 1] : tensor<64x32xi32>
    %y_at = fsm.places origin [%i, %none] strides [256, 1] : tensor<32x128xi32>
    %z_at = fsm.places origin [%i, %step] strides [256, 1] : tensor<32x64xi32>
    %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %y = fsm.load %b[%y_at] : !fsm.ptr<f16>, tensor<32x128xi32> -> tensor<32x128xf16>
    %z = fsm.load %b[%z_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %next = fsm.dot %x, %y, %one : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
    %other = fsm.dot %x, %z, %two : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %other : tensor<64x128xf32>, tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32}
  %c_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  %d_at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %both#0, %c[%c_at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.store %both#1, %d[%d_at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// -----

// Of fewer columns four slots are 48 KiB.
// CHECK-LABEL: fsm.kernel @in_flight
// CHECK-COUNT-3: fsm.shared_alloc {{.*}}xf16 slots 4,
// CHECK:         fsm.in_flight
fsm.kernel @in_flight(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %d: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %wide = arith.constant dense<0.0> : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %both:2 = scf.for %i = %none to %k step %step iter_args(%one = %wide, %two = %zeros) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %x_at = fsm.places origin [%none, %i] strides [%k, 1] : tensor<64x32xi32>
    %y_at = fsm.places origin [%i, %none] strides [256, 1] : tensor<32x64xi32>
    %z_at = fsm.places origin [%i, %step] strides [256, 1] : tensor<32x64xi32>
    %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %y = fsm.load %b[%y_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %z = fsm.load %b[%z_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %next = fsm.dot %x, %y, %one : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %other = fsm.dot %x, %z, %two : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %other : tensor<64x64xf32>, tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32}
  %c_at = fsm.places strides [64, 1] : tensor<64x64xi32>
  %d_at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %both#0, %c[%c_at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.store %both#1, %d[%d_at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// -----

// Two warps: three slots are 36 KiB, for six CTAs, and two 24 KiB, for more.
// CHECK-LABEL: fsm.kernel @two_warps
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<32x64xf16 slots 2,
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<64x64xf16 slots 2,
fsm.kernel @two_warps(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32>
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<32x64xf32>) : i32 {
    %a_at = fsm.places origin [%none, %i] strides [%k, 1] : tensor<32x64xi32>
    %b_at = fsm.places origin [%i, %none] strides [64, 1] : tensor<64x64xi32>
    %x = fsm.load %a[%a_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %y = fsm.load %b[%b_at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %next : tensor<32x64xf32>
  } {fsm.num_stages = 3 : i32}
  %c_at = fsm.places strides [64, 1] : tensor<32x64xi32>
  fsm.store %sums, %c[%c_at] : tensor<32x64xf32>, !fsm.ptr<f32>, tensor<32x64xi32>
  fsm.return
}

// -----

// Two iterations: two slots for each load, though there is room for more.
// CHECK-LABEL: fsm.kernel @two_iterations
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<32x16xf16 slots 2,
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<16x32xf16 slots 2,
fsm.kernel @two_iterations(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}) attributes {num_warps = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %k = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<32x32xf32>) : i32 {
    %a_at = fsm.places origin [%none, %i] strides [32, 1] : tensor<32x16xi32>
    %b_at = fsm.places origin [%i, %none] strides [32, 1] : tensor<16x32xi32>
    %x = fsm.load %a[%a_at] : !fsm.ptr<f16>, tensor<32x16xi32> -> tensor<32x16xf16>
    %y = fsm.load %b[%b_at] : !fsm.ptr<f16>, tensor<16x32xi32> -> tensor<16x32xf16>
    %next = fsm.dot %x, %y, %sum : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  } {fsm.num_stages = 3 : i32}
  %c_at = fsm.places strides [32, 1] : tensor<32x32xi32>
  fsm.store %sums, %c[%c_at] : tensor<32x32xf32>, !fsm.ptr<f32>, tensor<32x32xi32>
  fsm.return
}
