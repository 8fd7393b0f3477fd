// The mask has the shape of the access.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.constant dense<true> : tensor<1x64xi1>
  %a = fsm.load %p[%o], %m : !fsm.ptr<f32>, tensor<64xi32>, mask tensor<1x64xi1> -> tensor<64xf32>
  fsm.return
}
