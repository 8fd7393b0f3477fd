// Copies of tensors that warps of their own begin: these wait for an empty slot, and products for a full one. No iteration meets.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always remarks" --fsm-expand-loops --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared --fsm-verify-roles 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: [[#@LINE+59]]:8: remark: warps of their own begin the copies of this loop
// REMARK: [[#@LINE+81]]:8: remark: warps of their own begin the copies of this loop
// REMARK: remark: warps of their own begin the copies of this loop

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a remarks" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=RULE
// RULE: remark: the warps of this loop begin its copies themselves: its products take longer than its warps need to meet
// RULE: remark: warps of their own begin the copies of this loop
// RULE: remark: the warps of this loop begin its copies themselves: another cta hides its waits
// Programs of a cluster load for one another by roles alone.
// RUN: sed 's/attributes {num_warps = 8/attributes {fsm.cluster = 2 : i32, num_warps = 8/' %s | %fsm_opt --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIR
// PAIR-NOT: its products take longer
// PAIR-COUNT-2: remark: warps of their own begin the copies of this loop
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// KEPT-LABEL: fsm.kernel @product
// KEPT-NOT:     fsm.load_role
// KEPT:         fsm.stages

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=never remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER-COUNT-3: remark: the warps of this loop begin its copies themselves: 'roles' says so

// Behind a loop that is entered once nothing is left to give back.
// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always" | awk '{print} /mbarrier_init.*arrivals/ {empty = $2; type = $6} /product_wait/ && !n++ {print "fsm.mbarrier_arrive " empty "[%zero] : " type}' | sed '/fsm.kernel/s/$/\n%zero = arith.constant 0 : i32/' | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: error: expected no slot to be given back behind the loop, where all have been

// RUN: not %fsm_opt %s --fsm-split-roles="target=sm_90a roles=often" 2>&1 | FileCheck %s --check-prefix=OFTEN
// OFTEN: error: expected roles 'auto', 'always' or 'never', got 'often'

// CHECK-LABEL: fsm.kernel @product
// CHECK:         %[[FULL:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<4x!fsm.mbarrier>
// CHECK-NEXT:    fsm.mbarrier_init %[[FULL]] : !fsm.shared<4x!fsm.mbarrier>
// CHECK:         %[[EMPTY:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<4x!fsm.mbarrier>
// CHECK-NEXT:    fsm.mbarrier_init %[[EMPTY]] arrivals 8 : !fsm.shared<4x!fsm.mbarrier>
// CHECK:         %[[X:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<128x64xf16 slots 4,
// CHECK:         %[[Y:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x256xf16 slots 4,
// CHECK:         fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.load_role registers 24 others 240 {
// CHECK:           scf.for {{.*}} iter_args(%[[PUT:.*]] = %{{.*}}, %[[FREE:.*]] = %c1_i32
// CHECK:             fsm.mbarrier_wait %[[EMPTY]][%[[PUT]]] phase %[[FREE]]
// CHECK-NEXT:        fsm.mbarrier_expect %[[FULL]][%[[PUT]]] bytes 49152 :
// CHECK:             fsm.copy_tensor {{.*}} into %[[X]][%[[PUT]]] mbarrier %[[FULL]] :
// CHECK:             fsm.copy_tensor {{.*}} into %[[Y]][%[[PUT]]] mbarrier %[[FULL]] :
// CHECK:         scf.for %[[I:.*]] = %[[FIRST:.*]] to {{.*}}, %[[TAKE:[^,]*]] = %c0_i32, %[[PHASE:[^,]*]] = %c0_i32, %[[OLD:[^,]*]] = %c0_i32) ->
// CHECK-NOT:       fsm.
// CHECK:           fsm.mbarrier_wait %[[FULL]][%[[TAKE]]] phase %[[PHASE]]
// CHECK-NEXT:      fsm.shared_dot %[[X]][%[[TAKE]]], %[[Y]][%[[TAKE]]], %{{.*}} inner 64 {fsm.in_flight{{.*$}}
// CHECK-NOT:       fsm.
// CHECK:           fsm.product_limit 1
// CHECK-NEXT:      %[[LATER:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
// CHECK-NEXT:      fsm.mbarrier_arrive %[[EMPTY]][%[[OLD]]] if %[[LATER]]
// CHECK-NEXT:      scf.yield {{.*}}, %[[TAKE]] :
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.product_wait
fsm.kernel @product(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %tall = arith.constant 128 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %tall overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x256xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<128x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x256xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x256xi32> -> tensor<64x256xf16>
    %next = fsm.dot %x, %y, %sum : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [256, 1] : tensor<128x256xi32>
  fsm.store %d, %out[%at] : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  fsm.return
}

// One alone has registers enough: none are handed on.
// CHECK-LABEL: fsm.kernel @one_group
// CHECK:         arrivals 4
// CHECK:         fsm.load_role {
fsm.kernel @one_group(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 4 : i32, fsm.forced_stages}
  %at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %d, %out[%at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}

// With fewer slots two such ctas have room, each with half of the registers.
// CHECK-LABEL: fsm.kernel @two_ctas
// CHECK:         fsm.load_role registers 24 others 232 {
fsm.kernel @two_ctas(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %d, %out[%at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}
