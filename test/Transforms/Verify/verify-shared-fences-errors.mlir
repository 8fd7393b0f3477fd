// Bulk copies into slots whose reads may not have ended: decision 34.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// There is a barrier before the second copy, but what was read is not used before it.
fsm.kernel @missing(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %ring = fsm.shared_alloc : !fsm.shared<128xf32 slots 1>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  // expected-note@+1 {{the read is here}}
  %x = fsm.shared_load %ring[%zero] : !fsm.shared<128xf32 slots 1> -> tensor<128xf32, #w4>
  // expected-error@+1 {{expected a fence in this bulk 'fsm.copy_async': no barrier shows that an earlier 'fsm.shared_load' of its slot has ended}}
  fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.store %x, %q[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// Around a loop: what is reduced in front of the copy is not what was read.
fsm.kernel @around(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %ring = fsm.shared_alloc : !fsm.shared<128xf32 slots 1>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  scf.for %i = %zero to %n step %one : i32 {
    %sum = fsm.reduce <sum> %o axis 0 : tensor<128xi32, #w4> -> i32
    // expected-error@+1 {{expected a fence in this bulk 'fsm.copy_async': no barrier shows that an earlier 'fsm.shared_load' of its slot has ended}}
    fsm.copy_async %p[%o] into %ring[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
    // expected-note@+1 {{the read is here}}
    %x = fsm.shared_load %ring[%zero] : !fsm.shared<128xf32 slots 1> -> tensor<128xf32, #w4>
    fsm.store %x, %q[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  }
  fsm.return
}
