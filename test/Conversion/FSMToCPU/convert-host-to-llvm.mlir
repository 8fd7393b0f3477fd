// RUN: %fsm_opt %s --convert-host-to-llvm | FileCheck %s
// RUN: %fsm_opt %fsm_src_root/examples/05-softmax-persistent.mlir --fsm-cpu-pipeline=kernel=softmax | FileCheck %s --check-prefix=SOFTMAX

// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.cond_br
// CHECK: llvm.fmul {{.*}} : vector<16xf32>
// CHECK-NOT: scf.
// CHECK-NOT: arith.
llvm.func @loop(%p: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  scf.for %i = %c0 to %n step %c16 : i64 {
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %a {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %y = arith.mulf %x, %x : vector<16xf32>
    llvm.store %y, %a {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  llvm.return
}

// SOFTMAX: llvm.func @softmax
// SOFTMAX-NOT: fsm.store
// SOFTMAX-NOT: tensor<
// SOFTMAX: llvm.return
