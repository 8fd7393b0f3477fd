// Hints are about integers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.hint"(%x) <{multiple_of = array<i64: 4>}> : (f32) -> f32
  fsm.return
}
