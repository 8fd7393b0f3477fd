// A value opens no string.
// param A = "
fsm.kernel @k() {
  fsm.return
}
