// Kernels that fit, at the limits, pass unchanged.

// RUN: %fsm_opt %s --fsm-check-resources | FileCheck %s
// RUN: %fsm_opt %s --fsm-check-resources=target=sm_120 | FileCheck %s

#w32 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>
#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK-LABEL: fsm.kernel @most_threads
// CHECK-SAME:    fsm.shared_bytes = 101376 : i32
fsm.kernel @most_threads() attributes {num_warps = 32 : i32, fsm.shared_bytes = 101376 : i32} {
  %x = fsm.range 0, 1024 : tensor<1024xi32, #w32>
  fsm.return
}

// 128 words of loaded numbers; the offsets and the mask are made again.
// CHECK-LABEL: fsm.kernel @words
fsm.kernel @words(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 4096 : tensor<4096xi32, #w1>
  %s = fsm.splat %n : tensor<4096xi32, #w1>
  %o = arith.addi %r, %s : tensor<4096xi32, #w1>
  %m = arith.cmpi slt, %r, %s : tensor<4096xi32, #w1>
  %x = fsm.load %p[%o], %m : !fsm.ptr<f32>, tensor<4096xi32, #w1> -> tensor<4096xf32, #w1>
  %y = arith.addf %x, %x : tensor<4096xf32, #w1>
  fsm.store %y, %p[%o], %m : tensor<4096xf32, #w1>, !fsm.ptr<f32>, tensor<4096xi32, #w1>
  fsm.return
}
