// The order says where the dimensions come from, not where they go.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<2x4x8xf32>
  %a = fsm.transpose %b order [2, 0, 1] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  fsm.return
}
