// A module needs no terminator; what kernels become stands in front of one that it has.
//
// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

// CHECK:      gpu.module @kernels {
// CHECK:        gpu.func @nothing
// CHECK:      llvm.unreachable
// CHECK-NEXT: }
fsm.kernel @nothing() attributes {num_warps = 1 : i32} {
  fsm.return
}
llvm.unreachable
