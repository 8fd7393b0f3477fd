// A compile has one device module.

// RUN: split-file %s %t
// RUN: not %fsm_device_code %t/two.mlir --emit=llvm 2>&1 | FileCheck %s
// RUN: not %fsm_opt %t/two.mlir --convert-device-module-to-llvm 2>&1 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: not %fsm_opt %t/early.mlir --convert-device-module-to-llvm 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %fsm_opt %t/twice.mlir --convert-device-module-to-llvm 2>&1 | FileCheck %s --check-prefix=TWICE

//--- two.mlir
// CHECK: error: 'builtin.module' op needs one gpu.module, has 2
// TWO: two.mlir:4:1: note: one is here
// TWO: two.mlir:6:1: note: one is here
gpu.module @first {
}
gpu.module @second {
}

//--- early.mlir
// EARLY: error: 'gpu.func' op is no op of the llvm dialect; run convert-device-to-nvvm first
gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}
//--- twice.mlir
// TWICE: error: 'llvm.func' op has the name of something outside the gpu.module; rename one
// TWICE: twice.mlir:3:1: note: the other one is here
llvm.func @k()
gpu.module @kernels {
  llvm.func @k()
}
