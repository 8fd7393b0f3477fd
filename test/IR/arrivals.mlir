// Stores that arrive at an mbarrier, and the bytes that it counts, are printed as they are read.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

// CHECK-LABEL: @arrives
fsm.kernel @arrives(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // CHECK: %[[COME:.*]] = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  %come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_init %[[COME]] bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %all = fsm.shared_alloc : !fsm.shared<64xi32>
  // CHECK: fsm.shared_store %{{.*}}, %{{.*}} arriving %[[COME]] : tensor<64xi32, #{{.*}}>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_store %x, %all arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}
