// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-number-debug-ops,fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

// The buffer's address is behind the arguments; a record is reserved, and written if there
// is room.
// CHECK-LABEL: llvm.func @scalar
// CHECK-SAME: (%[[ARGS:[a-z0-9]+]]: !llvm.ptr {llvm.noalias}, {{.*}}) attributes {fsm.debug_ops = [{
// CHECK-SAME: fsm.hidden_arguments = ["debug_records"]
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: llvm.getelementptr %[[ARGS]][%[[ONE]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[SLOT:.*]] = llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i64
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[SLOT]], %{{.*}} : i64
// CHECK: scf.if %[[FITS]]
// CHECK-COUNT-4: llvm.store {{.*}} : i64, !llvm.ptr
fsm.kernel @scalar(%x: f32) {
  fsm.print "x" %x : f32
  fsm.return
}

// An element of a block after the other; only a false one fails.
// CHECK-LABEL: llvm.func @block
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[FALSE:.*]] = arith.xori %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[FALSE]]
// CHECK: llvm.cmpxchg {{.*}} monotonic monotonic : !llvm.ptr, i64
// CHECK: llvm.atomicrmw umin {{.*}} monotonic : !llvm.ptr, i32
fsm.kernel @block(%i: i32) {
  %x = fsm.splat %i : tensor<3x5xi32>
  %m = arith.cmpi slt, %x, %x : tensor<3x5xi32>
  fsm.assert %m, "m" : tensor<3x5xi1>
  fsm.return
}

// A kernel that says nothing takes nothing.
// CHECK-LABEL: llvm.func @silent
// CHECK-NOT: fsm.debug_ops
// CHECK-NOT: llvm.atomicrmw
// CHECK: llvm.return
fsm.kernel @silent(%i: i32, %p: !fsm.ptr<i32>) {
  fsm.store %i, %p : i32, !fsm.ptr<i32>
  fsm.return
}
