// Hints are arrays of i64.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.hint %n {multiple_of = array<i32: 4>} : i32
  fsm.return
}
