// The number of elements does not fit in 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<4294967296x4294967296xf32>
  fsm.return
}
