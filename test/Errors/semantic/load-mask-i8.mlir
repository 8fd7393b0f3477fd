// A mask is made of i1.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.constant dense<1> : tensor<64xi8>
  %a = fsm.load %p[%o], %m : !fsm.ptr<f32>, tensor<64xi32>, mask tensor<64xi8> -> tensor<64xf32>
  fsm.return
}
