// Elements keep their type.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.expand_dims %b axis 0 : tensor<4x8xf32> -> tensor<1x4x8xi32>
  fsm.return
}
