// Each word of a fact is known.
// options: --arguments=16,1+x,1
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
