// A pointer has one pointee.
fsm.kernel @k(%p: !fsm.ptr<f32, f32>) {
  fsm.return
}
