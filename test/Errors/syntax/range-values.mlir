// The bounds of a range are numbers of the text.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.range 0, %n : tensor<64xi32>
  fsm.return
}
