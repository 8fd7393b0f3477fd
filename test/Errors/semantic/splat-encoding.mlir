// Blocks have no encodings.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<64xf32, 1 : i32>
  fsm.return
}
