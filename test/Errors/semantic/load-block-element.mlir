// A pointer to f32 gives blocks of f32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf64>
  fsm.return
}
