// A constant's elements stand in the text.
fsm.kernel @k(%p: !fsm.ptr<f32>) {
  %c = arith.constant dense_resource<elsewhere> : tensor<4xf32>
  fsm.return
}
