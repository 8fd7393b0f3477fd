// Arguments are scalars and pointers; none is neither.
fsm.kernel @k(%a: none) {
  
  fsm.return
}
