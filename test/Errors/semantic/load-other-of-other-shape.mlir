// A block of others has the shape of the access.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.constant dense<true> : tensor<64xi1>
  %s = fsm.splat %x : tensor<32xf32>
  %a = fsm.load %p[%o], %m, %s : !fsm.ptr<f32>, tensor<64xi32>, other tensor<32xf32> -> tensor<64xf32>
  fsm.return
}
