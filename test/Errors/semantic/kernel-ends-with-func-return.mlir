// A kernel ends with fsm.return.
fsm.kernel @k() {
  func.return
}
