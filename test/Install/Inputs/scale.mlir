fsm.kernel @scale(%numbers: !fsm.ptr<f32>, %factor: f32) {
  %offsets = fsm.range 0, 100 : tensor<100xi32>
  %x = fsm.load %numbers[%offsets] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
  %factors = fsm.splat %factor : tensor<100xf32>
  %y = arith.mulf %x, %factors : tensor<100xf32>
  fsm.store %y, %numbers[%offsets] : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>
  fsm.return
}
