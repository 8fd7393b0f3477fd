// Factors that run ahead are copied to where the product reads them: a slot more than iterations ahead, one barrier behind the
// wait, and neither stores nor memory of the product's own.

// RUN: %fsm_opt %s --split-input-file --fsm-stage-exchanges --fsm-schedule-loops="target=sm_80 remarks" --fsm-advance-loads --fsm-buffer-loads --verify-diagnostics | FileCheck %s

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
#v = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

// Chunks of lines of 32 bytes are exchanged by bit 2 of the line; a line of 16 bytes is one chunk.
// CHECK-DAG: #[[A:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[1, 0], \[2, 0], \[4, 8], \[8, 0]]}}>
// CHECK-DAG: #[[B:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[1, 0], \[2, 0], \[4, 0], \[8, 0]]}}>
// CHECK-LABEL: fsm.kernel @both
// CHECK-DAG:     %[[X:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf16 slots 3, #[[A]]>
// CHECK-DAG:     %[[Y:.*]] = fsm.shared_alloc : !fsm.shared<16x8xf16 slots 3, #[[B]]>
// CHECK-NOT:     fsm.shared_alloc
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[PUT:.*]] = %{{.*}}, %[[TAKE:.*]] = %{{.*}}) ->
// CHECK:           fsm.copy_async %{{.*}} into %[[X]][%[[PUT]]]
// CHECK:           fsm.copy_async %{{.*}} into %[[Y]][%[[PUT]]]
// CHECK:           fsm.copy_commit
// CHECK-NEXT:      fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NOT:       fsm.shared_barrier
// CHECK-NOT:       fsm.shared_store
// CHECK:           fsm.shared_dot %[[X]][%[[TAKE]]], %[[Y]][%[[TAKE]]], %{{.*}} inner 16 {fsm.mma
// CHECK-NOT:       fsm.shared_dot
// CHECK:         return
fsm.kernel @both(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #sums>
  %o = arith.constant dense<0> : tensor<16x16xi32, #w>
  %q2 = arith.constant dense<0> : tensor<16x8xi32, #sums>
  %q = arith.constant dense<0> : tensor<16x8xi32, #v>
  %c = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<16x8xf32, #sums>) : i32 {
    %from = fsm.offset %a, %i : !fsm.ptr<f16>, i32
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %x = fsm.load %from[%o] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w> -> tensor<16x16xf16, #w>
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 8 bytes at a time, to where a product reads them}}
    %y = fsm.load %b[%q] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x8xi32, #v> -> tensor<16x8xf16, #v>
    %next = fsm.dot %x, %y, %sum {fsm.mma = array<i64: 16, 8, 16>} : tensor<16x16xf16, #w>, tensor<16x8xf16, #v> -> tensor<16x8xf32, #sums>
    scf.yield %next : tensor<16x8xf32, #sums>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store %c, %out[%q2] : tensor<16x8xf32, #sums>, !fsm.ptr<f32>, tensor<16x8xi32, #sums>
  fsm.return
}
