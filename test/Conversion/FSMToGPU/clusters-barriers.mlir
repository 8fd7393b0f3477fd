// Where the ctas of a program meet at their barrier for what they exchange.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='stage=gpu' | FileCheck %s

// In a loop with one exchange a round, which nothing keeps the next round's stores from, ctas meet at their barrier.
// CHECK:      gpu.func @sums
// CHECK-NOT:  st.async
// CHECK:      llvm.store %{{.*}} : f32, !llvm.ptr<7>
// CHECK:      nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
fsm.kernel @sums(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %rows: i32) attributes {num_warps = 2 : i32, num_ctas = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  scf.for %row = %zero to %rows step %one : i32 {
    %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    %sum = fsm.reduce <sum> %x axis 0 : tensor<1024xf32> -> f32
    %at = fsm.offset %out, %row : !fsm.ptr<f32>, i32
    fsm.store %sum, %at : f32, !fsm.ptr<f32>
  }
  fsm.return
}

// -----

// Nor do numbers of two bytes arrive.
// CHECK:      gpu.func @least
// CHECK-NOT:  st.async
// CHECK:      llvm.store %{{.*}} : i16, !llvm.ptr<7>
fsm.kernel @least(%out: !fsm.ptr<i16> {fsm.noalias}, %in: !fsm.ptr<i16> {fsm.noalias}) attributes {num_warps = 2 : i32, num_ctas = 4 : i32} {
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i16>, tensor<1024xi32> -> tensor<1024xi16>
  %least = fsm.reduce <min> %x axis 0 : tensor<1024xi16> -> i16
  fsm.store %least, %out : i16, !fsm.ptr<i16>
  fsm.return
}
