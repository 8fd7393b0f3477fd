// What shows that a read of a slot has ended before a bulk copy fills it again: a fence, or a reduction of what was read.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s --check-prefix=GPU

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// CHECK-LABEL: fsm.kernel @fenced
// CHECK:         fsm.copy_async {{.*}} fence
// The first fence stands behind the making of the mbarriers.
// GPU-LABEL:     gpu.func @fenced
// GPU:             nvvm.fence.mbarrier.init
// GPU-NOT:         nvvm.fence.proxy
// GPU:             nvvm.cp.async.bulk
// GPU:             nvvm.fence.proxy
// GPU:             nvvm.cp.async.bulk
fsm.kernel @fenced(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %ring = fsm.shared_alloc : !fsm.shared<128xf32 slots 1>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.shared_load %ring[%zero] : !fsm.shared<128xf32 slots 1> -> tensor<128xf32, #w4>
  fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full fence : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.store %x, %q[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @reduced
// CHECK-NOT:     fence
// GPU-LABEL:     gpu.func @reduced
// GPU:             nvvm.fence.mbarrier.init
// GPU-NOT:         nvvm.fence.proxy
// GPU:             nvvm.cp.async.bulk
// GPU-NOT:         nvvm.fence.proxy
fsm.kernel @reduced(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %ring = fsm.shared_alloc : !fsm.shared<128xf32 slots 1>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  scf.for %i = %zero to %n step %one : i32 {
    fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
    %x = fsm.shared_load %ring[%zero] : !fsm.shared<128xf32 slots 1> -> tensor<128xf32, #w4>
    %twice = arith.addf %x, %x : tensor<128xf32, #w4>
    %sum = fsm.reduce <sum> %twice axis 0 : tensor<128xf32, #w4> -> f32
    fsm.store %sum, %q : f32, !fsm.ptr<f32>
  }
  fsm.return
}
