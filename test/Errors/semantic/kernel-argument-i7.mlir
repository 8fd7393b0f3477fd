// Arguments are scalars and pointers; i7 is neither.
fsm.kernel @k(%a: i7) {
  
  fsm.return
}
