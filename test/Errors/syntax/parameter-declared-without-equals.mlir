// A default follows '='.
// param BLOCK 64
fsm.kernel @k() {
  
  fsm.return
}
