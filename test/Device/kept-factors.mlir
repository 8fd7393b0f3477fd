// Factors of 16 KiB that a loop of two warps keeps lie in tiles without gaps between rows, which ldmatrix reads along rows and across.

// RUN: %fsm_run %s --device=sim --target=sm_80 --compare=interp --grid=1 --arg='f32[384x32]' --arg='f32[96x128]' --arg='f16[128x64]:uniform:1' --arg='f16[96x64]:uniform:2' --arg='f16[64x128]:uniform:3'
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[384x32]' --arg='f32[96x128]' --arg='f16[128x64]:uniform:1' --arg='f16[96x64]:uniform:2' --arg='f16[64x128]:uniform:3'
// RUN: %fsm_opt %s --fsm-gpu-pipeline='target=sm_80 stage=fsm' | FileCheck %s

// CHECK-DAG:  fsm.shared_alloc {{.*}} : !fsm.shared<128x64xf16, #
// CHECK-DAG:  fsm.shared_alloc {{.*}} : !fsm.shared<64x128xf16, #
// CHECK:      scf.for
fsm.kernel @scores(%s: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %t: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %x: !fsm.ptr<f16> {fsm.align = 16 : i32}, %w: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %end = arith.constant 96 : i32
  %four = arith.constant 4 : i32
  %tall = arith.constant dense<0.0> : tensor<128x32xf32>
  %wide = arith.constant dense<0.0> : tensor<32x128xf32>
  %q_at = fsm.places strides [64, 1] : tensor<128x64xi32>
  %w_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  %left = fsm.load %q[%q_at] : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
  %right = fsm.load %w[%w_at] : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
  scf.for %i = %none to %end step %step : i32 {
    %at = fsm.places origin [%i, %none] strides [64, 1] : tensor<32x64xi32>
    %rows = fsm.load %x[%at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %columns = fsm.transpose %rows order [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
    %a = fsm.dot %left, %columns, %tall : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    %b = fsm.dot %rows, %right, %wide : tensor<32x64xf16>, tensor<64x128xf16> -> tensor<32x128xf32>
    %first = arith.muli %i, %four : i32
    %a_at = fsm.places origin [%first, %none] strides [32, 1] : tensor<128x32xi32>
    %b_at = fsm.places origin [%i, %none] strides [128, 1] : tensor<32x128xi32>
    fsm.store %a, %s[%a_at] : tensor<128x32xf32>, !fsm.ptr<f32>, tensor<128x32xi32>
    fsm.store %b, %t[%b_at] : tensor<32x128xf32>, !fsm.ptr<f32>, tensor<32x128xi32>
  }
  fsm.return
}
