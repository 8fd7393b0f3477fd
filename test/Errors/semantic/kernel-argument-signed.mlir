// Arguments are scalars and pointers; si32 is neither.
fsm.kernel @k(%a: si32) {
  
  fsm.return
}
