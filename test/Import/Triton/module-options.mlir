// What a launch of Triton's knows beside the text, the module may say itself; an option of the pass counts more.

// RUN: %fsm_opt %s --fsm-import-triton | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-import-triton{num-warps=2 max-registers=64})' | FileCheck %s --check-prefix=OPTIONS

// CHECK-NOT:   tt.
// CHECK-LABEL: fsm.kernel @square
// CHECK-SAME:    attributes {fsm.unordered_arguments, max_registers = 128 : i32, num_warps = 8 : i32}
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32

// OPTIONS:     attributes {fsm.unordered_arguments, max_registers = 64 : i32, num_warps = 2 : i32}
module attributes {tt.num_warps = 8 : i32, tt.maxnreg = 128 : i32, tt.num_stages = 3 : i32, tt.no_fp_fusion = 1 : i32} {
  tt.func public @square(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.mulf %x, %x : f32
    tt.store %p, %y : !tt.ptr<f32>
    tt.return
  }
}
