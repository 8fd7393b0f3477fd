// Arguments are scalars and pointers; memref<4xf32> is neither.
fsm.kernel @k(%a: memref<4xf32>) {
  
  fsm.return
}
