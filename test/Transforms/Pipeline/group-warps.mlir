// Loops whose sums have no order: groups of warps of a cta share the iterations, and the first group adds up.

// RUN: %fsm_opt %s --fsm-group-warps="target=sm_90a remarks" --canonicalize --cse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %fsm_opt %s --fsm-group-warps="target=sm_90a" --canonicalize | FileCheck %s --check-prefix=QUIET
// QUIET: fsm.parts_in_cta

// A multiprocessor has registers for two programs of four warps whose threads hold 128 of blocks. They count in 64 bits.
// CHECK-LABEL: fsm.kernel @rows
// CHECK-SAME:    attributes {fsm.parts = 4 : i32, fsm.parts_in_cta, fsm.programs_per_cta = 1 : i32, num_warps = 4 : i32}
// CHECK-DAG:     %[[ID:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK-DAG:     %[[END:.*]] = arith.extsi %rows : i32 to i64
// CHECK-DAG:     %[[PROGRAMS:.*]] = fsm.num_programs x : i32
// CHECK-DAG:     %[[STEP:.*]] = arith.extsi %[[PROGRAMS]] : i32 to i64
// CHECK-DAG:     %[[PART:.*]] = fsm.part_id : i32
// CHECK-DAG:     %[[NUMBER:.*]] = arith.extsi %[[PART]] : i32 to i64
// CHECK:         %[[WAY:.*]] = arith.muli %[[STEP]], %[[NUMBER]] overflow<nsw> : i64
// CHECK:         %[[FIRST:.*]] = arith.addi %{{.*}}, %[[WAY]] overflow<nsw> : i64
// CHECK:         %[[BOTH:.*]] = arith.muli %[[STEP]], %c4_i64 overflow<nsw> : i64
// CHECK:         %[[OWN:.*]] = scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[BOTH]] iter_args(%{{.*}} = %cst)
// CHECK-NEXT:      %[[ROW:.*]] = arith.trunci %[[I]] overflow<nsw> : i64 to i32
// CHECK-NEXT:      arith.muli %[[ROW]], %stride
// CHECK:         %[[ALL:.*]] = fsm.sum_parts %[[OWN]] : tensor<4096xf32>
// CHECK-NEXT:    fsm.end_parts
// CHECK:         fsm.store %[[ALL]]
fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.noalias}, %sums: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %stride: i32, %rows: i32, %cols: i32) attributes {num_warps = 4 : i32} {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<4096xf32>
  %apart = arith.cmpi sge, %stride, %cols : i32
  fsm.assume %apart
  %r = fsm.range 0, 4096 : tensor<4096xi32>
  %n = fsm.splat %cols : tensor<4096xi32>
  %mask = arith.cmpi slt, %r, %n : tensor<4096xi32>
  // REMARK: [[#@LINE+1]]:8: remark: 4 groups of warps share this loop: a multiprocessor has room for so many programs
  %s = scf.for %row = %first to %rows step %step iter_args(%sum = %zeros) -> (tensor<4096xf32>) : i32 {
    %at = arith.muli %row, %stride overflow<nsw> : i32
    %p = fsm.offset %in, %at : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%r], %mask : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
    %most = fsm.reduce <max> %x axis 0 : tensor<4096xf32> -> f32
    %mosts = fsm.splat %most : tensor<4096xf32>
    %below = arith.subf %x, %mosts : tensor<4096xf32>
    %y = arith.mulf %below, %x : tensor<4096xf32>
    %z = arith.addf %y, %below : tensor<4096xf32>
    %q = fsm.offset %out, %at : !fsm.ptr<f32>, i32
    fsm.store %z, %q[%r], %mask : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
    %next = arith.addf %sum, %below fastmath<reassoc> : tensor<4096xf32>
    scf.yield %next : tensor<4096xf32>
  }
  %own = arith.muli %first, %stride overflow<nsw> : i32
  %o = fsm.offset %sums, %own : !fsm.ptr<f32>, i32
  fsm.store %s, %o[%r] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}

// Where the author says so, of any loop upwards and without an exchange; a counter begins some steps later.
// CHECK-LABEL: fsm.kernel @asked
// CHECK-SAME:    attributes {fsm.parts = 8 : i32, fsm.parts_in_cta, fsm.programs_per_cta = 1 : i32, num_warps = 1 : i32}
// CHECK:         %[[PART:.*]] = fsm.part_id : i32
// CHECK:         %[[MORE:.*]] = arith.muli %[[PART]], %c64_i32 : i32
// CHECK:         %[[P:.*]] = fsm.offset %in, %[[MORE]]
// CHECK:         scf.for %{{.*}} step %c8_i64 iter_args(%{{.*}} = %cst, %[[Q:.*]] = %[[P]])
// CHECK:           fsm.offset %[[Q]], %c512_i32
fsm.kernel @asked(%sums: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 64 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // REMARK: [[#@LINE+1]]:14: remark: 8 groups of warps share this loop: 'fsm.warp_groups' says so
  %s, %end = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %p = %in) -> (tensor<64xi32>, !fsm.ptr<i32>) : i32 {
    %x = fsm.load %p[%r] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %next = arith.addi %sum, %x : tensor<64xi32>
    %q = fsm.offset %p, %width : !fsm.ptr<i32>, i32
    scf.yield %next, %q : tensor<64xi32>, !fsm.ptr<i32>
  } {fsm.warp_groups = 8 : i32}
  fsm.store %s, %sums[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
