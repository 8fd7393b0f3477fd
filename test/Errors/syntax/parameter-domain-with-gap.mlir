// Something is missing between two commas.
// param A = 8 in 8,, 32
fsm.kernel @k() {
  fsm.return
}
