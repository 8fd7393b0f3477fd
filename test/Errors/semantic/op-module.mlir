// Modules do not nest in kernels.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  builtin.module {
  }
  fsm.return
}
