// Products by multiply-adds read slots as well, where threads find chunks of 16 bytes in them: lines of either factor along the
// inner dimension, or along the other one where a thread's sums are neighbours there.

// RUN: %fsm_opt %s --split-input-file --fsm-stage-exchanges --fsm-schedule-loops="target=sm_80 remarks" --fsm-advance-loads --fsm-buffer-loads --verify-diagnostics | FileCheck %s

#w = #fsm.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#sums = #fsm.layout<register = [[0, 1], [0, 2], [1, 0]], lane = [[2, 0], [0, 4], [0, 8], [4, 0], [8, 0]], warp = [], cta = []>

// Lanes are two rows apart, so bits 1 to 3 of the line choose banks: two of them exchange chunks, the third one lines of 64
// bytes. The other factor is read along its lines, and exchanges nothing.
// CHECK-DAG: #[[A:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[1, 0], \[2, 4], \[4, 8], \[9, 0]]}}>
// CHECK-DAG: #[[B:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[1, 0], \[2, 0], \[4, 0], \[8, 0]]}}>
// CHECK-LABEL: fsm.kernel @both
// CHECK-DAG:     %[[X:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 3, #[[A]]>
// CHECK-DAG:     %[[Y:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 3, #[[B]]>
// CHECK-NOT:     fsm.shared_alloc
// CHECK:         scf.for
// CHECK:           fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NOT:       fsm.shared_barrier
// CHECK-NOT:       fsm.shared_store
// CHECK:           fsm.shared_dot %[[X]][%[[TAKE:.*]]], %[[Y]][%[[TAKE]]], %{{.*}} inner 16 :
// CHECK:         return
fsm.kernel @both(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #sums>
  %o = arith.constant dense<0> : tensor<16x16xi32, #w>
  %q = arith.constant dense<0> : tensor<16x16xi32, #w>
  %s = arith.constant dense<0> : tensor<16x16xi32, #sums>
  %c = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<16x16xf32, #sums>) : i32 {
    %from = fsm.offset %a, %i : !fsm.ptr<f32>, i32
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #w> -> tensor<16x16xf32, #w>
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %y = fsm.load %b[%q] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #w> -> tensor<16x16xf32, #w>
    %next = fsm.dot %x, %y, %sum precision = ieee : tensor<16x16xf32, #w>, tensor<16x16xf32, #w> -> tensor<16x16xf32, #sums>
    scf.yield %next : tensor<16x16xf32, #sums>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store %c, %out[%s] : tensor<16x16xf32, #sums>, !fsm.ptr<f32>, tensor<16x16xi32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#v = #fsm.layout<register = [[1, 0], [2, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [], cta = []>
#sums = #fsm.layout<register = [[0, 1], [0, 2], [1, 0]], lane = [[2, 0], [0, 4], [0, 8], [4, 0], [8, 0]], warp = [], cta = []>

// The other way around: columns of the left factor, of which a thread has two neighbours in each, and rows of the transposed
// right one, whose lanes are four columns apart.
// CHECK-DAG: #[[A:.*]] = #fsm.layout<offset = {{\[\[1, 0], \[2, 0], \[4, 0], \[8, 0], \[0, 1], \[0, 2], \[0, 4], \[0, 8]]}}>
// CHECK-DAG: #[[B:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[1, 0], \[2, 0], \[4, 4], \[8, 8]]}}>
// CHECK-LABEL: fsm.kernel @transposed
// CHECK-DAG:     %[[X:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 3, #[[A]]>
// CHECK-DAG:     %[[Y:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 3, #[[B]]>
// CHECK:         scf.for
// CHECK-NOT:       fsm.transpose
// CHECK:           fsm.shared_dot %[[X]][%[[TAKE:.*]]], %[[Y]][%[[TAKE]]], %{{.*}} inner 16 {right_transposed}
// CHECK:         return
fsm.kernel @transposed(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #sums>
  %o = arith.constant dense<0> : tensor<16x16xi32, #v>
  %q = arith.constant dense<0> : tensor<16x16xi32, #w>
  %s = arith.constant dense<0> : tensor<16x16xi32, #sums>
  %c = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<16x16xf32, #sums>) : i32 {
    %from = fsm.offset %a, %i : !fsm.ptr<f32>, i32
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #v> -> tensor<16x16xf32, #v>
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %y = fsm.load %b[%q] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #w> -> tensor<16x16xf32, #w>
    %t = fsm.transpose %y order [1, 0] : tensor<16x16xf32, #w> -> tensor<16x16xf32, #v>
    %next = fsm.dot %x, %t, %sum precision = ieee : tensor<16x16xf32, #v>, tensor<16x16xf32, #v> -> tensor<16x16xf32, #sums>
    scf.yield %next : tensor<16x16xf32, #sums>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store %c, %out[%s] : tensor<16x16xf32, #sums>, !fsm.ptr<f32>, tensor<16x16xi32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#v = #fsm.layout<register = [[1, 0], [2, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [], cta = []>
#sums = #fsm.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

// A thread's rows are apart, so it would read columns element by element: the left factor is stored in rows. Threads have taken
// it in front of the next copies, which need no slot more for that.
// CHECK-LABEL: fsm.kernel @apart
// CHECK:         %[[X:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 2,
// CHECK:         %[[Y:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf32 slots 3,
// CHECK:         scf.for
// CHECK:           %[[TAKEN:.*]] = fsm.shared_load %[[X]]
// CHECK:           fsm.shared_store %{{.*}}, %[[ROWS:.*]] :
// CHECK:           fsm.shared_dot %[[ROWS]], %[[Y]][%{{.*}}], %{{.*}} inner 16 :
// CHECK:         return
fsm.kernel @apart(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #sums>
  %o = arith.constant dense<0> : tensor<16x16xi32, #v>
  %q = arith.constant dense<0> : tensor<16x16xi32, #w>
  %s = arith.constant dense<0> : tensor<16x16xi32, #sums>
  %c = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<16x16xf32, #sums>) : i32 {
    %from = fsm.offset %a, %i : !fsm.ptr<f32>, i32
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #v> -> tensor<16x16xf32, #v>
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %y = fsm.load %b[%q] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x16xi32, #w> -> tensor<16x16xf32, #w>
    %next = fsm.dot %x, %y, %sum precision = ieee : tensor<16x16xf32, #v>, tensor<16x16xf32, #w> -> tensor<16x16xf32, #sums>
    scf.yield %next : tensor<16x16xf32, #sums>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store %c, %out[%s] : tensor<16x16xf32, #sums>, !fsm.ptr<f32>, tensor<16x16xi32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 0, 1], [0, 0, 2], [0, 8, 0], [1, 0, 0]], lane = [[0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [], cta = []>
#sums = #fsm.layout<register = [[0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 0, 0]], lane = [[0, 2, 0], [0, 0, 4], [0, 0, 8], [0, 4, 0], [0, 8, 0]], warp = [], cta = []>

// Of a batch, one matrix lies behind the other.
// CHECK-DAG: #[[A:.*]] = #fsm.layout<offset = {{\[\[0, 0, 1], \[0, 0, 2], \[0, 0, 4], \[0, 0, 8], \[0, 1, 0], \[0, 2, 4], \[0, 4, 8], \[0, 9, 0], \[1, 0, 0]]}}>
// CHECK-LABEL: fsm.kernel @batch
// CHECK:         %[[X:.*]] = fsm.shared_alloc : !fsm.shared<2x16x16xf32 slots 3, #[[A]]>
// CHECK:         fsm.shared_dot %[[X]][%[[TAKE:.*]]], %{{.*}}[%[[TAKE]]], %{{.*}} inner 16 :
// CHECK:         return
fsm.kernel @batch(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<2x16x16xf32, #sums>
  %o = arith.constant dense<0> : tensor<2x16x16xi32, #w>
  %q = arith.constant dense<0> : tensor<2x16x16xi32, #w>
  %s = arith.constant dense<0> : tensor<2x16x16xi32, #sums>
  %c = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<2x16x16xf32, #sums>) : i32 {
    %from = fsm.offset %a, %i : !fsm.ptr<f32>, i32
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 2 : i32} : !fsm.ptr<f32>, tensor<2x16x16xi32, #w> -> tensor<2x16x16xf32, #w>
    // expected-remark @below {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them}}
    %y = fsm.load %b[%q] {fsm.access_width = 4 : i32, fsm.access_dim = 2 : i32} : !fsm.ptr<f32>, tensor<2x16x16xi32, #w> -> tensor<2x16x16xf32, #w>
    %next = fsm.dot %x, %y, %sum precision = ieee : tensor<2x16x16xf32, #w>, tensor<2x16x16xf32, #w> -> tensor<2x16x16xf32, #sums>
    scf.yield %next : tensor<2x16x16xf32, #sums>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store %c, %out[%s] : tensor<2x16x16xf32, #sums>, !fsm.ptr<f32>, tensor<2x16x16xi32, #sums>
  fsm.return
}
