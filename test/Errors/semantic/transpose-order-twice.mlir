// Each dimension has one place.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.transpose %b order [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  fsm.return
}
