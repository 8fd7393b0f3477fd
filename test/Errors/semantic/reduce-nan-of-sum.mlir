// Sums have no choice about NaN.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<64xf32>
  %a = fsm.reduce <sum> %b axis 0 propagate_nan : tensor<64xf32> -> f32
  fsm.return
}
