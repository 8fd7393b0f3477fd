// The result has the elements' type.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<64xf16>
  %a = fsm.reduce <sum> %b axis 0 : tensor<64xf16> -> f32
  fsm.return
}
