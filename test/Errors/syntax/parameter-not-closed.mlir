// A placeholder ends on its line.
// param BLOCK = 64
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK
  : tensor<64xi32>
  fsm.return
}
