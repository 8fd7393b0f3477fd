// Broadcasting keeps the rank.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %s = fsm.splat %x : tensor<64xf32>
  %a = fsm.broadcast %s : tensor<64xf32> -> tensor<4x64xf32>
  fsm.return
}
