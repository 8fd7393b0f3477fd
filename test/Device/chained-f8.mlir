// Scores of f8 go to lanes as a second product wants its factor, four in a word, and are right there. All numbers are
// integers, of which sums are small, so that there is one answer.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='target=sm_90a stage=fsm' | FileCheck %s
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[64x128]' --arg='i32[64x128]:arange' --arg='i32[384x128]:arange' --arg=384
// RUN: %fsm_run %s --device=sim --target=sm_90a --num-warps=8 --compare=interp --grid=1 --arg='f32[64x128]' --arg='i32[64x128]:arange' --arg='i32[384x128]:arange' --arg=384
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg='f32[64x128]' --arg='i32[64x128]:arange' --arg='i32[384x128]:arange' --arg=384

// CHECK:       scf.for
// CHECK:         %[[P:.*]] = fsm.shared_dot
// CHECK:         %[[H:.*]] = fsm.convert
// CHECK-NEXT:    %[[HELD:.*]] = fsm.convert_layout %[[H]]
// CHECK:         fsm.shared_dot %[[HELD]],

!at = tensor<64x128xi32>
!kvi = tensor<128x128xi32>
!f = tensor<64x128xf32>
!kvf = tensor<128x128xf32>
!f8 = tensor<64x128xf8E5M2>
!kv8 = tensor<128x128xf8E5M2>

fsm.kernel @chained(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<i32> {fsm.align = 16 : i32}, %b: !fsm.ptr<i32> {fsm.align = 16 : i32}, %k: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : !f
  %three = arith.constant dense<3> : !at
  %five_at = arith.constant dense<5> : !at
  %one = arith.constant dense<1> : !at
  %five = arith.constant dense<5> : !kvi
  %two = arith.constant dense<2> : !kvi
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !at
  %x = fsm.load %a[%a_at] : !fsm.ptr<i32>, !at -> !at
  %xx = arith.muli %x, %x : !at
  %xd = arith.shrui %xx, %five_at : !at
  %xr = arith.remsi %xd, %three : !at
  %xs = arith.subi %xr, %one : !at
  %xf = arith.sitofp %xs : !at to !f
  %q = fsm.convert %xf rounding = nearest_even : !f -> !f8
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!f) : i32 {
    %b_at = fsm.places origin [%i, %none] strides [%step, 1] : !kvi
    %y = fsm.load %b[%b_at] : !fsm.ptr<i32>, !kvi -> !kvi
    %yy = arith.muli %y, %y : !kvi
    %yd = arith.shrui %yy, %five : !kvi
    %yr = arith.remsi %yd, %five : !kvi
    %ys = arith.subi %yr, %two : !kvi
    %yf = arith.sitofp %ys : !kvi to !kvf
    %y8 = fsm.convert %yf rounding = nearest_even : !kvf -> !kv8
    %yt = fsm.transpose %y8 order [1, 0] : !kv8 -> !kv8
    %p = fsm.dot %q, %yt, %zeros accumulate = 1073741824 : !f8, !kv8 -> !f
    %ph = fsm.convert %p rounding = nearest_even : !f -> !f8
    %next = fsm.dot %ph, %y8, %sum accumulate = 1073741824 : !f8, !kv8 -> !f
    scf.yield %next : !f
  }
  fsm.store %sums, %c[%a_at] : !f, !fsm.ptr<f32>, !at
  fsm.return
}
