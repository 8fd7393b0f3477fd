// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-number-debug-ops),convert-fsm-to-gpu)' | FileCheck %s

#replicated = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0]], cta = []>

// One thread records a scalar. The hidden argument is the last.
// CHECK-LABEL: gpu.func @scalar
// CHECK-SAME: (%[[X:.*]]: f64, %[[COUNT:.*]]: i32, %[[BUFFER:.*]]: !llvm.ptr<1>) kernel attributes {fsm.debug_ops = [{
// CHECK-SAME: fsm.hidden_arguments = ["program_count", "debug_records"]
// CHECK: scf.if
// CHECK:   scf.if
// CHECK:     %[[HEAD:.*]] = llvm.getelementptr %[[BUFFER]][0]
// CHECK:     %[[SLOT:.*]] = llvm.atomicrmw add %[[HEAD]], %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i64
// CHECK:     %[[FITS:.*]] = arith.cmpi ult, %[[SLOT]], %{{.*}} : i64
// CHECK:     scf.if %[[FITS]]
// CHECK:       arith.bitcast %[[X]] : f64 to i64
// CHECK-COUNT-4: llvm.store {{.*}} : i64, !llvm.ptr<1>
fsm.kernel @scalar(%x: f64) attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32} {
  fsm.print "x" %x : f64
  fsm.return
}

// Of several threads with one element, and of the two warps, the first; of places beyond the
// extent, none. Both registers of a thread are recorded.
// CHECK-LABEL: gpu.func @block
// CHECK-DAG: %[[FREE:.*]] = arith.constant 24 : i32
// CHECK: arith.andi %{{.*}}, %[[FREE]] : i32
// CHECK: %[[OWNER:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[ACTS:.*]] = arith.andi %[[INSIDE]], %[[OWNER]] : i1
// CHECK: scf.if %[[ACTS]]
// CHECK: llvm.atomicrmw add
// CHECK: arith.andi %{{.*}}, %[[OWNER]] : i1
// CHECK: llvm.atomicrmw add
// CHECK-NOT: llvm.atomicrmw
// CHECK: gpu.return
fsm.kernel @block(%i: i32) attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 13 : tensor<13xi32, #replicated>
  fsm.print "x" %x : tensor<13xi32, #replicated>
  fsm.return
}

// CHECK-LABEL: gpu.func @assert
// CHECK: %[[FALSE:.*]] = arith.xori %{{.*}}, %{{.*}} : i1
// CHECK: %[[FAILS:.*]] = arith.andi %{{.*}}, %[[FALSE]] : i1
// CHECK: scf.if %[[FAILS]]
// CHECK: llvm.cmpxchg {{.*}} syncscope("device") monotonic monotonic : !llvm.ptr<1>, i64
// CHECK: llvm.atomicrmw umin {{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
fsm.kernel @assert(%c: i1) attributes {num_warps = 1 : i32} {
  fsm.assert %c, "c" : i1
  fsm.return
}

// CHECK-LABEL: gpu.func @silent
// CHECK-SAME: (%{{.*}}: i32, %{{.*}}: !llvm.ptr<1>) kernel
// CHECK-NOT: fsm.debug_ops
// CHECK: gpu.return
fsm.kernel @silent(%i: i32, %p: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  fsm.store %i, %p : i32, !fsm.ptr<i32>
  fsm.return
}
