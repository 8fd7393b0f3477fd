// A range ends behind its start.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.range 8, 0 : tensor<8xi32>
  fsm.return
}
