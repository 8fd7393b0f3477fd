// The reduced dimension goes.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<4x8xf32>
  %a = fsm.reduce <max> %b axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  fsm.return
}
