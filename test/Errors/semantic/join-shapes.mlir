// The two sides are of one shape.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<8xf32>
  %a = fsm.join %b, %b : tensor<8xf32> -> tensor<16xf32>
  fsm.return
}
