// Two exchanges in each round of a loop arrive at an mbarrier each, whose phase the loop carries; who has waited for one lets the
// other ones' memory be stored to again.

// RUN: %fsm_opt %s --split-input-file --fsm-stage-exchanges | FileCheck %s
// RUN: %fsm_opt %s --split-input-file --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s --check-prefix=ORDERED

#wide = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = [[64]]>

// CHECK-LABEL: fsm.kernel @two
// CHECK-DAG:     fsm.mbarrier_init %[[ONE:.*]] bytes 16 : !fsm.shared<1x!fsm.mbarrier>
// CHECK-DAG:     fsm.mbarrier_init %[[OTHER:.*]] bytes 16 : !fsm.shared<1x!fsm.mbarrier>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[TURN:.*]] = %c0_i32{{.*}}) -> (f32, i32)
// CHECK:           fsm.reduce <sum>
// CHECK:             fsm.mbarrier_expect %[[FIRST:.*]][%[[ZERO:.*]]] bytes 16
// CHECK:             fsm.shared_store %{{.*}}, %{{.*}} arriving %[[FIRST]]
// CHECK-NEXT:        fsm.mbarrier_wait %[[FIRST]][%[[ZERO]]] phase %[[TURN]]
// CHECK:           fsm.reduce <max>
// CHECK:             fsm.mbarrier_expect %[[SECOND:.*]][%[[ZERO:.*]]] bytes 16
// CHECK:             fsm.shared_store %{{.*}}, %{{.*}} arriving %[[SECOND]]
// CHECK-NEXT:        fsm.mbarrier_wait %[[SECOND]][%[[ZERO]]] phase %[[TURN]]
// CHECK:           %[[NEXT:.*]] = arith.xori %[[TURN]], %c1_i32
// CHECK:           scf.yield %{{.*}}, %[[NEXT]] : f32, i32
// ORDERED-LABEL: fsm.kernel @two
// ORDERED-NOT:   barrier <program>
// ORDERED:       fsm.return
fsm.kernel @two(%out: !fsm.ptr<f32>, %x: f32, %n: i32) attributes {num_warps = 2 : i32, num_ctas = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) : i32 {
    %b = fsm.splat %s : tensor<128xf32, #wide>
    %t = fsm.reduce <sum> %b axis 0 : tensor<128xf32, #wide> -> f32
    %u = fsm.reduce <max> %b axis 0 : tensor<128xf32, #wide> -> f32
    %v = arith.addf %t, %u : f32
    scf.yield %v : f32
  }
  fsm.store %r, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

#wide = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = [[64]]>
#half = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = [[0]]>

// Not where one of them does: nobody would know that all have read its memory. Nor where the block of the other one is in both
// ctas, of which one alone stores.
// CHECK-LABEL: fsm.kernel @one
// CHECK-NOT:     mbarrier
// CHECK:         fsm.return
// ORDERED-LABEL: fsm.kernel @one
// ORDERED:       barrier <program>
fsm.kernel @one(%out: !fsm.ptr<f32>, %x: f32, %n: i32) attributes {num_warps = 2 : i32, num_ctas = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) : i32 {
    %b = fsm.splat %s : tensor<128xf32, #wide>
    %t = fsm.reduce <sum> %b axis 0 : tensor<128xf32, #wide> -> f32
    %c = fsm.splat %t : tensor<64xf32, #half>
    %u = fsm.reduce <max> %c axis 0 : tensor<64xf32, #half> -> f32
    scf.yield %u : f32
  }
  fsm.store %r, %out : f32, !fsm.ptr<f32>
  fsm.return
}
