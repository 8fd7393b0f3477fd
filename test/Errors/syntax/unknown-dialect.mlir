// There is no such dialect.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = gluon.load %p : !fsm.ptr<f32>
  fsm.return
}
