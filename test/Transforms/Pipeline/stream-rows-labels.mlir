// What is loaded of a label in front of an exchange is not to be moved behind it, so that it is no constant; what is loaded behind may be.

// RUN: %fsm_opt %s --fsm-gpu-pipeline="target=sm_90a stage=fsm" | FileCheck %s
// RUN: %fsm_opt %s --fsm-gpu-pipeline="target=sm_90a stage=fsm" | FileCheck %s --check-prefix=BEHIND

// CHECK-LABEL: @labelled
// CHECK:         fsm.load %{{.*}} evict = unkept
// CHECK:         fsm.load %{{.*}} cache = ca : !fsm.ptr<i32> -> i32
// CHECK:         fsm.reduce <sum>
// BEHIND:        fsm.reduce <sum>
// BEHIND:        fsm.load %labels : !fsm.ptr<i32> -> i32
fsm.kernel @labelled(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %labels: !fsm.ptr<i32> {fsm.noalias}) attributes {num_warps = 2 : i32} {
  %program = fsm.program_id x : i32
  %size = arith.constant 256 : i32
  %start = arith.muli %program, %size overflow<nsw> : i32
  %o = fsm.range 0, 256 : tensor<256xi32>
  %row = fsm.offset %in, %start : !fsm.ptr<f32>, i32
  %x = fsm.load %row[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %label_at = fsm.offset %labels, %program : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %s = fsm.reduce <sum> %x axis 0 : tensor<256xf32> -> f32
  %number = fsm.load %labels : !fsm.ptr<i32> -> i32
  %sum32 = arith.addi %label, %number : i32
  %both = arith.sitofp %sum32 : i32 to f32
  %all = arith.addf %s, %both : f32
  %place = fsm.offset %out, %program : !fsm.ptr<f32>, i32
  fsm.store %all, %place : f32, !fsm.ptr<f32>
  fsm.return
}
