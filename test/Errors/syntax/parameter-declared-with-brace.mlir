// What is declared holds to what may be given.
// param A = ${B}
// param B = 64
fsm.kernel @k() {
  fsm.return
}
