// Arguments are scalars and pointers; f80 is neither.
fsm.kernel @k(%a: f80) {
  
  fsm.return
}
