// A load has at most a mask and an other.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.constant dense<true> : tensor<64xi1>
  %a = fsm.load %p[%o], %m, %x, %x : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.return
}
