// Offsets have 32 or 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = arith.constant dense<0> : tensor<64xi16>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi16> -> tensor<64xf32>
  fsm.return
}
