// Helpers stand beside kernels.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  func.func private @h()
  fsm.return
}
