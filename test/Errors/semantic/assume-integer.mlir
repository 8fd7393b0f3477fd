// What is assumed is a condition.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  "fsm.assume"(%n) : (i32) -> ()
  fsm.return
}
