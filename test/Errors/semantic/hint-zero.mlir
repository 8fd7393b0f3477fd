// Hints are positive numbers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.hint %n {multiple_of = array<i64: 0>} : i32
  fsm.return
}
