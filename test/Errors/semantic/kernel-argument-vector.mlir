// Arguments are scalars and pointers; vector<4xf32> is neither.
fsm.kernel @k(%a: vector<4xf32>) {
  
  fsm.return
}
