// The list begins with a comma.
// param A = 8 in, 8
fsm.kernel @k() {
  fsm.return
}
