// Nothing is in front of what there is to choose from.
// param A = in 8
fsm.kernel @k() {
  fsm.return
}
