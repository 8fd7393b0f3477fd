// fsm.return ends a kernel.
func.func @f() {
  fsm.return
}
