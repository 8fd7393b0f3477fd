// Source and result have types.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.expand_dims %o axis 0 : tensor<64xi32>
  fsm.return
}
