// f8 is storage.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : tensor<64xf8E4M3FN>
  %a = fsm.reduce <sum> %b axis 0 : tensor<64xf8E4M3FN> -> f8E4M3FN
  fsm.return
}
