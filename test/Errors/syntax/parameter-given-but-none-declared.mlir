// The file declares no parameters.
// options: -DBLOCK=128
fsm.kernel @k() {
  
  fsm.return
}
