// Blocks are walked in pieces where neither one cta nor a cluster has registers for them.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-pieces))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-pieces{target=sm_80}))' | FileCheck %s --check-prefix=SINGLE
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-pieces{target=sm_75}))' | FileCheck %s --check-prefix=SMALL
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-pieces{target=sm_80 remarks=true}))' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// A cluster of 8 ctas has room for it.
// CHECK-LABEL: fsm.kernel @row
// CHECK-NOT:     fsm.piece
// CHECK:         fsm.return
// SINGLE-LABEL: fsm.kernel @row
// SINGLE-SAME:    fsm.piece = 16384 : i32
// REMARK: remark: walks its blocks in pieces of 16384 elements: no registers have room for them
fsm.kernel @row(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %offs = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %maxes = fsm.splat %max : tensor<65536xf32>
  %y = arith.subf %x, %maxes : tensor<65536xf32>
  fsm.store %y, %out[%offs] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// No cluster has; the author's warps take 16 elements a thread.
// CHECK-LABEL: fsm.kernel @longest
// CHECK-SAME:    fsm.piece = 4096 : i32
fsm.kernel @longest(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 8 : i32} {
  %offs = fsm.range 0, 1048576 : tensor<1048576xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<1048576xi32> -> tensor<1048576xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1048576xf32> -> f32
  %maxes = fsm.splat %max : tensor<1048576xf32>
  %y = arith.subf %x, %maxes : tensor<1048576xf32>
  fsm.store %y, %out[%offs] : tensor<1048576xf32>, !fsm.ptr<f32>, tensor<1048576xi32>
  fsm.return
}

// Registers of a cluster have room for it, but no shared memory that a scan's elements are put in order in has.
// CHECK-LABEL: fsm.kernel @scan
// CHECK-SAME:    fsm.piece = 16384 : i32
// SINGLE-LABEL: fsm.kernel @scan
// SINGLE-SAME:    fsm.piece = 16384 : i32
// REMARK: remark: walks its blocks in pieces of 16384 elements: no shared memory has room for them
// SMALL-LABEL: fsm.kernel @scan
// SMALL-SAME:    fsm.piece = 8192 : i32
fsm.kernel @scan(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %offs = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %y = fsm.scan <sum> %x axis 0 : tensor<65536xf32>
  fsm.store %y, %out[%offs] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// What cannot be walked stays as it is.
// SINGLE-LABEL: fsm.kernel @gather
// SINGLE-NOT:     fsm.piece
// SINGLE:         fsm.return
// REMARK: remark: blocks are not walked piece by piece, though no shared memory has room for them: it needs more of a block than a piece
fsm.kernel @gather(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %at: !fsm.ptr<i32> {fsm.noalias}) {
  %offs = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %i = fsm.load %at[%offs] : !fsm.ptr<i32>, tensor<131072xi32> -> tensor<131072xi32>
  %y = fsm.gather %x[%i] axis 0 : tensor<131072xf32>, tensor<131072xi32> -> tensor<131072xf32>
  fsm.store %y, %out[%offs] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// REMARK: remark: blocks are not walked piece by piece, though no registers have room for them: a loop or a branch hands on more of a block than a piece
fsm.kernel @handed_on(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %offs = fsm.range 0, 131072 : tensor<131072xi32>
  %none = arith.constant dense<0.0> : tensor<131072xf32>
  %sums = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> (tensor<131072xf32>) : i32 {
    %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
    %more = arith.addf %sum, %x : tensor<131072xf32>
    scf.yield %more : tensor<131072xf32>
  }
  fsm.store %sums, %out[%offs] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// Pieces are as short as shared memory wants: 64 rows of 512, which are scanned, on 163 KB.
// SINGLE-LABEL: fsm.kernel @square
// SINGLE-SAME:    fsm.piece = 64 : i32
// REMARK: remark: walks its blocks in pieces of 64 elements: no shared memory has room for them
fsm.kernel @square(%out: !fsm.ptr<f32> {fsm.noalias}) {
  %x = arith.constant dense<1.0> : tensor<512x512xf32>
  %y = fsm.scan <sum> %x axis 1 : tensor<512x512xf32>
  %row = fsm.reduce <max> %y axis 0 : tensor<512x512xf32> -> tensor<512xf32>
  %most = fsm.reduce <max> %row axis 0 : tensor<512xf32> -> f32
  fsm.store %most, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// A gather along columns has all of these in memory, 64 rows at a time.
// SINGLE-LABEL: fsm.kernel @table
// SINGLE-SAME:    fsm.piece = 64 : i32
// REMARK: remark: walks its blocks in pieces of 64 elements: no shared memory has room for them
fsm.kernel @table(%out: !fsm.ptr<i32> {fsm.noalias}) {
  %x = arith.constant dense<1> : tensor<512x512xi32>
  %y = fsm.gather %x[%x] axis 1 : tensor<512x512xi32>, tensor<512x512xi32> -> tensor<512x512xi32>
  %row = fsm.reduce <max> %y axis 1 : tensor<512x512xi32> -> tensor<512xi32>
  %most = fsm.reduce <max> %row axis 0 : tensor<512xi32> -> i32
  fsm.store %most, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// Neither of the longer dimensions is left by the reshape; two squares at a time have room.
// SINGLE-LABEL: fsm.kernel @squares
// SINGLE-SAME:    fsm.piece = 2 : i32
// REMARK: remark: walks its blocks in pieces of 2 elements: no shared memory has room for them
fsm.kernel @squares(%out: !fsm.ptr<f32> {fsm.noalias}) {
  %x = arith.constant dense<1.0> : tensor<8x128x128xf32>
  %y = fsm.reshape %x : tensor<8x128x128xf32> -> tensor<8x16384xf32>
  %row = fsm.reduce <max> %y axis 0 : tensor<8x16384xf32> -> tensor<16384xf32>
  %most = fsm.reduce <max> %row axis 0 : tensor<16384xf32> -> f32
  fsm.store %most, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// Two blocks of 64 numbers of 64 bits a thread, for the author has one warp.
// REMARK: remark: blocks are not walked piece by piece, though no registers have room for them: none has more than 512 elements along a dimension
fsm.kernel @low(%out: !fsm.ptr<f64> {fsm.noalias}, %in: !fsm.ptr<f64> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %o = fsm.places strides [4, 1] : tensor<512x4xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f64>, tensor<512x4xi32> -> tensor<512x4xf64>
  %y = fsm.load %out[%o] : !fsm.ptr<f64>, tensor<512x4xi32> -> tensor<512x4xf64>
  %xs = fsm.reduce <max> %x axis 0 : tensor<512x4xf64> -> tensor<4xf64>
  %ys = fsm.reduce <max> %y axis 0 : tensor<512x4xf64> -> tensor<4xf64>
  %both = arith.addf %xs, %ys : tensor<4xf64>
  %most = fsm.reduce <max> %both axis 0 : tensor<4xf64> -> f64
  %mosts = fsm.splat %most : tensor<512x4xf64>
  %z = arith.mulf %x, %y : tensor<512x4xf64>
  %w = arith.subf %z, %mosts : tensor<512x4xf64>
  fsm.store %w, %out[%o] : tensor<512x4xf64>, !fsm.ptr<f64>, tensor<512x4xi32>
  fsm.return
}

// What the text says stays.
// CHECK-LABEL: fsm.kernel @said
// CHECK-SAME:    fsm.piece = 64 : i32
fsm.kernel @said() attributes {fsm.piece = 64 : i32} {
  fsm.return
}
