// Which comparisons fsm-plan-host-loops takes for masks of the first elements of each row, and which side of them runs along
// it: the smaller one up (1), the larger one down (-1), or neither (0). It may wrap, but not before it has met the other one,
// so that no sum needs overflow<nsw>.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s

// CHECK-LABEL: @spellings
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi sgt, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi sle, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi uge, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi ult, %{{.*}}, %{{.*}} {fsm.host_row_step = -1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi sge, %{{.*}}, %{{.*}} {fsm.host_row_step = -1 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 0 : i64} : tensor<100xi32>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi64>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<100xi8>
fsm.kernel @spellings(%n: i32, %m: i32) {
  %r = fsm.range 3, 103 : tensor<100xi32>
  %ns = fsm.splat %n : tensor<100xi32>
  %ms = fsm.splat %m : tensor<100xi32>
  %sum = arith.addi %ms, %r : tensor<100xi32>
  %far = arith.addi %sum, %ms : tensor<100xi32>
  %left = arith.subi %ns, %r : tensor<100xi32>
  %wide = arith.extsi %r : tensor<100xi32> to tensor<100xi64>
  %long = arith.extsi %n : i32 to i64
  %longs = fsm.splat %long : tensor<100xi64>
  %bytes = arith.trunci %sum : tensor<100xi32> to tensor<100xi8>
  %limits = arith.trunci %ns : tensor<100xi32> to tensor<100xi8>
  %0 = arith.cmpi slt, %sum, %ns : tensor<100xi32>
  %1 = arith.cmpi sgt, %ns, %far : tensor<100xi32>
  %2 = arith.cmpi sle, %sum, %ns : tensor<100xi32>
  %3 = arith.cmpi uge, %ns, %sum : tensor<100xi32>
  %4 = arith.cmpi ult, %ms, %left : tensor<100xi32>
  %5 = arith.cmpi sge, %left, %ms : tensor<100xi32>
  %6 = arith.cmpi slt, %ns, %ms : tensor<100xi32>
  %7 = arith.cmpi slt, %wide, %longs : tensor<100xi64>
  %8 = arith.cmpi slt, %bytes, %limits : tensor<100xi8>
  fsm.return
}

// The last elements, one element, steps of two, both sides at once, numbers from memory.
// CHECK-LABEL: @others
// CHECK-NOT:     fsm.host_row_step
// CHECK:         fsm.return
fsm.kernel @others(%p: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : tensor<200xi32>
  %ns = fsm.splat %n : tensor<200xi32>
  %two = arith.constant dense<2> : tensor<200xi32>
  %double = arith.muli %r, %two overflow<nsw> : tensor<200xi32>
  %down = arith.subi %ns, %r : tensor<200xi32>
  %x = fsm.load %p[%r] volatile : !fsm.ptr<i32>, tensor<200xi32> -> tensor<200xi32>
  %0 = arith.cmpi sge, %r, %ns : tensor<200xi32>
  %1 = arith.cmpi eq, %r, %ns : tensor<200xi32>
  %2 = arith.cmpi slt, %double, %ns : tensor<200xi32>
  %3 = arith.cmpi slt, %r, %down : tensor<200xi32>
  %4 = arith.cmpi slt, %x, %ns : tensor<200xi32>
  fsm.return
}

// Rows and columns of a matrix.
// CHECK-LABEL: @matrix
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 0 : i64} : tensor<8x64xi32>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.host_row_step = 1 : i64} : tensor<1x64xi32>
fsm.kernel @matrix(%n: i32, %m: i32) {
  %rows = fsm.range 0, 8 : tensor<8xi32>
  %row = fsm.expand_dims %rows axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %i = fsm.broadcast %row : tensor<8x1xi32> -> tensor<8x64xi32>
  %columns = fsm.range 0, 64 : tensor<64xi32>
  %column = fsm.expand_dims %columns axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %firsts = fsm.splat %m : tensor<1x64xi32>
  %j = arith.addi %firsts, %column : tensor<1x64xi32>
  %ns = fsm.splat %n : tensor<8x64xi32>
  %ms = fsm.splat %m : tensor<1x64xi32>
  %0 = arith.cmpi slt, %i, %ns : tensor<8x64xi32>
  %1 = arith.cmpi slt, %j, %ms : tensor<1x64xi32>
  fsm.return
}
