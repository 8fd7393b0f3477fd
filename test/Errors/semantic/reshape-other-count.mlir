// A reshape keeps the number of elements.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  %a = fsm.reshape %b : tensor<4x8xf32> -> tensor<33xf32>
  fsm.return
}
