// Scalars are splat, blocks broadcast.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %s = fsm.splat %x : tensor<64xf32>
  %a = "fsm.splat"(%s) : (tensor<64xf32>) -> tensor<64xf32>
  fsm.return
}
