// A constant's elements are all written.
fsm.kernel @k(%p: !fsm.ptr<f32>) {
  %c = arith.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  fsm.return
}
