// Facts are numbers, 'one' and 'noalias'.
// options: --arguments=16,two,1
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  fsm.return
}
