// A declaration has a name.
// param = 64
fsm.kernel @k() {
  
  fsm.return
}
