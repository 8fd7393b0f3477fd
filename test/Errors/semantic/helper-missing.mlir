// The called helper is not there.
fsm.kernel @k() {
  func.call @helper() : () -> ()
  fsm.return
}
