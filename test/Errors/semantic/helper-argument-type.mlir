// A call has the helper's argument types.
func.func @helper(%a: i32) {
  return
}
fsm.kernel @k(%x: f32) {
  func.call @helper(%x) : (f32) -> ()
  fsm.return
}
