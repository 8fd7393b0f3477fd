// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-guard-asserts))' | FileCheck %s

// What stands behind depends on all elements.
// CHECK-LABEL: fsm.kernel @block
fsm.kernel @block(%p: !fsm.ptr<i32>, %i: i32) {
  %x = fsm.splat %i : tensor<4x8xi32>
  %m = arith.cmpi slt, %x, %x : tensor<4x8xi32>
  // CHECK: fsm.assert %[[M:.*]], "m"
  // CHECK: %[[ROWS:.*]] = fsm.reduce <and> %[[M]] axis 1 : tensor<4x8xi1> -> tensor<4xi1>
  // CHECK: %[[ALL:.*]] = fsm.reduce <and> %[[ROWS]] axis 0 : tensor<4xi1> -> i1
  // CHECK: scf.if %[[ALL]] {
  // CHECK-NEXT: fsm.store
  // CHECK-NEXT: }
  // CHECK-NEXT: fsm.return
  fsm.assert %m, "m" : tensor<4x8xi1>
  fsm.store %i, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// The last op of a program needs nothing.
// CHECK-LABEL: fsm.kernel @last
// CHECK-NOT: fsm.reduce
// CHECK-NOT: = scf.if
// CHECK: fsm.return
fsm.kernel @last(%c: i1, %i: i32) {
  %x = fsm.splat %i : tensor<4xi32>
  %m = arith.cmpi slt, %x, %x : tensor<4xi32>
  scf.if %c {
    fsm.assert %m, "m" : tensor<4xi1>
  }
  fsm.return
}

// A loop carries whether the program runs on, and its body asks first.
// CHECK-LABEL: fsm.kernel @for
fsm.kernel @for(%p: !fsm.ptr<i32>, %n: i32, %c: i1) {
  %0 = arith.constant 0 : i32
  // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[ON:.*]] = %true{{.*}}) -> (i32, i1)
  // CHECK:   %[[BODY:.*]]:2 = scf.if %[[ON]] -> (i32, i1) {
  // CHECK:     fsm.assert %[[C:.*]], "c" : i1
  // CHECK:     %[[REST:.*]] = scf.if %[[C]] -> (i32) {
  // CHECK:       %[[B:.*]] = arith.addi
  // CHECK:       scf.yield %[[B]] : i32
  // CHECK:     } else {
  // CHECK:       scf.yield %{{.*}} : i32
  // CHECK:     }
  // CHECK:     scf.yield %[[REST]], %[[C]] : i32, i1
  // CHECK:   } else {
  // CHECK:     scf.yield %{{.*}}, %false{{.*}} : i32, i1
  // CHECK:   }
  // CHECK:   scf.yield %[[BODY]]#0, %[[BODY]]#1 : i32, i1
  // CHECK: {fsm.num_stages = 2 : i32}
  %s = scf.for %i = %0 to %n step %n iter_args(%a = %0) -> (i32) : i32 {
    fsm.assert %c, "c" : i1
    %b = arith.addi %a, %i : i32
    scf.yield %b : i32
  } {fsm.num_stages = 2 : i32}
  // CHECK: scf.if %[[LOOP]]#1 {
  // CHECK:   fsm.store %[[LOOP]]#0
  fsm.store %s, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// A branch without asserts goes on.
// CHECK-LABEL: fsm.kernel @if
fsm.kernel @if(%p: !fsm.ptr<i32>, %n: i32, %c: i1) {
  // CHECK: %[[ON:.*]] = scf.if %{{.*}} -> (i1) {
  // CHECK:   fsm.assert %[[C:.*]], "c" : i1
  // CHECK:   scf.yield %[[C]] : i1
  // CHECK: } else {
  // CHECK:   %[[TRUE:.*]] = arith.constant true
  // CHECK:   scf.yield %[[TRUE]] : i1
  // CHECK: }
  // CHECK: scf.if %[[ON]] {
  // CHECK:   fsm.store
  scf.if %c {
    fsm.assert %c, "c" : i1
  }
  fsm.store %n, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// A while loop ends.
// CHECK-LABEL: fsm.kernel @while
fsm.kernel @while(%p: !fsm.ptr<i32>, %n: i32, %c: i1) {
  // CHECK: %[[LOOP:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}, %[[ON:.*]] = %true{{.*}}) : (i32, i1) -> (i32, i1) {
  // CHECK:   %[[MORE:.*]] = scf.if %[[ON]] -> (i1) {
  // CHECK:   %[[GOES:.*]] = arith.andi %[[MORE]], %[[ON]] : i1
  // CHECK:   scf.condition(%[[GOES]]) %[[I]], %[[ON]] : i32, i1
  // CHECK: ^bb0(%[[J:.*]]: i32, %{{.*}}: i1):
  // CHECK:   fsm.assert %[[C:.*]], "c" : i1
  // CHECK:   %[[K:.*]] = scf.if %[[C]] -> (i32)
  // CHECK:   scf.yield %[[K]], %[[C]] : i32, i1
  %e = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    fsm.assert %c, "c" : i1
    %k = arith.addi %j, %n : i32
    scf.yield %k : i32
  }
  // CHECK: scf.if %[[LOOP]]#1 {
  // CHECK:   fsm.store %[[LOOP]]#0
  fsm.store %e, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @none
// CHECK-NOT: scf.if
// CHECK: fsm.return
fsm.kernel @none(%i: i32) {
  fsm.print "i" %i : i32
  fsm.return
}
