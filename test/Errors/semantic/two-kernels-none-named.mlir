// One of several kernels is named.
fsm.kernel @a() {
  fsm.return
}
fsm.kernel @b() {
  fsm.return
}
