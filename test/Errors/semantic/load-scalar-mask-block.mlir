// A scalar access has a scalar mask.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.constant dense<true> : tensor<64xi1>
  %a = fsm.load %p, %m : !fsm.ptr<f32>, mask tensor<64xi1> -> f32
  fsm.return
}
