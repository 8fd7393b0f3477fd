// The named symbol is no kernel.
// options: --kernel=a
func.func @a() {
  return
}
fsm.kernel @k() {
  fsm.return
}
