// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-number-debug-ops))' | FileCheck %s

// The list has the ops by their numbers, those in regions included; numbers in the text
// do not count.
// CHECK-LABEL: fsm.kernel @k
// CHECK-SAME: fsm.debug_ops = [
// CHECK-SAME: {place = "{{.*}}number-debug-ops.mlir:[[#@LINE+6]]:3", print = "first", types = [tensor<4xi32>, !fsm.ptr<f32>]},
// CHECK-SAME: {assert = "holds", place = "{{.*}}number-debug-ops.mlir:[[#@LINE+8]]:5", types = [i1]},
// CHECK-SAME: {hex, place = "{{.*}}:[[#@LINE+10]]:3", print = "last", types = [tensor<4xi32>]}]
fsm.kernel @k(%p: !fsm.ptr<f32>, %c: i1, %i: i32) attributes {fsm.debug_ops = []} {
  %x = fsm.splat %i : tensor<4xi32>
  // CHECK: fsm.print "first" %{{.*}}, %{{.*}} {{.*}} {fsm.debug_number = 0 : i32}
  fsm.print "first" %x, %p : tensor<4xi32>, !fsm.ptr<f32> {fsm.debug_number = 7 : i32}
  scf.if %c {
    // CHECK: fsm.assert %{{.*}}, "holds" {fsm.debug_number = 1 : i32}
    fsm.assert %c, "holds" : i1
  }
  // CHECK: fsm.print "last" hex %{{.*}} {{.*}} {fsm.debug_number = 2 : i32}
  fsm.print "last" hex %x : tensor<4xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @silent
// CHECK-NOT: attributes
// CHECK: fsm.return
fsm.kernel @silent() {
  fsm.return
}
