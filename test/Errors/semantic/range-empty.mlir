// A range has at least one number.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.range 8, 8 : tensor<1xi32>
  fsm.return
}
