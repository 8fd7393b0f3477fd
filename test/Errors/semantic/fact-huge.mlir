// A divisor is an i32.
// options: --arguments=99999999999,1,1
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
