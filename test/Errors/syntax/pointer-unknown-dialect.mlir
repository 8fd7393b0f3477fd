// There is no such dialect.
fsm.kernel @k(%p: !gluon.ptr<f32>) {
  fsm.return
}
