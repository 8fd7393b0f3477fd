// Of a program on several ctas each has slots for what it holds itself: threads copy and read their own elements.

// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --fsm-advance-loads --fsm-buffer-loads --fsm-allocate-shared --split-input-file 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt

// REMARK:      remark: this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time
// REMARK:      remark: this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time
// REMARK:      remark: this load runs 1 iteration ahead, into registers: several threads hold each element

// The second cta has the columns from 512 on, at the same offsets.
// CHECK-DAG: #[[HALF:.*]] = #fsm.layout<offset = {{\[\[1], \[2], \[4], \[8], \[16], \[32], \[64], \[128], \[256]]}}>
#half = #fsm.layout<register = [[1], [2], [128], [256]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[512]]>
// CHECK-LABEL: fsm.kernel @row
// CHECK-SAME:    fsm.shared_bytes = 2048 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1024xf32 slots 1, #[[HALF]]>
fsm.kernel @row(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_ctas = 2 : i32, num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 1024 : tensor<1024xi32, #half>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<1024xi32, #half> -> tensor<1024xf32, #half>
    fsm.store %x, %q[%o] : tensor<1024xf32, #half>, !fsm.ptr<f32>, tensor<1024xi32, #half>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// Neighbouring lines in turn; of 781 columns the first cta has 397, of which the last register of the second has none that is live.
// CHECK-DAG: #[[TURN:.*]] = #fsm.layout<offset = {{\[\[1], \[2], \[4], \[8], \[16], \[32], \[64], \[256], \[512]]}}>
#turn = #fsm.layout<register = [[1], [2], [256], [512]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>
// CHECK-LABEL: fsm.kernel @turn
// CHECK-SAME:    fsm.shared_bytes = 2048 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<896xf32 slots 1, #[[TURN]]>
fsm.kernel @turn(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_ctas = 2 : i32, num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 781 : tensor<781xi32, #turn>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<781xi32, #turn> -> tensor<781xf32, #turn>
    fsm.store %x, %q[%o] : tensor<781xf32, #turn>, !fsm.ptr<f32>, tensor<781xi32, #turn>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// Both ctas hold the same.
#both = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[0]]>
// CHECK-LABEL: fsm.kernel @both
// CHECK-NOT:     fsm.shared_alloc
fsm.kernel @both(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_ctas = 2 : i32, num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #both>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #both> -> tensor<128xf32, #both>
    fsm.store %x, %q[%o] : tensor<128xf32, #both>, !fsm.ptr<f32>, tensor<128xi32, #both>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
