// RUN: %fsm_device_code %s --emit=llvm | FileCheck %s

// CHECK: module attributes
// CHECK-SAME: llvm.data_layout = "e-{{[^"]*}}i64:64
// CHECK-SAME: llvm.target_triple = "nvptx64-nvidia-cuda"
// CHECK-NOT: gpu.module
// CHECK: llvm.mlir.global external @fsm_shared()
// CHECK: llvm.func @kernel(
// CHECK-SAME: nvvm.kernel
// What has lost its place in an inlined helper is where the call is.
// CHECK-NOT: callsite(unknown
// CHECK: #[[CALL:loc[0-9]*]] = loc("caller.mlir":30:4)
// CHECK: emissionKind = DebugDirectivesOnly
// CHECK: #[[SCOPE:di_[a-z_]*]] = {{.*}}name = "kernel"
// CHECK: fused<#[[SCOPE]]>
// CHECK: [#[[CALL]]]
gpu.module @kernels {
  llvm.mlir.global external @fsm_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  gpu.func @kernel(%p: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 1 : i32} {
    %one = llvm.mlir.constant(1 : i32) : i32 loc(callsite(unknown at "caller.mlir":30:4))
    llvm.store %one, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
