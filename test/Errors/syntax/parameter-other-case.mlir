// Names of parameters are exact.
// param BLOCK = 64
fsm.kernel @k() {
  %a = fsm.range 0, ${block} : tensor<64xi32>
  fsm.return
}
