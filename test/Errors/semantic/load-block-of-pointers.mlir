// There are no blocks of pointers.
fsm.kernel @k(%p: !fsm.ptr<!fsm.ptr<f32>>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = "fsm.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!fsm.ptr<!fsm.ptr<f32>>, tensor<64xi32>) -> tensor<64xf32>
  fsm.return
}
