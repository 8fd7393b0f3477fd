// A reduction says how.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.reduce %o axis 0 : tensor<64xi32> -> i32
  fsm.return
}
