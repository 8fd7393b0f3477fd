// Arguments are scalars and pointers; i128 is neither.
fsm.kernel @k(%a: i128) {
  
  fsm.return
}
