// A call has the helper's arguments.
func.func @helper(%a: i32) {
  return
}
fsm.kernel @k() {
  func.call @helper() : () -> ()
  fsm.return
}
