// A range has a start and an end.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.range 64 : tensor<64xi32>
  fsm.return
}
