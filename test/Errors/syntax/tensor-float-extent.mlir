// Extents are integers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<1.5xf32>
  fsm.return
}
