// Brackets close what they opened.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.range 0, 64 : tensor<64xi32)
  fsm.return
}
