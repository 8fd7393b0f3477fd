// Quotients and remainders whose divisor a loop does not change are products by its reciprocal, which is found in front of the outermost
// loop that changes the dividend.

// RUN: %fsm_opt %s --fsm-divide-once | FileCheck %s

// Of unsigned numbers nothing has a sign.
// CHECK-LABEL: @quotients
// CHECK-SAME:    %[[D:[^:]*]]: i32
// CHECK-DAG:     %[[M:.*]] = arith.maxui %[[D]], %{{.*}} : i32
// CHECK:         %[[R:.*]] = arith.divui %{{.*}}, %[[M]] : i32
// CHECK-NOT:     arith.divui
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK-DAG:         %[[NW:.*]] = arith.extui %[[N:.*]] : i32 to i64
// CHECK-DAG:         %[[RW:.*]] = arith.extui %[[R]] : i32 to i64
// CHECK:             arith.muli %[[NW]], %[[RW]] : i64
// CHECK:             %[[Q:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:             %[[P:.*]] = arith.muli %[[Q]], %[[M]] : i32
// CHECK:             %[[L:.*]] = arith.subi %[[N]], %[[P]] : i32
// CHECK:             %[[C:.*]] = arith.cmpi uge, %[[L]], %[[M]] : i32
// CHECK:             %[[Q1:.*]] = arith.addi %[[Q]], %{{.*}} : i32
// CHECK:             arith.select %[[C]], %[[Q1]], %[[Q]] : i32
// CHECK-NOT:         arith.divui
// CHECK-NOT:         arith.remui
// CHECK:         fsm.return
fsm.kernel @quotients(%d: i32, %n: i32, %p: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %i step %one : i32 {
      %sum = arith.addi %i, %j : i32
      %q = arith.divui %sum, %d : i32
      %r = arith.remui %sum, %d : i32
      fsm.store %q, %p : i32, !fsm.ptr<i32>
      fsm.store %r, %p : i32, !fsm.ptr<i32>
    }
  }
  fsm.return
}

// What stays: a divisor that the loop changes, a constant, what no loop changes, 64 bits. A divisor of the outer loop is one for the inner.
// CHECK-LABEL: @others
// CHECK:         arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           arith.divui %{{.*}}, %{{.*}} : i32
// CHECK:           scf.for
// CHECK-COUNT-2:     arith.div{{[su]}}i %{{.*}}, %{{.*}} : i{{32|64}}
// CHECK-NOT:         arith.divsi
// CHECK:             arith.muli %{{.*}}, %{{.*}} : i64
// CHECK-NOT:         arith.divsi
// CHECK:         fsm.return
fsm.kernel @others(%d: i32, %n: i32, %w: i64, %p: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %q0 = arith.divsi %n, %d : i32
  fsm.store %q0, %p : i32, !fsm.ptr<i32>
  scf.for %i = %one to %n step %one : i32 {
    scf.for %j = %zero to %i step %one : i32 {
      %q2 = arith.divsi %j, %seven : i32
      %wide = arith.extsi %j : i32 to i64
      %q3 = arith.divsi %wide, %w : i64
      %low = arith.trunci %q3 : i64 to i32
      %q4 = arith.divsi %j, %i : i32
      fsm.store %q2, %p : i32, !fsm.ptr<i32>
      fsm.store %low, %p : i32, !fsm.ptr<i32>
      fsm.store %q4, %p : i32, !fsm.ptr<i32>
    }
  }
  fsm.return
}
