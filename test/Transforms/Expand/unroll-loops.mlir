// A loop becomes its iterations; what follows from their numbers alone is folded.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-unroll-loops))' | FileCheck %s

// CHECK-LABEL: @carried
// CHECK-NOT:     scf.for
// CHECK:         %[[X:.*]] = fsm.load
// CHECK-NEXT:    arith.constant 1 : i32
// CHECK-NEXT:    %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-NEXT:    %[[B:.*]] = arith.muli %[[X]], %[[FOUR]] : i32
// CHECK-NEXT:    %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %[[C:.*]] = arith.muli %[[B]], %[[SEVEN]] : i32
// CHECK-NEXT:    fsm.store %[[C]], %p
fsm.kernel @carried(%p: !fsm.ptr<i32>) {
  %from = arith.constant 1 : i32
  %to = arith.constant 9 : i32
  %step = arith.constant 3 : i32
  %x = fsm.load %p : !fsm.ptr<i32> -> i32
  %r = scf.for %i = %from to %to step %step iter_args(%product = %x) -> (i32) : i32 {
    %next = arith.muli %product, %i : i32
    scf.yield %next : i32
  } {fsm.unroll}
  fsm.store %r, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// The inner loop's bound is a number in each iteration of the outer one: 0 stores, 1, then 2.
// CHECK-LABEL: @triangle
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: fsm.store
// CHECK-NOT:     fsm.store
// CHECK:         fsm.return
fsm.kernel @triangle(%p: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  scf.for %i = %zero to %three step %one : i32 {
    scf.for %j = %zero to %i step %one : i32 {
      %sum = arith.addi %i, %j : i32
      fsm.store %sum, %p : i32, !fsm.ptr<i32>
    } {fsm.unroll}
  } {fsm.unroll}
  fsm.return
}

// Near the end of the type, where the next number does not fit: 120 and 125. And none at all.
// CHECK-LABEL: @ends
// CHECK-NOT:     scf.for
// CHECK:         arith.constant 5 : i8
// CHECK-NEXT:    %[[A:.*]] = arith.constant 120 : i8
// CHECK-NEXT:    fsm.store %[[A]]
// CHECK-NEXT:    %[[B:.*]] = arith.constant 125 : i8
// CHECK-NEXT:    fsm.store %[[B]]
// CHECK-NEXT:    fsm.return
fsm.kernel @ends(%p: !fsm.ptr<i8>) {
  %from = arith.constant 120 : i8
  %to = arith.constant 127 : i8
  %step = arith.constant 5 : i8
  scf.for %i = %from to %to step %step : i8 {
    fsm.store %i, %p : i8, !fsm.ptr<i8>
  } {fsm.unroll}
  scf.for %i = %to to %from step %step : i8 {
    fsm.store %i, %p : i8, !fsm.ptr<i8>
  } {fsm.unroll}
  fsm.return
}

// One without the attribute stays.
// CHECK-LABEL: @stays
// CHECK:         scf.for
fsm.kernel @stays(%p: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %one step %one : i32 {
    fsm.store %i, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}
