// A warp that multiplies and holds large blocks has no room for the addresses of copies of all that it loads; four warps have.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='target=sm_90a stage=fsm remarks tensor-maps=false' 2>&1 >/dev/null | FileCheck %s

// CHECK: remark: this load runs 1 iteration ahead, into shared memory
// CHECK: remark: this load does not run ahead of its loop: a thread has no registers for it
fsm.kernel @one_warp(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %n: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %to = fsm.places strides [32, 1] : tensor<64x32xi32>
  %sum = scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x32xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [32, 1] bounds [%n, 32] : tensor<64x32xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f32>, tensor<64x32xi32> -> tensor<64x32xf32>
    %square = arith.mulf %x, %x : tensor<64x64xf16>
    %factor = arith.truncf %y : tensor<64x32xf32> to tensor<64x32xf16>
    %scaled = arith.mulf %state, %y : tensor<64x32xf32>
    %next = fsm.dot %square, %factor, %scaled : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%to] : tensor<64x32xf32>, !fsm.ptr<f32>, tensor<64x32xi32>
  fsm.return
}

// -----

// CHECK-COUNT-2: remark: this load runs 1 iteration ahead, into shared memory
fsm.kernel @four_warps(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %n: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %to = fsm.places strides [32, 1] : tensor<64x32xi32>
  %sum = scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x32xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [32, 1] bounds [%n, 32] : tensor<64x32xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f32>, tensor<64x32xi32> -> tensor<64x32xf32>
    %square = arith.mulf %x, %x : tensor<64x64xf16>
    %factor = arith.truncf %y : tensor<64x32xf32> to tensor<64x32xf16>
    %scaled = arith.mulf %state, %y : tensor<64x32xf32>
    %next = fsm.dot %square, %factor, %scaled : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%to] : tensor<64x32xf32>, !fsm.ptr<f32>, tensor<64x32xi32>
  fsm.return
}
