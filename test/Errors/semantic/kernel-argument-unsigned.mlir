// Arguments are scalars and pointers; ui8 is neither.
fsm.kernel @k(%a: ui8) {
  
  fsm.return
}
