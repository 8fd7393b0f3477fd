// A loop of products whose copies begin where the loop before them has ended: no warps of their own begin them.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: the warps of this loop begin its copies themselves: its copies need what the loop results in
fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %end = scf.for %tile = %none to %m step %step iter_args(%first = %none) -> (i32) : i32 {
    %row = arith.maxsi %first, %none : i32
    %d, %next_row = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %reached = %first) -> (tensor<64x128xf32>, i32) : i32 {
      %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
      %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
      %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      %more = arith.xori %reached, %i : i32
      scf.yield %next, %more : tensor<64x128xf32>, i32
    } {fsm.num_stages = 4 : i32, fsm.forced_stages}
    %at, %in = fsm.places origin [%tile, 0] strides [128, 1] bounds [%m, 128] : tensor<64x128xi32>
    fsm.store %d, %out[%at], %in : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
    scf.yield %next_row : i32
  }
  fsm.return
}
