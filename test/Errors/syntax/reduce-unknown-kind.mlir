// The kinds are sum, prod, max, min, umax, umin, and, or, xor.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.reduce <mean> %o axis 0 : tensor<64xi32> -> i32
  fsm.return
}
