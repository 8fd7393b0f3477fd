// Behind an exchange of warps what was computed from loaded numbers of 16 bits is computed again, where it is used; what
// comes from numbers of 32 bits is kept, and a load of what caches have comes behind.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts,fsm-stage-exchanges,fsm-compute-again))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @narrow
// CHECK:         %[[RAW:.*]] = fsm.load %{{.*}} -> tensor<2048xf16
// CHECK-NOT:     fsm.any_start
// CHECK:         fsm.reduce <sum>
// CHECK:         %[[SAME:.*]] = fsm.renew %[[RAW]]
// CHECK:         %[[WIDE:.*]] = arith.extf %[[SAME]]
// CHECK:         %[[MOVED:.*]] = arith.subf %[[WIDE]],
// CHECK:         fsm.load %{{.*}} {{{.*}}fsm.any_start
// CHECK:         arith.mulf %[[MOVED]],
fsm.kernel @narrow(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias},
                   %weight: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %raw = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %w = fsm.load %weight[%offs] {fsm.any_start, fsm.follows} : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %factors = arith.extf %w : tensor<2048xf16> to tensor<2048xf32>
  %x = arith.extf %raw : tensor<2048xf16> to tensor<2048xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<2048xf32> -> f32
  %sums = fsm.splat %sum : tensor<2048xf32>
  %moved = arith.subf %x, %sums : tensor<2048xf32>
  %y = arith.mulf %moved, %factors : tensor<2048xf32>
  fsm.store %y, %out[%offs] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @wide
// CHECK-NOT:     fsm.renew
fsm.kernel @wide(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
  %twice = arith.addf %x, %x : tensor<2048xf32>
  %sum = fsm.reduce <sum> %twice axis 0 : tensor<2048xf32> -> f32
  %sums = fsm.splat %sum : tensor<2048xf32>
  %y = arith.subf %twice, %sums : tensor<2048xf32>
  fsm.store %y, %out[%offs] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  fsm.return
}
