// A scalar access has a scalar mask.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %m = arith.constant dense<true> : tensor<64xi1>
  fsm.store %x, %p, %m : f32, !fsm.ptr<f32>, mask tensor<64xi1>
  fsm.return
}
