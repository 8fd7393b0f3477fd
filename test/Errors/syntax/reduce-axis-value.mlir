// An axis is a number of the text.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.reduce <sum> %o axis %n : tensor<64xi32> -> i32
  fsm.return
}
