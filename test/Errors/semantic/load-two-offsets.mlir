// A load has one block of offsets.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = "fsm.load"(%p, %o, %o) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!fsm.ptr<f32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xf32>
  fsm.return
}
