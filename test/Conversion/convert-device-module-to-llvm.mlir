// RUN: %fsm_device_code %s --emit=llvm | FileCheck %s

// CHECK: module attributes
// CHECK-SAME: llvm.data_layout = "e-{{[^"]*}}i64:64
// CHECK-SAME: llvm.target_triple = "nvptx64-nvidia-cuda"
// CHECK-NOT: gpu.module
// CHECK: llvm.mlir.global external @fsm_shared()
// CHECK: llvm.func @kernel(
// CHECK-SAME: nvvm.kernel
// CHECK: emissionKind = DebugDirectivesOnly
// CHECK: #[[SCOPE:di_[a-z_]*]] = {{.*}}name = "kernel"
// CHECK: fused<#[[SCOPE]]>
gpu.module @kernels {
  llvm.mlir.global external @fsm_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  gpu.func @kernel(%p: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 1 : i32} {
    gpu.return
  }
}
