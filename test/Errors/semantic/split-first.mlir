// It is the last dimension that is taken apart.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<2x8xf32>
  %a, %c = fsm.split %b : tensor<2x8xf32> -> tensor<8xf32>
  fsm.return
}
