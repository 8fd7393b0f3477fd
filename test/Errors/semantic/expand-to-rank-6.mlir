// A block has at most five dimensions.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<2x2x2x2x2xf32>
  %a = fsm.expand_dims %b axis 0 : tensor<2x2x2x2x2xf32> -> tensor<1x2x2x2x2x2xf32>
  fsm.return
}
