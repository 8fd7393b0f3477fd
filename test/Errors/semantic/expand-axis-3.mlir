// The new dimension is within the shape or behind it.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.expand_dims %b axis 3 : tensor<4x8xf32> -> tensor<4x8x1xf32>
  fsm.return
}
