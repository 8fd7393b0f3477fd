// There is one fact per argument.
// options: --arguments=16,16
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
