// No number is both.
// options: --arguments=16,9..3,1
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
