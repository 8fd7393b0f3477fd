// A dimension that the source does not have.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.transpose %b order [1, 2147483647] : tensor<4x8xf32> -> tensor<8x4xf32>
  fsm.return
}
