// A mask of more elements of a thread than there are registers of one bit is made where it is needed, and what it is joined of with it.

// RUN: %fsm_opt %s --fsm-delay-masks | FileCheck %s

#row = #fsm.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [], cta = []>
#few = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// CHECK-LABEL: @eight
// CHECK:         fsm.load
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    arith.cmpi ule
// CHECK-NEXT:    arith.andi
// CHECK-NEXT:    arith.select
fsm.kernel @eight(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %bound: i32, %some: i1) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #row>
  %bounds = fsm.splat %bound : tensor<256xi32, #row>
  %any = fsm.splat %some : tensor<256xi1, #row>
  %zeros = arith.constant dense<0.0> : tensor<256xf32, #row>
  %low = arith.cmpi ule, %o, %bounds : tensor<256xi32, #row>
  %keep = arith.andi %low, %any : tensor<256xi1, #row>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32, #row> -> tensor<256xf32, #row>
  %e = math.exp %x : tensor<256xf32, #row>
  %y = arith.select %keep, %e, %zeros : tensor<256xi1, #row>, tensor<256xf32, #row>
  fsm.store %y, %out[%o] : tensor<256xf32, #row>, !fsm.ptr<f32>, tensor<256xi32, #row>
  fsm.return
}

// In front of the loop whose body needs it, not in it.
// CHECK-LABEL: @for_a_loop
// CHECK:         math.exp
// CHECK-NEXT:    arith.cmpf olt
// CHECK-NEXT:    scf.for
fsm.kernel @for_a_loop(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %bound: f32, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #row>
  %bounds = fsm.splat %bound : tensor<256xf32, #row>
  %zeros = arith.constant dense<0.0> : tensor<256xf32, #row>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32, #row> -> tensor<256xf32, #row>
  %low = arith.cmpf olt, %x, %bounds : tensor<256xf32, #row>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = math.exp %x : tensor<256xf32, #row>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<256xf32, #row>) : i32 {
    %y = arith.select %low, %a, %zeros : tensor<256xi1, #row>, tensor<256xf32, #row>
    scf.yield %y : tensor<256xf32, #row>
  }
  fsm.store %sum, %out[%o] : tensor<256xf32, #row>, !fsm.ptr<f32>, tensor<256xi32, #row>
  fsm.return
}

// Not so four elements, nor two blocks, whose registers would be held for one mask.
// CHECK-LABEL: @stay
// CHECK:         arith.cmpi
// CHECK:         arith.cmpf
// CHECK:         math.exp
fsm.kernel @stay(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %bound: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #few>
  %p = fsm.range 0, 256 : tensor<256xi32, #row>
  %bounds = fsm.splat %bound : tensor<128xi32, #few>
  %x = fsm.load %in[%p] : !fsm.ptr<f32>, tensor<256xi32, #row> -> tensor<256xf32, #row>
  %z = fsm.load %out[%p] : !fsm.ptr<f32>, tensor<256xi32, #row> -> tensor<256xf32, #row>
  %w = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #few> -> tensor<128xf32, #few>
  %low = arith.cmpi ule, %o, %bounds : tensor<128xi32, #few>
  %less = arith.cmpf olt, %x, %z : tensor<256xf32, #row>
  %e = math.exp %w : tensor<128xf32, #few>
  %f = math.exp %x : tensor<256xf32, #row>
  %y = arith.select %low, %e, %w : tensor<128xi1, #few>, tensor<128xf32, #few>
  %v = arith.select %less, %f, %z : tensor<256xi1, #row>, tensor<256xf32, #row>
  fsm.store %y, %out[%o] : tensor<128xf32, #few>, !fsm.ptr<f32>, tensor<128xi32, #few>
  fsm.store %v, %out[%p] : tensor<256xf32, #row>, !fsm.ptr<f32>, tensor<256xi32, #row>
  fsm.return
}

// Scalars of arguments and the program's number are computed behind a loop that may be written out, which needs the registers; what a
// block says, and what the loop uses, stays.
// CHECK-LABEL: @scalars
// CHECK-NEXT:    fsm.program_id
// CHECK:         arith.muli
// CHECK:         fsm.offset
// CHECK-NOT:     fsm.offset
// CHECK:         scf.for
// CHECK:         } {fsm.may_unroll}
// CHECK-NEXT:    arith.muli
// CHECK-NEXT:    fsm.offset
// CHECK-NEXT:    fsm.store
fsm.kernel @scalars(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %o = fsm.range 0, 256 : tensor<256xi32, #row>
  %zeros = arith.constant dense<0.0> : tensor<256xf32, #row>
  %first = arith.muli %row, %n : i32
  %second = arith.muli %row, %c2 : i32
  %src = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %dst = fsm.offset %out, %second : !fsm.ptr<f32>, i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros) -> (tensor<256xf32, #row>) : i32 {
    %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<256xi32, #row> -> tensor<256xf32, #row>
    %more = arith.addf %s, %x : tensor<256xf32, #row>
    scf.yield %more : tensor<256xf32, #row>
  } {fsm.may_unroll}
  fsm.store %sum, %dst[%o] : tensor<256xf32, #row>, !fsm.ptr<f32>, tensor<256xi32, #row>
  fsm.return
}

// Nothing is gained by moving them over another loop.
// CHECK-LABEL: @another_loop
// CHECK:         fsm.offset
// CHECK:         scf.for
fsm.kernel @another_loop(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = fsm.range 0, 256 : tensor<256xi32, #row>
  %zeros = arith.constant dense<0.0> : tensor<256xf32, #row>
  %dst = fsm.offset %out, %n : !fsm.ptr<f32>, i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros) -> (tensor<256xf32, #row>) : i32 {
    %more = arith.addf %s, %s : tensor<256xf32, #row>
    scf.yield %more : tensor<256xf32, #row>
  }
  fsm.store %sum, %dst[%o] : tensor<256xf32, #row>, !fsm.ptr<f32>, tensor<256xi32, #row>
  fsm.return
}
