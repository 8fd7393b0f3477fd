// Without a mask nothing takes the place of elements.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = "fsm.load"(%p, %o, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!fsm.ptr<f32>, tensor<64xi32>, f32) -> tensor<64xf32>
  fsm.return
}
