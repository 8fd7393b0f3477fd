// Loops without stages whose iterations ptxas may write out: they load a little of a block, compute and store.

// RUN: %fsm_opt %s --fsm-schedule-loops | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#wide = #fsm.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [], cta = []>

// CHECK-LABEL: fsm.kernel @little
// CHECK:         fsm.load
// CHECK:         } {fsm.may_unroll}
fsm.kernel @little(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %x, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

// Eight words of a thread are enough on their way; scalars alone are few; others wait for one another, or count what they do.
// CHECK-LABEL: fsm.kernel @others
// CHECK-NOT:     fsm.may_unroll
// CHECK:         fsm.return
fsm.kernel @others(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 256 : tensor<256xi32, #wide>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<256xi32, #wide> -> tensor<256xf32, #wide>
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %x, %to[%o] : tensor<256xf32, #wide>, !fsm.ptr<f32>, tensor<256xi32, #wide>
  }
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  }
  %p = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%p] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.barrier
    fsm.store %x, %out[%p] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%p] volatile : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%p] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

#tile = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], cta = []>

// From row to row, and along 64 rows at once, 32 bytes of a thread are few; of a loop that takes columns again they are not.
// CHECK-LABEL: fsm.kernel @rows
// CHECK:         scf.for
// CHECK:         } {fsm.may_unroll}
// CHECK:         scf.for
// CHECK:         } {fsm.may_unroll}
// CHECK:         scf.for
// CHECK-NOT:     fsm.may_unroll
// CHECK:         fsm.return
fsm.kernel @rows(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %n: i32, %pitch: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %rows = arith.constant 64 : i32
  %columns = arith.constant 32 : i32
  %o, %mask = fsm.places origin [0, 0] strides [%pitch, 1] bounds [64, 32] : tensor<64x32xi32, #tile>
  %none = arith.constant dense<0.0> : tensor<64x32xf16, #tile>
  %s = scf.for %i = %zero to %n step %rows iter_args(%sum = %none) -> tensor<64x32xf16, #tile> : i32 {
    %first = arith.muli %i, %pitch : i32
    %from = fsm.offset %in, %first : !fsm.ptr<f16>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f16>, tensor<64x32xi32, #tile> -> tensor<64x32xf16, #tile>
    %more = arith.addf %sum, %x : tensor<64x32xf16, #tile>
    scf.yield %more : tensor<64x32xf16, #tile>
  }
  %t = scf.for %i = %zero to %n step %columns iter_args(%sum = %s) -> tensor<64x32xf16, #tile> : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f16>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f16>, tensor<64x32xi32, #tile> -> tensor<64x32xf16, #tile>
    %more = arith.addf %sum, %x : tensor<64x32xf16, #tile>
    scf.yield %more : tensor<64x32xf16, #tile>
  }
  %half = arith.constant 16 : i32
  %u = scf.for %i = %zero to %n step %half iter_args(%sum = %t) -> tensor<64x32xf16, #tile> : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f16>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f16>, tensor<64x32xi32, #tile> -> tensor<64x32xf16, #tile>
    %more = arith.addf %sum, %x : tensor<64x32xf16, #tile>
    scf.yield %more : tensor<64x32xf16, #tile>
  }
  fsm.store %u, %out[%o] : tensor<64x32xf16, #tile>, !fsm.ptr<f16>, tensor<64x32xi32, #tile>
  fsm.return
}
