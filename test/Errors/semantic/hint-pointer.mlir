// Hints are about integers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.hint"(%p) <{multiple_of = array<i64: 4>}> : (!fsm.ptr<f32>) -> !fsm.ptr<f32>
  fsm.return
}
