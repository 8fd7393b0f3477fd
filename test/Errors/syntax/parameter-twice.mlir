// A parameter is declared once.
// param BLOCK = 64
// param BLOCK = 128
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<64xi32>
  fsm.return
}
