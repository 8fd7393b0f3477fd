// A module has a kernel.
// options: --pass-pipeline=builtin.module(fsm-check-kernels)
func.func @helper() {
  return
}
