// Arguments are scalars and pointers; index is neither.
fsm.kernel @k(%a: index) {
  
  fsm.return
}
