// A kernel ends with fsm.return.
fsm.kernel @k() {
  scf.yield
}
