// Arguments are scalars and pointers; tuple<i32> is neither.
fsm.kernel @k(%a: tuple<i32>) {
  
  fsm.return
}
