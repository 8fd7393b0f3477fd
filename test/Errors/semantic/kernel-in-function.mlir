// A kernel stands in a module.
func.func @f() {
  fsm.kernel @k() {
    fsm.return
  }
  return
}
