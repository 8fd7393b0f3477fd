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
