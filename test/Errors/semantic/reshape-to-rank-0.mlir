// A single element is a plain scalar.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<1xf32>
  %a = fsm.reshape %b : tensor<1xf32> -> tensor<f32>
  fsm.return
}
