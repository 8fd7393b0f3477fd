// Where a thread has no registers for all blocks that run ahead, it takes each from its slot where it is used, behind a wait that
// stands there, and the next ones are copied behind the last of these.

// RUN: %fsm_opt %s --fsm-schedule-loops="target=sm_90a remarks" --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir

#flat = #fsm.layout<register = [[1], [2], [128], [256], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// Of 255 registers the sum leaves 191, and four blocks have 64 words each.
// REMARK-COUNT-4: remark: this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time
// REMARK:         remark: a thread takes each block from its slot where it is used

// CHECK-LABEL: fsm.kernel @four
// CHECK-COUNT-4: fsm.copy_async
// CHECK:         scf.for
// CHECK-NOT:       fsm.copy
// CHECK:           fsm.store
// CHECK-NEXT:      fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_load
// CHECK:           arith.addf
// CHECK:           fsm.shared_load
// CHECK:           arith.mulf
// CHECK:           fsm.shared_load
// CHECK:           arith.addf
// CHECK:           fsm.shared_load
// CHECK-COUNT-4:   fsm.copy_async
// CHECK:           fsm.copy_commit
// CHECK:           arith.mulf
// CHECK:           scf.yield
fsm.kernel @four(%out: !fsm.ptr<f32> {fsm.noalias}, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %c: !fsm.ptr<f32>, %d: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %program = fsm.program_id x : i32
  %rows = arith.muli %program, %n : i32
  %o = fsm.range 0, 2048 : tensor<2048xi32, #flat>
  %none = arith.constant dense<1.0> : tensor<2048xf32, #flat>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<2048xf32, #flat> : i32 {
    %row = arith.addi %rows, %i : i32
    %at = arith.muli %row, %size : i32
    %to = fsm.offset %out, %at : !fsm.ptr<f32>, i32
    fsm.store %s, %to[%o] : tensor<2048xf32, #flat>, !fsm.ptr<f32>, tensor<2048xi32, #flat>
    %pa = fsm.offset %a, %at : !fsm.ptr<f32>, i32
    %x = fsm.load %pa[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<2048xi32, #flat> -> tensor<2048xf32, #flat>
    %s1 = arith.addf %s, %x : tensor<2048xf32, #flat>
    %pb = fsm.offset %b, %at : !fsm.ptr<f32>, i32
    %y = fsm.load %pb[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<2048xi32, #flat> -> tensor<2048xf32, #flat>
    %s2 = arith.mulf %s1, %y : tensor<2048xf32, #flat>
    %pc = fsm.offset %c, %at : !fsm.ptr<f32>, i32
    %z = fsm.load %pc[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<2048xi32, #flat> -> tensor<2048xf32, #flat>
    %s3 = arith.addf %s2, %z : tensor<2048xf32, #flat>
    %pd = fsm.offset %d, %at : !fsm.ptr<f32>, i32
    %w = fsm.load %pd[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<2048xi32, #flat> -> tensor<2048xf32, #flat>
    %s4 = arith.mulf %s3, %w : tensor<2048xf32, #flat>
    scf.yield %s4 : tensor<2048xf32, #flat>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.return
}
