// What a loop around products reads of a list is read in the iteration before, and first in front of the loop.

// RUN: %fsm_opt %s --split-input-file --fsm-carry-lists=target=sm_90a --canonicalize --cse | FileCheck %s
// RUN: %fsm_opt %s --split-input-file --fsm-carry-lists=target=sm_80 | FileCheck %s --check-prefix=NARROW
// RUN: not %fsm_opt %s --split-input-file --fsm-carry-lists=target=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown GPU target 'sm_1'; expected one of
// NARROW: scf.for %{{.*}} = %from to %to step %step : i32 {

!block = tensor<16x16xf32>
// CHECK-LABEL: fsm.kernel @list
fsm.kernel @list(%out: !fsm.ptr<f32>, %lengths: !fsm.ptr<i32> {fsm.noalias}, %starts: !fsm.ptr<i64> {fsm.noalias}, %from: i32, %to: i32, %step: i32) {
  %two = arith.constant 2 : i32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : !block
  %zeros = arith.constant dense<0.0> : !block
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %from, %to
  // CHECK: %[[TWICE:.*]] = arith.muli %from, %c2_i32
  // CHECK: %[[FIRST:.*]] = fsm.offset %lengths, %[[TWICE]]
  // CHECK: %[[PLACE:.*]] = fsm.offset %starts, %from
  // CHECK: %[[LENGTH:.*]] = fsm.load %[[FIRST]], %[[RUNS]] : !fsm.ptr<i32> -> i32
  // CHECK: %[[START:.*]] = fsm.load %[[PLACE]], %[[RUNS]] : !fsm.ptr<i64> -> i64
  // CHECK: scf.for %[[I:.*]] = %from to %to step %step iter_args(%[[N:.*]] = %[[LENGTH]], %[[AT:.*]] = %[[START]]) -> (i32, i64)
  scf.for %i = %from to %to step %step : i32 {
    // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %step overflow<nsw>
    // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %to
    // CHECK: %[[NUMBER:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[I]]
    // CHECK: arith.muli %[[NUMBER]], %c2_i32
    // CHECK: fsm.offset %starts, %[[NUMBER]]
    // CHECK: %[[LATER:.*]] = fsm.load %{{.*}} : !fsm.ptr<i32> -> i32
    // CHECK: %[[LATER_AT:.*]] = fsm.load %{{.*}} : !fsm.ptr<i64> -> i64
    %twice = arith.muli %i, %two : i32
    %p = fsm.offset %lengths, %twice : !fsm.ptr<i32>, i32
    %n = fsm.load %p : !fsm.ptr<i32> -> i32
    %q = fsm.offset %starts, %i : !fsm.ptr<i64>, i32
    %at = fsm.load %q : !fsm.ptr<i64> -> i64
    // CHECK: scf.for %{{.*}} = %c0_i32 to %[[N]]
    %sums = scf.for %k = %none to %n step %one iter_args(%sum = %zeros) -> (!block) : i32 {
      %next = fsm.dot %x, %x, %sum precision = ieee : !block, !block -> !block
      scf.yield %next : !block
    }
    %s = fsm.reduce <sum> %sums axis 0 : !block -> tensor<16xf32>
    %t = fsm.reduce <sum> %s axis 0 : tensor<16xf32> -> f32
    // CHECK: fsm.offset %out, %[[AT]]
    %c = fsm.offset %out, %at : !fsm.ptr<f32>, i64
    fsm.store %t, %c : f32, !fsm.ptr<f32>
    // CHECK: scf.yield %[[LATER]], %[[LATER_AT]]
  }
  fsm.return
}

// -----

// None of: what is written, what another load or what is carried says where it lies, what is read in part, and
// what stands in a loop that has no products inside.
// CHECK-LABEL: fsm.kernel @stay
// CHECK: iter_args(%{{[^,]*}} = %c0_i32) -> (i32)
fsm.kernel @stay(%out: !fsm.ptr<f32>, %written: !fsm.ptr<i32> {fsm.noalias}, %list: !fsm.ptr<i32> {fsm.noalias}, %to: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %x = arith.constant dense<1.0> : tensor<16x16xf32>
  scf.for %i = %none to %to step %one iter_args(%carried = %none) -> (i32) : i32 {
    %p = fsm.offset %written, %i : !fsm.ptr<i32>, i32
    %n = fsm.load %p : !fsm.ptr<i32> -> i32
    %q = fsm.offset %list, %n : !fsm.ptr<i32>, i32
    %chained = fsm.load %q : !fsm.ptr<i32> -> i32
    %r = fsm.offset %list, %carried : !fsm.ptr<i32>, i32
    %next = fsm.load %r : !fsm.ptr<i32> -> i32
    %few = arith.cmpi slt, %i, %three : i32
    %s = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %masked = fsm.load %s, %few : !fsm.ptr<i32> -> i32
    %most = arith.addi %chained, %masked : i32
    %sums = scf.for %k = %none to %most step %one iter_args(%sum = %x) -> (tensor<16x16xf32>) : i32 {
      %y = fsm.dot %x, %x, %sum precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %y : tensor<16x16xf32>
    }
    %t = fsm.reduce <sum> %sums axis 0 : tensor<16x16xf32> -> tensor<16xf32>
    %u = fsm.reduce <sum> %t axis 0 : tensor<16xf32> -> f32
    fsm.store %u, %out : f32, !fsm.ptr<f32>
    fsm.store %most, %p : i32, !fsm.ptr<i32>
    scf.yield %next : i32
  }
  // CHECK: scf.for %{{[^ ]*}} = %c0_i32 to %to step %c1_i32 : i32 {
  scf.for %i = %none to %to step %one : i32 {
    %p = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %n = fsm.load %p : !fsm.ptr<i32> -> i32
    %at = fsm.offset %written, %n : !fsm.ptr<i32>, i32
    fsm.store %i, %at : i32, !fsm.ptr<i32>
  }
  fsm.return
}
