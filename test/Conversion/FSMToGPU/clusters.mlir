// A program on four ctas of two warps: each cta stores what its warps have to the memory of all, and what all have only one
// stores to global memory.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=gpu' | FileCheck %s
// RUN: %fsm_run %s --emit=ptx --target=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: %fsm_run %s --emit=contract --target=sm_90a | FileCheck %s --check-prefix=CONTRACT

// CHECK:      gpu.func @sum
// CHECK-SAME:   fsm.num_ctas = 4 : i32, fsm.num_warps = 2 : i32
// CHECK:      %[[CTA:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK:      %[[RANK:.*]] = arith.andi %[[CTA]], %c3
// CHECK:      scf.if
// CHECK:        nvvm.mbarrier.init
// CHECK:        nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c32_i32
// CHECK:        nvvm.fence.mbarrier.init
// CHECK:      nvvm.cluster.arrive.relaxed {aligned}
// CHECK:      nvvm.cluster.wait {aligned}
// CHECK:      nvvm.mapa
// CHECK:      nvvm.mapa
// CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.b32
// CHECK-NOT:  nvvm.cluster
// CHECK:      nvvm.mbarrier.try_wait
// CHECK-NOT:  nvvm.cluster
// CHECK:      llvm.load %{{.*}} : !llvm.ptr<3> -> f32

// PTX:      .explicitcluster
// PTX-NEXT: .reqnctapercluster 4, 1, 1
// PTX:      barrier.cluster.arrive.relaxed.aligned
// PTX:      barrier.cluster.wait.aligned
// PTX:      mapa.shared::cluster
// PTX:      st.async.shared::cluster.mbarrier::complete_tx::bytes.b32
// PTX-NOT:  barrier.cluster

// CONTRACT: "num_ctas": 4
fsm.kernel @sum(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 2 : i32, num_ctas = 4 : i32} {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<1024xf32> -> f32
  %at = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %sum, %at : f32, !fsm.ptr<f32>
  fsm.return
}
