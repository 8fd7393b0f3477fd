// Two kernels have the same name.
fsm.kernel @k() {
  fsm.return
}
fsm.kernel @k() {
  fsm.return
}
