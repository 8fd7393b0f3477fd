// A module has a kernel.
func.func @helper() {
  return
}
