// Offsets are integers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.splat %x : tensor<64xf32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xf32> -> tensor<64xf32>
  fsm.return
}
