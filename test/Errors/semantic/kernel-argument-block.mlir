// Arguments are scalars and pointers; tensor<64xf32> is neither.
fsm.kernel @k(%a: tensor<64xf32>) {
  
  fsm.return
}
