// The number of elements does not fit in 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : tensor<9223372036854775807x9223372036854775807xf32>
  fsm.return
}
