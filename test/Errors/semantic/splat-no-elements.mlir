// Blocks have elements.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<4x0xf32>
  fsm.return
}
