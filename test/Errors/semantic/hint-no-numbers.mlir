// A scalar has one number.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.hint %n {max_constancy = array<i64>} : i32
  fsm.return
}
