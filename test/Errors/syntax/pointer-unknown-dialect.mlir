// There is no such dialect.
fsm.kernel @k(%p: !tt.ptr<f32>) {
  fsm.return
}
