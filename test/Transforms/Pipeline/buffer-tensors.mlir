// Factors of a product by warp groups that a tensor map describes: one thread has boxes copied to where the product reads them.
// All threads meet first of all, and wait for a slot where the product takes it.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a remarks" --fsm-advance-loads --fsm-buffer-loads 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK-COUNT-2: remark: this load runs 2 iterations ahead, into shared memory: one thread has boxes of a tensor copied to where a product reads them
// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops --cse --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s --check-prefix=LOOP

// CHECK-LABEL: fsm.kernel @product
// CHECK-SAME:    %[[P:p]]: !fsm.ptr<f16> {{.*}}, %[[Q:q]]: !fsm.ptr<f16> {{.*}}, %[[M:m]]: i32, %[[N:n]]: i32, %[[K:k]]: i32
// CHECK:         %[[FULL:.*]] = fsm.shared_alloc : !fsm.shared<4x!fsm.mbarrier>
// CHECK-NEXT:    fsm.mbarrier_init %[[FULL]]
// CHECK:         %[[X:.*]] = fsm.shared_alloc : !fsm.shared<64x64xf16 slots 4,
// CHECK-NEXT:    %[[WM:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK:         %[[A:.*]] = fsm.tensor_map %[[P]] sizes[%[[WM]], %{{.*}}] strides[%{{.*}}] : {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         %[[Y:.*]] = fsm.shared_alloc : !fsm.shared<64x128xf16 slots 4,
// CHECK:         %[[B:.*]] = fsm.tensor_map %[[Q]] {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[PUT:.*]] = %{{.*}}, %[[TAKE:.*]] = %{{.*}}, %[[PHASE:.*]] = %{{.*}}) ->
// CHECK:           fsm.mbarrier_expect %[[FULL]][%[[PUT]]] bytes 24576 {fsm.stage = 0 : i32}
// CHECK:           fsm.copy_tensor %[[A]][%{{.*}}, %{{.*}}] into %[[X]][%[[PUT]]] mbarrier %[[FULL]] {fsm.stage = 0 : i32}
// CHECK:           fsm.copy_tensor %[[B]][%{{.*}}, %{{.*}}] into %[[Y]][%[[PUT]]] mbarrier %[[FULL]] {fsm.stage = 0 : i32}
// CHECK-NEXT:      fsm.shared_barrier <program>{{$}}
// CHECK-NEXT:      fsm.mbarrier_wait %[[FULL]][%[[TAKE]]] phase %[[PHASE]]
// CHECK-NEXT:      fsm.shared_dot %[[X]][%[[TAKE]]], %[[Y]][%[[TAKE]]], %{{.*}} inner 64 {fsm.in_flight
// CHECK:           fsm.product_limit 1
// CHECK:         return

// LOOP:          scf.for
// LOOP-NOT:        fsm.
// LOOP:            fsm.shared_barrier <program>{{$}}
// LOOP-NOT:        fsm.
// LOOP:            fsm.mbarrier_expect %{{.*}} bytes 24576 if %[[MORE:[^ ]*]]
// LOOP:            fsm.copy_tensor {{.*}} if %[[MORE]] {{.*}}mbarrier>{{$}}
// LOOP:            fsm.copy_tensor {{.*}} if %[[MORE]] {{.*}}mbarrier>{{$}}
// LOOP-NOT:        fsm.
// LOOP:            fsm.mbarrier_wait
// LOOP-NEXT:       fsm.shared_dot {{.*$}}
// LOOP-NOT:        fsm.
// LOOP:            fsm.product_limit 1
// LOOP-NEXT:       scf.yield
fsm.kernel @product(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
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
