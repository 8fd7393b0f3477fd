// The type has no end.
fsm.kernel @k(%p: !fsm.ptr<f32) {
  fsm.return
}
