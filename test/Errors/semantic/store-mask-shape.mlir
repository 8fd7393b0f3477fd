// The mask has the shape of the access.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %x : tensor<64xf32>
  %m = arith.constant dense<true> : tensor<8x8xi1>
  fsm.store %s, %p[%o], %m : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>, mask tensor<8x8xi1>
  fsm.return
}
