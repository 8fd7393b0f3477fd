// Integers have no NaN.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<64xi32>
  %a = fsm.reduce <max> %b axis 0 propagate_nan : tensor<64xi32> -> i32
  fsm.return
}
