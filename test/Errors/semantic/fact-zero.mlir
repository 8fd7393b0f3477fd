// A divisor is positive.
// options: --arguments=16,0,1
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
