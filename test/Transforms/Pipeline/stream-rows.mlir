// What a program reads and writes once goes first from the L1 cache, and what all programs read stays.

// RUN: %fsm_opt %s --fsm-stream-rows | FileCheck %s

#quad = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#one = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK-LABEL: @norm
// CHECK:         fsm.load %{{.*}} evict = first {fsm.access_width = 4 : i32}
// CHECK:         fsm.load %weight[%{{.*}}] {fsm.access_width = 4 : i32}
// CHECK:         fsm.load %scales : !fsm.ptr<f32> -> f32
// CHECK:         fsm.store %{{.*}} evict = first {fsm.access_width = 4 : i32}
fsm.kernel @norm(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %weight: !fsm.ptr<f32>, %scales: !fsm.ptr<f32>, %stride: i32) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %w = fsm.load %weight[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %s = fsm.load %scales : !fsm.ptr<f32> -> f32
  %scale = fsm.splat %s : tensor<128xf32, #quad>
  %y = arith.mulf %x, %w : tensor<128xf32, #quad>
  %z = arith.mulf %y, %scale : tensor<128xf32, #quad>
  %dst = fsm.offset %out, %i : !fsm.ptr<f32>, i32
  fsm.store %z, %dst[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// Where vectors are all that is read, and nothing is exchanged, there is nothing to keep.
// CHECK-LABEL: @flat
// CHECK-NOT:     evict
// CHECK:         fsm.return
fsm.kernel @flat(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %program = fsm.program_id x : i32
  %size = arith.constant 128 : i32
  %start = arith.muli %program, %size : i32
  %starts = fsm.splat %start : tensor<128xi32, #quad>
  %lane = fsm.range 0, 128 : tensor<128xi32, #quad>
  %o = arith.addi %starts, %lane : tensor<128xi32, #quad>
  %x = fsm.load %in[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  fsm.store %x, %out[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// What comes again, as a bias by the rest of a division, stays; rows go. Offsets may depend on the program as well.
// CHECK-LABEL: @again
// CHECK:         fsm.load %in[%{{.*}}] evict = first
// CHECK:         fsm.load %bias[%{{.*}}] {fsm.access_width
// CHECK:         fsm.store %{{.*}} evict = first
fsm.kernel @again(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %bias: !fsm.ptr<f32>, %cols: i32) attributes {num_warps = 1 : i32} {
  %program = fsm.program_id x : i32
  %size = arith.constant 128 : i32
  %start = arith.muli %program, %size : i32
  %starts = fsm.splat %start : tensor<128xi32, #quad>
  %lane = fsm.range 0, 128 : tensor<128xi32, #quad>
  %o = arith.addi %starts, %lane : tensor<128xi32, #quad>
  %n = fsm.splat %cols : tensor<128xi32, #quad>
  %column = arith.remsi %o, %n : tensor<128xi32, #quad>
  %x = fsm.load %in[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %b = fsm.load %bias[%column] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %y = arith.addf %x, %b : tensor<128xf32, #quad>
  fsm.store %y, %out[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// Parts of a row are one access, and its edges go with its vectors. Where no block is stored, nothing is kept.
// CHECK-LABEL: @parts
// CHECK-COUNT-2: fsm.load %{{.*}} evict = unkept
fsm.kernel @parts(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %e = fsm.range 0, 128 : tensor<128xi32, #one>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32, fsm.row_part = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %ends = fsm.load %src[%e] {fsm.row_part = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #one> -> tensor<128xf32, #one>
  %s = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #quad> -> f32
  %t = fsm.reduce <sum> %ends axis 0 : tensor<128xf32, #one> -> f32
  %both = arith.addf %s, %t : f32
  %place = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %both, %place : f32, !fsm.ptr<f32>
  fsm.return
}
