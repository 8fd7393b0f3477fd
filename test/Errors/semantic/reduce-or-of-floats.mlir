// 'or' takes integers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<64xf32>
  %a = fsm.reduce <or> %b axis 0 : tensor<64xf32> -> f32
  fsm.return
}
