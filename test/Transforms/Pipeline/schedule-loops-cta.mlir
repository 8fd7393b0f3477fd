// Where two stages already leave a multiprocessor one cta instead of two, nothing runs ahead.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm remarks=true' 2>&1 | FileCheck %s
// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm num-stages=2' | FileCheck %s --check-prefix=ASKED

// 512 threads with 32 registers for numbers leave room for two; rings of 128 KiB, in 227 KiB, for one.
// CHECK-COUNT-2: remark: this load does not run ahead of its loop: it would leave a multiprocessor a single cta
// CHECK: remark: takes 1 of 2 stages: more would leave a multiprocessor fewer ctas
// CHECK-NOT: fsm.copy_async
// ASKED-COUNT-2: fsm.shared_alloc {{.*}} : !fsm.shared<16384xf32 slots 1>
fsm.kernel @sums(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %n: i32) attributes {num_warps = 16 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 16384 : i32
  %none = arith.constant 0.0 : f32
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> f32 : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
    %t = fsm.reduce <sum> %x axis 0 : tensor<16384xf32> -> f32
    %q = fsm.offset %p, %width : !fsm.ptr<f32>, i32
    %y = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
    %u = fsm.reduce <max> %y axis 0 : tensor<16384xf32> -> f32
    %v = arith.addf %t, %u : f32
    %w = arith.addf %s, %v : f32
    scf.yield %w : f32
  } {fsm.num_stages = 2 : i32}
  fsm.store %r, %out : f32, !fsm.ptr<f32>
  fsm.return
}
