// There are no blocks of pointers.
fsm.kernel @k(%p: !fsm.ptr<!fsm.ptr<f32>>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %o, %p[%o] : tensor<64xi32>, !fsm.ptr<!fsm.ptr<f32>>, tensor<64xi32>
  fsm.return
}
