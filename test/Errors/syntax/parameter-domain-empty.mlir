// There is nothing to choose from.
// param A = 8 in
fsm.kernel @k() {
  fsm.return
}
