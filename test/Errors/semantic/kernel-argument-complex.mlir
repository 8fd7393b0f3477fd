// Arguments are scalars and pointers; complex<f32> is neither.
fsm.kernel @k(%a: complex<f32>) {
  
  fsm.return
}
