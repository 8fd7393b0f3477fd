// The new dimension is where the axis says.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.expand_dims %b axis 0 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  fsm.return
}
