// Single elements are left of two: they would be no blocks.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<2xf32>
  %a, %c = fsm.split %b : tensor<2xf32> -> f32
  fsm.return
}
