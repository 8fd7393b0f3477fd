// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

// One program is one call: arguments by address, ids, scratch memory.
// CHECK-LABEL: llvm.func @signature
// CHECK-SAME: (%[[ARGS:.*]]: !llvm.ptr {llvm.noalias}, %[[IDS:.*]]: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK: %[[ID:.*]] = llvm.getelementptr %[[IDS]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK: llvm.load %[[ID]] {{.*}} -> i32
// CHECK: llvm.store
// CHECK: llvm.return
fsm.kernel @signature(%out: !fsm.ptr<i32>) {
  %pid = fsm.program_id y : i32
  fsm.store %pid, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Neighbouring elements are one vector access; the row's end is masked, and no
// scalar loop is left for it.
// CHECK-LABEL: llvm.func @copy
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK: arith.constant dense<[true, true, true, true, false
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.load {{.*}} -> f32
// CHECK: llvm.return
fsm.kernel @copy(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %o = fsm.range 0, 100 : tensor<100xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
  fsm.store %x, %out[%o] : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>
  fsm.return
}

// -----

// A reduction keeps four vectors of partial sums and combines lanes at the end.
// CHECK-LABEL: llvm.func @sum
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.shuffle
// CHECK: vector.extract
fsm.kernel @sum(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %s = fsm.reduce <sum> %x axis 0 : tensor<256xf32> -> f32
  fsm.store %s, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Integer division by zero must not trap.
// CHECK-LABEL: llvm.func @divide
// CHECK: %[[ZERO:.*]] = arith.cmpi eq
// CHECK: %[[MINUS:.*]] = arith.cmpi eq
// CHECK: %[[SAFE:.*]] = arith.select
// CHECK: arith.divsi %{{.*}}, %[[SAFE]]
fsm.kernel @divide(%out: !fsm.ptr<i32>, %a: i32, %b: i32) {
  %q = arith.divsi %a, %b : i32
  fsm.store %q, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Elements that are not neighbours are gathered; a mask stays a mask.
// CHECK-LABEL: llvm.func @gather
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.intr.masked.scatter
fsm.kernel @gather(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %stride: i32) {
  %r = fsm.range 0, 16 : tensor<16xi32>
  %s = fsm.splat %stride : tensor<16xi32>
  %o = arith.muli %r, %s : tensor<16xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  fsm.store %x, %out[%o] : tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>
  fsm.return
}
