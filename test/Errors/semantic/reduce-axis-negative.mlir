// An axis is not negative.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<4x8xf32>
  %a = fsm.reduce <sum> %b axis -1 : tensor<4x8xf32> -> tensor<4xf32>
  fsm.return
}
