// A default is not empty.
// param BLOCK =
fsm.kernel @k() {
  
  fsm.return
}
