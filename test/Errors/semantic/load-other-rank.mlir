// The result has the shape of the offsets.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<8x8xf32>
  fsm.return
}
