// Behind an exchange of warps what was computed from loaded numbers of 16 bits is computed again, where it is used; what
// comes from numbers of 32 bits is kept, and a load of what caches have comes behind. Where conversions alone are computed again, the
// assembler does not see it either.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts,fsm-stage-exchanges,fsm-compute-again))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @narrow
// CHECK:         %[[RAW:.*]] = fsm.load %{{.*}} -> tensor<2048xf16
// CHECK-NOT:     fsm.any_start
// CHECK:         fsm.reduce <sum>
// CHECK:         %[[SAME:.*]] = fsm.renew %[[RAW]] hidden
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

// CHECK-LABEL: fsm.kernel @exponentials
// CHECK:         fsm.reduce <sum>
// CHECK:         fsm.renew %{{.*}} : tensor
// CHECK:         math.exp
fsm.kernel @exponentials(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %raw = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %x = arith.extf %raw : tensor<2048xf16> to tensor<2048xf32>
  %e = math.exp %x : tensor<2048xf32>
  %sum = fsm.reduce <sum> %e axis 0 : tensor<2048xf32> -> f32
  %sums = fsm.splat %sum : tensor<2048xf32>
  %y = arith.subf %e, %sums : tensor<2048xf32>
  fsm.store %y, %out[%offs] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  fsm.return
}

// Where a thread holds much, the first block is hidden whose functions are computed again.
// CHECK-LABEL: fsm.kernel @functions
// CHECK:         fsm.reduce <sum>
// CHECK:         fsm.renew %{{[^ ]*}} hidden : tensor
// CHECK:         fsm.renew %{{[^ ]*}} : tensor
fsm.kernel @functions(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %mean: f32) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %next = fsm.range 4096, 8192 : tensor<4096xi32>
  %means = fsm.splat %mean : tensor<4096xf32>
  %a = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %b = fsm.load %in[%next] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %wa = arith.extf %a : tensor<4096xf16> to tensor<4096xf32>
  %ea = math.exp %wa : tensor<4096xf32>
  %wb = arith.extf %b : tensor<4096xf16> to tensor<4096xf32>
  %eb = math.exp %wb : tensor<4096xf32>
  %both = arith.addf %ea, %eb : tensor<4096xf32>
  %sum = fsm.reduce <sum> %both axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %ya = arith.mulf %ea, %sums : tensor<4096xf32>
  fsm.store %ya, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  %yb = arith.mulf %eb, %sums : tensor<4096xf32>
  fsm.store %yb, %out[%next] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}

// And of other arithmetic the later half.
// CHECK-LABEL: fsm.kernel @arithmetic
// CHECK:         fsm.reduce <sum>
// CHECK:         fsm.renew %{{[^ ]*}} : tensor
// CHECK:         fsm.renew %{{[^ ]*}} hidden : tensor
fsm.kernel @arithmetic(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %mean: f32) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %next = fsm.range 4096, 8192 : tensor<4096xi32>
  %means = fsm.splat %mean : tensor<4096xf32>
  %a = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %b = fsm.load %in[%next] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %wa = arith.extf %a : tensor<4096xf16> to tensor<4096xf32>
  %ea = arith.subf %wa, %means : tensor<4096xf32>
  %wb = arith.extf %b : tensor<4096xf16> to tensor<4096xf32>
  %eb = arith.subf %wb, %means : tensor<4096xf32>
  %both = arith.addf %ea, %eb : tensor<4096xf32>
  %sum = fsm.reduce <sum> %both axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %ya = arith.mulf %ea, %sums : tensor<4096xf32>
  fsm.store %ya, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  %yb = arith.mulf %eb, %sums : tensor<4096xf32>
  fsm.store %yb, %out[%next] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}

// What also comes from wide numbers is kept: these would wait as well.
// CHECK-LABEL: fsm.kernel @mixed
// CHECK-NOT:     fsm.renew
fsm.kernel @mixed(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %more: !fsm.ptr<f32>) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %raw = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %wide = fsm.load %more[%offs] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
  %x = arith.extf %raw : tensor<2048xf16> to tensor<2048xf32>
  %both = arith.addf %x, %wide : tensor<2048xf32>
  %sum = fsm.reduce <sum> %both axis 0 : tensor<2048xf32> -> f32
  %sums = fsm.splat %sum : tensor<2048xf32>
  %y = arith.subf %both, %sums : tensor<2048xf32>
  fsm.store %y, %out[%offs] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  fsm.return
}

// A load stays in front of a store that may be to the same array, and passes one that is not.
// CHECK-LABEL: fsm.kernel @stored
// CHECK:         fsm.load %{{.*}} {{{.*}}fsm.any_start
// CHECK:         fsm.store
// CHECK:         fsm.reduce <max>
// CHECK-NOT:     fsm.any_start
// CHECK-LABEL: fsm.kernel @stored_elsewhere
// CHECK-NOT:     fsm.any_start
// CHECK:         fsm.store
// CHECK:         fsm.reduce <max>
// CHECK:         fsm.any_start
fsm.kernel @stored(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16>) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %raw = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %w = fsm.load %weight[%offs] {fsm.any_start, fsm.follows} : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  fsm.store %raw, %out[%offs] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  %sum = fsm.reduce <max> %raw axis 0 : tensor<2048xf16> -> f16
  %sums = fsm.splat %sum : tensor<2048xf16>
  %y = arith.mulf %sums, %w : tensor<2048xf16>
  fsm.store %y, %out[%offs] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  fsm.return
}

fsm.kernel @stored_elsewhere(%out: !fsm.ptr<f16> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16>) attributes {fsm.hold_narrow, num_warps = 4 : i32} {
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %raw = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %w = fsm.load %weight[%offs] {fsm.any_start, fsm.follows} : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  fsm.store %raw, %out[%offs] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  %sum = fsm.reduce <max> %raw axis 0 : tensor<2048xf16> -> f16
  %sums = fsm.splat %sum : tensor<2048xf16>
  %y = arith.mulf %sums, %w : tensor<2048xf16>
  fsm.store %y, %out[%offs] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  fsm.return
}
