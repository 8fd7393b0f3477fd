// The body has no end.
fsm.kernel @k() {
  fsm.return
