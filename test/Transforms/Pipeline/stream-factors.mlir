// Factors that programs read once leave the L2 cache first.

// DEFINE: %{to_loops} = %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops
// RUN: %{to_loops} --fsm-stream-factors --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads | FileCheck %s
// RUN: %{to_loops} --fsm-stream-factors=target=sm_75 | FileCheck %s --check-prefix=NONE
// RUN: %{to_loops} --fsm-stream-factors --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-plan-threads --convert-fsm-to-gpu | FileCheck %s --check-prefix=GPU
// NONE-NOT: fsm.streams

// All rows of the first factor are in each program's tile, so that programs differ by the second one's columns.
// CHECK-LABEL: fsm.kernel @few_rows
// CHECK:         fsm.copy_tensor
// CHECK-NOT:     fsm.streams
// CHECK:         fsm.copy_tensor {{.*}} {fsm.stage = {{.*}} fsm.streams}
// CHECK:         fsm.return
// GPU-LABEL: gpu.func @few_rows
// GPU:         nvvm.cp.async.bulk.tensor
// GPU-NOT:     l2_cache_hint
// GPU:         %[[FIRST:.*]] = llvm.inline_asm {{.*}}createpolicy.fractional.L2::evict_first.b64
// GPU:         nvvm.cp.async.bulk.tensor{{.*}} l2_cache_hint = %[[FIRST]]
fsm.kernel @few_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.large, fsm.noalias}, %m: i32 {fsm.at_most = 64 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, %column] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// Programs may have other rows, and read the same columns.
// CHECK-LABEL: fsm.kernel @many_rows
// CHECK-NOT:     fsm.streams
// CHECK:         fsm.return
fsm.kernel @many_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.large, fsm.noalias}, %m: i32 {fsm.at_most = 65 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, %column] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// What the cache has room for may be there in the next launch.
// CHECK-LABEL: fsm.kernel @small
// CHECK-NOT:     fsm.streams
// CHECK:         fsm.return
fsm.kernel @small(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32 {fsm.at_most = 64 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, %column] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// That the loop ends within a step says nothing of rows or columns.
// CHECK-LABEL: fsm.kernel @short_steps
// CHECK-NOT:     fsm.streams
// CHECK:         fsm.return
fsm.kernel @short_steps(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.large, fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32 {fsm.at_most = 64 : i32}, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, %column] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}
