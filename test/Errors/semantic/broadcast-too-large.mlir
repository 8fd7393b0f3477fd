// A block has at most 1048576 elements.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %x : tensor<1024x1xf32>
  %a = fsm.broadcast %b : tensor<1024x1xf32> -> tensor<1024x1025xf32>
  fsm.return
}
