// A kernel and a helper have the same name.
func.func @k() {
  return
}
fsm.kernel @k() {
  fsm.return
}
