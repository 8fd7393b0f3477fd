// The type of the offsets is given.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32> -> tensor<64xf32>
  fsm.return
}
