// A value that is none of those to choose from.
// param A = 8 in 16, 32
fsm.kernel @k() {
  fsm.return
}
