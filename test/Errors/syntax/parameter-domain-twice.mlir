// A value to choose from stands there twice.
// param A = 8 in 8, 8, 16
fsm.kernel @k() {
  fsm.return
}
