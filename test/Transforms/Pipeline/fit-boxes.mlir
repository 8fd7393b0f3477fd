// Boxes end where their tensor does, if each launch knows that it does so within a tile.

// DEFINE: %{to_loops} = %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads
// RUN: %{to_loops} --fsm-split-roles="target=sm_90a roles=always" --fsm-share-copies --fsm-expand-loops --fsm-fit-boxes --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared --fsm-verify-roles | FileCheck %s --check-prefixes=CHECK,ROLES
// RUN: %{to_loops} --fsm-split-roles="target=sm_90a roles=never" --fsm-share-copies --fsm-expand-loops --fsm-fit-boxes --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

// Of 63 rows at most there are fewer than the tile has; of the inner extent nobody knows. All threads clear what is behind, and
// meet in front of the copies: where warps part, which they do anyway.
// CHECK-LABEL: fsm.kernel @few_rows
// CHECK:         %[[A:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x64xf16 slots 4
// CHECK:         %[[MAP:.*]] = fsm.tensor_map %p {{.*}} box_ends : {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK-NEXT:    fsm.clear_lines %[[A]] by %[[MAP]] :
// CHECK:         fsm.tensor_map %q sizes[%{{[^ ]*}}, %{{[^ ]*}}] strides[%{{[^ ]*}}] : {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         fsm.shared_barrier <program> fence
// ROLES-NEXT:    fsm.load_role
// ROLES-NOT:     fsm.shared_barrier
// CHECK:           fsm.mbarrier_expect {{.*}} bytes 16384
// CHECK:         fsm.return
fsm.kernel @few_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32 {fsm.at_most = 63 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
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

// A tile may be full, so that a box is as long as that.
// CHECK-LABEL: fsm.kernel @all_rows
// CHECK-NOT:     {{box_ends|clear_lines|barrier.* fence}}
// CHECK:         fsm.return
fsm.kernel @all_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32 {fsm.at_most = 64 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
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

// The neighbours of a cluster each copy lines of the box that is the same in both.
// CHECK-LABEL: fsm.kernel @shared_rows
// ROLES-NOT:     {{box_ends|clear_lines}}
// CHECK:         fsm.return
fsm.kernel @shared_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32 {fsm.at_most = 63 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {fsm.cluster = 2 : i32, num_warps = 4 : i32} {
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
